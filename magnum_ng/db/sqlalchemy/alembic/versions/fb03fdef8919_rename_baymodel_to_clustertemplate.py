# SPDX-License-Identifier: Apache-2.0
"""Bay models are cluster templates now; the unique key keeps its name."""

from alembic import op

revision = 'fb03fdef8919'
down_revision = 'fcb4efee8f8b'


def upgrade() -> None:
    op.rename_table('baymodel', 'cluster_template')
