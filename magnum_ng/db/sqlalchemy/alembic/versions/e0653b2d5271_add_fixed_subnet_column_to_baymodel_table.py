# SPDX-License-Identifier: Apache-2.0
"""Add fixed subnet column to baymodel table."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = 'e0653b2d5271'
down_revision = '68ce16dfd341'


def upgrade() -> None:
    steps.add('baymodel', fixed_subnet=String(255))
