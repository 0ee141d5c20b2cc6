# SPDX-License-Identifier: Apache-2.0
"""Bay models name their container engine; it was Kubernetes so far."""

from alembic import op
from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '592131657ca1'
down_revision = '4956f03cabad'


def upgrade() -> None:
    steps.add('baymodel', coe=String(255))
    op.execute(steps.table('baymodel', 'coe').update().values(coe='kubernetes'))
