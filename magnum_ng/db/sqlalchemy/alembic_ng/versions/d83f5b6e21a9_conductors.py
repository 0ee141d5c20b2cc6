# SPDX-License-Identifier: Apache-2.0
"""Which of the conductors are ours."""

from alembic import op
from sqlalchemy import DateTime, PrimaryKeyConstraint, String

from magnum_ng.db.sqlalchemy import steps

revision = 'd83f5b6e21a9'
down_revision = 'c94d27e0b316'


def upgrade() -> None:
    op.create_table(
        'ng_conductor', steps.column('host', String(255), required=True),
        steps.column('last_seen_up', DateTime(), required=True), *steps.timestamps(),
        PrimaryKeyConstraint('host'), mysql_engine='InnoDB', mysql_charset='utf8mb4')
