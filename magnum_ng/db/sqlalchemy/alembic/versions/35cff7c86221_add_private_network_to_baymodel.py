# SPDX-License-Identifier: Apache-2.0
"""Add private network to baymodel."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '35cff7c86221'
down_revision = '3a938526b35d'


def upgrade() -> None:
    steps.add('baymodel', fixed_network=String(255))
