# SPDX-License-Identifier: Apache-2.0
"""Bay models can do without TLS; those made before TLS was there do."""

from alembic import op
from sqlalchemy import Boolean, true

from magnum_ng.db.sqlalchemy import steps

revision = '1d045384b966'
down_revision = '1481f5b560dd'


def upgrade() -> None:
    steps.add('baymodel', insecure=Boolean())
    op.execute(steps.table('baymodel', 'insecure').update().values(insecure=true()))
