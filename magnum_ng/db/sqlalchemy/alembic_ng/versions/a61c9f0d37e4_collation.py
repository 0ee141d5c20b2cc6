# SPDX-License-Identifier: Apache-2.0
"""Our tables compare text as the tables do that they are compared with.

Tables that name a character set get its default collation, whatever that of the database is, and
MySQL and MariaDB refuse to compare columns of different ones. Columns of three bytes a character
can be compared with any of four; so this is for databases that were converted.
"""

from alembic import op
import sqlalchemy as sa

from magnum_ng.db.sqlalchemy import steps

revision = 'a61c9f0d37e4'
down_revision = 'd83f5b6e21a9'

OURS = ('ng_operation', 'ng_cluster_lock', 'ng_project_lock', 'ng_cluster_note', 'ng_conductor')
THEIRS = ('cluster', 'nodegroup')


def upgrade() -> None:
    if steps.dialect() not in ('mysql', 'mariadb'):
        return
    connection = op.get_bind()
    found = dict(connection.execute(
        sa.text('SELECT table_name, table_collation FROM information_schema.tables '
                'WHERE table_schema = DATABASE() AND table_name IN :names')
        .bindparams(sa.bindparam('names', expanding=True)), {'names': OURS + THEIRS}).all())
    wanted = next((found[name] for name in THEIRS if found[name].startswith('utf8mb4')), None)
    for name in OURS:
        if wanted and found[name] != wanted:
            op.execute(f'ALTER TABLE {name} CONVERT TO CHARACTER SET utf8mb4 COLLATE {wanted}')
