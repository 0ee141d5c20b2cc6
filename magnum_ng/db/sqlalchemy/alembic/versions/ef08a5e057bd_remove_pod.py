# SPDX-License-Identifier: Apache-2.0
"""Remove pod."""

from alembic import op

revision = 'ef08a5e057bd'
down_revision = 'e647f5931da8'


def upgrade() -> None:
    op.drop_table('pod')
