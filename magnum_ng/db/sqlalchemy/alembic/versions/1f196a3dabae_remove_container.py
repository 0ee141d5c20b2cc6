# SPDX-License-Identifier: Apache-2.0
"""Remove container."""

from alembic import op

revision = '1f196a3dabae'
down_revision = 'e0653b2d5271'


def upgrade() -> None:
    op.drop_table('container')
