# SPDX-License-Identifier: Apache-2.0
"""The table of nodegroups."""

from sqlalchemy import Boolean, Integer, String, Text, UniqueConstraint

from magnum_ng.db.sqlalchemy import steps

revision = 'ac92cbae311c'
down_revision = '87e62e3c7abc'


def upgrade() -> None:
    steps.create(
        'nodegroup', *steps.timestamps(), steps.key(),
        steps.column('uuid', String(36), required=True),
        steps.column('name', String(255), required=True),
        steps.column('cluster_id', String(255), required=True),
        steps.column('project_id', String(255), required=True),
        steps.column('docker_volume_size', Integer()), steps.column('labels', Text()),
        steps.column('flavor_id', String(255)), steps.column('image_id', String(255)),
        steps.column('node_addresses', Text()), steps.column('node_count', Integer()),
        steps.column('max_node_count', Integer()), steps.column('min_node_count', Integer()),
        steps.column('role', String(255)), steps.column('is_default', Boolean()),
        UniqueConstraint('uuid', name='uniq_nodegroup0uuid'),
        UniqueConstraint('cluster_id', 'name', name='uniq_nodegroup0cluster_id0name'))
