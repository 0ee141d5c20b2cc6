# SPDX-License-Identifier: Apache-2.0
"""Add bay status."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '5793cd26898d'
down_revision = '3bea56f25597'


def upgrade() -> None:
    steps.add('bay', status=String(20))
