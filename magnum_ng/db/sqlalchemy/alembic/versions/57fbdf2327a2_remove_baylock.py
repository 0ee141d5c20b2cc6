# SPDX-License-Identifier: Apache-2.0
"""Remove baylock."""

from alembic import op

revision = '57fbdf2327a2'
down_revision = 'adc3b7679ae'


def upgrade() -> None:
    op.drop_table('baylock')
