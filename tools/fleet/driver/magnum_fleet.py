# SPDX-License-Identifier: Apache-2.0
"""A driver for the fleet tests: it builds nothing, and runs in the original and in magnum_ng alike.

Each call is a line of JSON in the file FLEET_LOG, with the side that made it and the fingerprint
of the cluster's CA as this side reads it. What an operation has begun is ended by the next look
of the status poller.

The names of things decide what goes wrong: ``fail-create`` lets the driver's method raise,
``late-create`` lets the status poller find a failure (create, update, delete; resize and upgrade
count as update), and ``refuse-400``, ``refuse-409`` refuse upgrades with that HTTP code.
"""

import hashlib
import json
import os
import sys

from magnum.common import exception
from magnum.conductor.handlers.common import cert_manager
from magnum.drivers.common import driver
from magnum.objects import fields

S = fields.ClusterStatus
SIDE = 'ng' if 'magnum_ng' in sys.modules else 'original'


class FleetFailure(exception.MagnumException):
    message = 'the fleet driver was asked to fail'


def fingerprint(context, cluster):
    """Of the certificate that the cluster refers to, or the class of the error."""
    try:
        found = cert_manager.get_cluster_ca_certificate(cluster, context=context)
        text = found.get_certificate()
    except Exception as error:
        return type(error).__name__
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def log(call, context, cluster, certificate=True, **more):
    line = dict(more, call=call, cluster=cluster.uuid, side=SIDE, status=cluster.status,
                ca=fingerprint(context, cluster) if certificate else None)
    with open(os.environ['FLEET_LOG'], 'a') as file:
        file.write(json.dumps(line, default=str) + '\n')


def fail(operation, *things):
    for thing in things:
        if f'fail-{operation}' in (thing.name or ''):
            raise FleetFailure()


class FleetDriver(driver.Driver):

    @property
    def provides(self):
        return [{'server_type': 'vm', 'os': 'ubuntu', 'coe': 'kubernetes'}]

    # Clusters

    def create_cluster(self, context, cluster, cluster_create_timeout):
        log('create_cluster', context, cluster)
        cluster.stack_id = f'fleet-{cluster.uuid}'
        fail('create', cluster)

    def update_cluster(self, context, cluster, scale_manager=None, rollback=False):
        log('update_cluster', context, cluster, count=cluster.node_count)
        fail('update', cluster)
        worker = cluster.default_ng_worker
        worker.status = S.UPDATE_IN_PROGRESS
        worker.save()

    def resize_cluster(self, context, cluster, resize_manager, node_count, nodes_to_remove,
                       nodegroup=None):
        log('resize_cluster', context, cluster, count=node_count)
        fail('update', cluster)

    def upgrade_cluster(self, context, cluster, cluster_template, max_batch_size, nodegroup,
                        scale_manager=None, rollback=False):
        log('upgrade_cluster', context, cluster, template=cluster_template.uuid)
        if 'refuse-400' in cluster.name:
            raise exception.NotSupported('the fleet driver was asked to refuse')
        if 'refuse-409' in cluster.name:
            raise exception.Conflict('the fleet driver was asked to refuse')
        fail('update', cluster)
        cluster.cluster_template_id = cluster_template.uuid

    def delete_cluster(self, context, cluster):
        log('delete_cluster', context, cluster)
        fail('delete', cluster)

    # Nodegroups

    def create_nodegroup(self, context, cluster, nodegroup):
        log('create_nodegroup', context, cluster, nodegroup=nodegroup.name)
        fail('create', nodegroup)

    def update_nodegroup(self, context, cluster, nodegroup):
        log('update_nodegroup', context, cluster, nodegroup=nodegroup.name)
        fail('update', nodegroup)

    def delete_nodegroup(self, context, cluster, nodegroup):
        log('delete_nodegroup', context, cluster, nodegroup=nodegroup.name)
        fail('delete', nodegroup)
        # The original leaves it to the driver to store the status that it has set.
        nodegroup.save()

    # Others

    def rotate_ca_certificate(self, context, cluster):
        log('rotate_ca_certificate', context, cluster)
        fail('update', cluster)

    def rotate_credential(self, context, cluster):
        log('rotate_credential', context, cluster)

    def create_federation(self, context, federation):
        raise NotImplementedError()

    update_federation = delete_federation = create_federation

    # The poller

    def update_cluster_status(self, context, cluster, use_admin_ctx=False):
        action, _sep, progress = (cluster.status or '').partition('_')
        if progress != 'IN_PROGRESS':
            return
        log('update_cluster_status', context, cluster, certificate=False)
        if f'late-{action.lower()}' in cluster.name:
            cluster.status = f'{action}_FAILED'
            cluster.status_reason = 'the fleet driver was asked to fail later'
        else:
            cluster.status = f'{action}_COMPLETE'
            cluster.status_reason = None
        if action != 'DELETE':
            for nodegroup in cluster.nodegroups:
                self._end(nodegroup)
            cluster.api_address = 'https://192.0.2.10:6443'
            cluster.coe_version = 'v1.35.0'
        cluster.save()

    @staticmethod
    def _end(nodegroup):
        action, _sep, progress = (nodegroup.status or '').partition('_')
        if progress != 'IN_PROGRESS':
            return
        if action == 'DELETE':
            nodegroup.destroy()
            return
        nodegroup.status = f'{action}_COMPLETE'
        nodegroup.node_addresses = [f'192.0.2.{100 + number}'
                                    for number in range(nodegroup.node_count)]
        nodegroup.save()
