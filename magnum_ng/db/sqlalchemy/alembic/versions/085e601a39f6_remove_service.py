# SPDX-License-Identifier: Apache-2.0
"""Remove service."""

from alembic import op

revision = '085e601a39f6'
down_revision = 'a1136d335540'


def upgrade() -> None:
    op.drop_table('service')
