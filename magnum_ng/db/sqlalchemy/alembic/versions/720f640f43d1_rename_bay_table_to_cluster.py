# SPDX-License-Identifier: Apache-2.0
"""Bays are clusters now; the unique key keeps its name."""

from alembic import op
from sqlalchemy import Integer, String

from magnum_ng.db.sqlalchemy import steps

revision = '720f640f43d1'
down_revision = 'fb03fdef8919'


def upgrade() -> None:
    steps.rename('bay', 'baymodel_id', 'cluster_template_id', String(255))
    steps.rename('bay', 'bay_create_timeout', 'create_timeout', Integer())
    op.rename_table('bay', 'cluster')
