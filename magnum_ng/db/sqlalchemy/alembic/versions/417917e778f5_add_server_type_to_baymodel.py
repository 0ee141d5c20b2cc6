# SPDX-License-Identifier: Apache-2.0
"""Add server type to baymodel."""

from alembic import op
from sqlalchemy import Column, String

revision = '417917e778f5'
down_revision = '33ef79969018'


def upgrade() -> None:
    op.add_column('baymodel', Column('server_type', String(255), server_default='vm'))
