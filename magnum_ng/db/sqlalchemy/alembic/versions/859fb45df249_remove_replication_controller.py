# SPDX-License-Identifier: Apache-2.0
"""Remove replication controller."""

from alembic import op

revision = '859fb45df249'
down_revision = '1f196a3dabae'


def upgrade() -> None:
    op.drop_table('replicationcontroller')
