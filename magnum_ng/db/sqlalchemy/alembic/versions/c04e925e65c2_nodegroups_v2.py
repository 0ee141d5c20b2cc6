# SPDX-License-Identifier: Apache-2.0
"""Nodegroups have a stack, a status and a version; at first those of their cluster."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy import String, Text
from sqlalchemy.dialects import mysql

from magnum_ng.db.sqlalchemy import steps

revision = 'c04e925e65c2'
down_revision = '47380964133d'

CLUSTER = steps.table('cluster', 'uuid', 'stack_id', 'status')
NODEGROUP = steps.table('nodegroup', 'id', 'cluster_id', 'stack_id', 'status', 'version')


def upgrade() -> None:
    steps.add('nodegroup', stack_id=String(255), status=String(20), status_reason=Text(),
              version=String(20))
    cluster_id = NODEGROUP.c.cluster_id
    if steps.dialect() in ('mysql', 'mariadb'):
        # The tables differ in their character set; the index serves only a value in its own.
        cluster_id = sa.cast(cluster_id, mysql.CHAR(255, charset='utf8mb3'))
    copy = NODEGROUP.update().values(
        stack_id=CLUSTER.c.stack_id, status=CLUSTER.c.status, version='0',
    ).where(CLUSTER.c.uuid == cluster_id)
    for first, last in steps.batches('nodegroup', 'Status of nodegroups'):
        op.execute(copy.where(NODEGROUP.c.id.between(first, last)))
