# SPDX-License-Identifier: Apache-2.0
"""Add registry enabled."""

from sqlalchemy import Boolean

from magnum_ng.db.sqlalchemy import steps

revision = '4e263f236334'
down_revision = '5518af8dbc21'


def upgrade() -> None:
    steps.add('baymodel', registry_enabled=Boolean())
