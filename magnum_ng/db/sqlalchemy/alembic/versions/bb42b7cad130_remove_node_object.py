# SPDX-License-Identifier: Apache-2.0
"""Remove node object."""

from alembic import op

revision = 'bb42b7cad130'
down_revision = '05d3e97de9ee'


def upgrade() -> None:
    op.drop_table('node')
