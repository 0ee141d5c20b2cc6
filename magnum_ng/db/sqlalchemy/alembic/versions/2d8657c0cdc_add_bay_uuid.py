# SPDX-License-Identifier: Apache-2.0
"""Add bay uuid."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '2d8657c0cdc'
down_revision = 'e772b2598d9'


def upgrade() -> None:
    steps.add('container', bay_uuid=String(255))
