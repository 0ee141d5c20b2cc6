# SPDX-License-Identifier: Apache-2.0
"""Sizes and addresses move from clusters to their default nodegroups.

A cluster whose template is gone gets no nodegroups. One whose nodegroups are there already, from
a run that was interrupted, keeps them.
"""

import sqlalchemy as sa
from alembic import op
from oslo_utils import timeutils

from magnum_ng.db.sqlalchemy import steps

revision = '461d798132c7'
down_revision = 'ac92cbae311c'

CLUSTER = steps.table(
    'cluster', 'id', 'uuid', 'project_id', 'cluster_template_id', 'docker_volume_size', 'labels',
    'flavor_id', 'node_count', 'node_addresses', 'master_flavor_id', 'master_count',
    'master_addresses').alias('c')
TEMPLATE = steps.table(
    'cluster_template', 'uuid', 'image_id', 'flavor_id', 'master_flavor_id').alias('t')
COLUMNS = (
    'uuid', 'name', 'cluster_id', 'project_id', 'docker_volume_size', 'labels', 'flavor_id',
    'image_id', 'node_addresses', 'node_count', 'min_node_count', 'role', 'is_default',
    'created_at')
NODEGROUP = steps.table('nodegroup', *COLUMNS)


def upgrade() -> None:
    move('master', CLUSTER.c.master_flavor_id, TEMPLATE.c.master_flavor_id,
         CLUSTER.c.master_count, CLUSTER.c.master_addresses)
    move('worker', CLUSTER.c.flavor_id, TEMPLATE.c.flavor_id,
         CLUSTER.c.node_count, CLUSTER.c.node_addresses)
    steps.drop('cluster', 'node_count', 'node_addresses', 'master_count', 'master_addresses')


def move(role, flavor, template_flavor, count, addresses) -> None:
    """Insert the nodegroup of one role for every cluster."""
    name = f'default-{role}'
    there = sa.exists().where(
        NODEGROUP.c.cluster_id == CLUSTER.c.uuid, NODEGROUP.c.name == name)
    found = sa.select(
        new_uuid(), sa.literal(name), CLUSTER.c.uuid, CLUSTER.c.project_id,
        CLUSTER.c.docker_volume_size, sa.func.coalesce(CLUSTER.c.labels, '{}'),
        sa.func.coalesce(sa.func.nullif(flavor, ''), template_flavor), TEMPLATE.c.image_id,
        sa.func.coalesce(addresses, '[]'), count, sa.literal(1), sa.literal(role), sa.true(),
        sa.literal(timeutils.utcnow(), sa.DateTime()),
    ).where(CLUSTER.c.cluster_template_id == TEMPLATE.c.uuid, ~there).order_by(CLUSTER.c.id)
    for first, last in steps.batches('cluster', f'Nodegroups {name}'):
        op.execute(NODEGROUP.insert().from_select(
            COLUMNS, found.where(CLUSTER.c.id.between(first, last))))


def new_uuid() -> sa.ColumnElement:
    """Return an expression that makes a UUID for each row."""
    return sa.literal_column({
        'postgresql': "CAST(CAST(md5(CAST(random() AS text) || clock_timestamp()) AS uuid) "
                      "AS text)",
        'sqlite': "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || "
                  "substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || "
                  "'-' || hex(randomblob(6)))",
    }.get(steps.dialect(), 'uuid()'))
