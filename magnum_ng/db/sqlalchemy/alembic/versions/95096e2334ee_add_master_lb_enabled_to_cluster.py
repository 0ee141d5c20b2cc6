# SPDX-License-Identifier: Apache-2.0
"""Clusters remember whether they have a load balancer; at first what their template says."""

from alembic import op
from sqlalchemy import Boolean

from magnum_ng.db.sqlalchemy import steps

revision = '95096e2334ee'
down_revision = 'c04e925e65c2'

CLUSTER = steps.table('cluster', 'id', 'cluster_template_id', 'master_lb_enabled')
TEMPLATE = steps.table('cluster_template', 'uuid', 'master_lb_enabled')


def upgrade() -> None:
    steps.add('cluster', master_lb_enabled=Boolean())
    copy = CLUSTER.update().values(master_lb_enabled=TEMPLATE.c.master_lb_enabled).where(
        CLUSTER.c.cluster_template_id == TEMPLATE.c.uuid, CLUSTER.c.master_lb_enabled.is_(None))
    for first, last in steps.batches('cluster', 'Load balancers of clusters'):
        op.execute(copy.where(CLUSTER.c.id.between(first, last)))
