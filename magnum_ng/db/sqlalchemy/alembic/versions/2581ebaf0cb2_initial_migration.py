# SPDX-License-Identifier: Apache-2.0
"""The first tables."""

from sqlalchemy import Integer, String, Text

from magnum_ng.db.sqlalchemy import steps

revision = '2581ebaf0cb2'
down_revision = None


def upgrade() -> None:
    steps.create(
        'bay', *steps.timestamps(), steps.key(), steps.column('uuid', String(36)),
        steps.column('name', String(255)), steps.column('baymodel_id', String(255)),
        steps.column('node_count', Integer()), steps.column('master_address', String(255)),
        steps.column('minions_address', Text()), steps.column('stack_id', String(255)),
        utf8mb3=True)
    steps.create(
        'baymodel', *steps.timestamps(), steps.key(), steps.column('uuid', String(36)),
        steps.column('name', String(255)), steps.column('flavor_id', String(255)),
        steps.column('keypair_id', String(255)), steps.column('image_id', String(255)),
        steps.column('external_network_id', String(255)),
        steps.column('dns_nameserver', String(255)), steps.column('apiserver_port', Integer()),
        utf8mb3=True)
    steps.create(
        'container', *steps.timestamps(), steps.key(), steps.column('uuid', String(36)),
        steps.column('name', String(255)), steps.column('image_id', String(255)), utf8mb3=True)
    steps.create(
        'node', *steps.timestamps(), steps.key(), steps.column('uuid', String(36)),
        steps.column('type', String(20)), steps.column('image_id', String(255)),
        steps.column('ironic_node_id', String(36)), utf8mb3=True)
    steps.create(
        'pod', *steps.timestamps(), steps.key(), steps.column('uuid', String(36)),
        steps.column('name', String(255)), steps.column('desc', String(255)),
        steps.column('bay_uuid', String(36)), steps.column('images', Text(), required=True),
        steps.column('labels', Text()), steps.column('status', String(255), required=True),
        utf8mb3=True)
    steps.create(
        'service', *steps.timestamps(), steps.key(), steps.column('uuid', String(36)),
        steps.column('name', String(255)), steps.column('bay_uuid', String(36)),
        steps.column('labels', Text()), steps.column('selector', Text()),
        steps.column('ip', String(36)), steps.column('port', Integer()), utf8mb3=True)
    steps.create(
        'replicationcontroller', *steps.timestamps(), steps.key(),
        steps.column('uuid', String(36)), steps.column('name', String(255)),
        steps.column('bay_uuid', String(36)), steps.column('images', Text(), required=True),
        steps.column('labels', Text()), steps.column('replicas', Integer()), utf8mb3=True)
