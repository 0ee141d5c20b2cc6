# SPDX-License-Identifier: Apache-2.0
"""Endpoint: create, update, resize, upgrade and delete clusters."""

from magnum_ng.common import exception
from magnum_ng.conductor import acceptance
from magnum_ng.conductor import intake
from magnum_ng.conductor import reasons
from magnum_ng.conductor import states
from magnum_ng import objects


class Handler:

    def cluster_create(self, context, cluster, master_count, node_count, create_timeout):
        def accept(owner):
            try:
                return acceptance.create_cluster(
                    context, cluster, master_count, node_count, create_timeout, owner=owner,
                    check_quota=False)
            except exception.Invalid as error:
                # The user was told that the cluster is being created.
                acceptance.record_failed_creation(
                    cluster, master_count, node_count, reasons.of(error))
                raise

        return intake.take(context, states.CREATE, accept, cluster, (
            'cluster_create', {'cluster': cluster, 'master_count': master_count,
                               'node_count': node_count, 'create_timeout': create_timeout}))

    def cluster_update(self, context, cluster, node_count, health_status, health_status_reason,
                       rollback=False):
        def accept(owner):
            if health_status:
                acceptance.report_health(cluster, health_status, health_status_reason)
                return None
            return acceptance.update_cluster(context, cluster, node_count, rollback, owner)

        return intake.take(context, states.UPDATE, accept, cluster, (
            'cluster_update', {
                'cluster': cluster, 'node_count': node_count, 'health_status': health_status,
                'health_status_reason': health_status_reason, 'rollback': rollback}))

    def cluster_resize(self, context, cluster, node_count, nodes_to_remove, nodegroup):
        def accept(owner):
            return acceptance.resize_cluster(
                context, cluster, node_count, nodes_to_remove, nodegroup, owner)

        return intake.take(context, states.RESIZE, accept, cluster, (
            'cluster_resize', {'cluster': cluster, 'node_count': node_count,
                               'nodes_to_remove': nodes_to_remove, 'nodegroup': nodegroup}))

    def cluster_upgrade(self, context, cluster, cluster_template, max_batch_size, nodegroup,
                        rollback=False):
        def accept(owner):
            return acceptance.upgrade_cluster(
                context, cluster, cluster_template, max_batch_size, nodegroup, rollback, owner)

        return intake.take(context, states.UPGRADE, accept, cluster, (
            'cluster_upgrade', {
                'cluster': cluster, 'cluster_template': cluster_template,
                'max_batch_size': max_batch_size, 'nodegroup': nodegroup,
                'rollback': rollback}), wait=True)

    def cluster_delete(self, context, uuid):
        cluster = objects.Cluster(context, uuid=uuid)

        def accept(owner):
            return acceptance.delete_cluster(context, cluster, owner)

        intake.take(context, states.DELETE, accept, cluster,
                    ('cluster_delete', {'uuid': uuid}))
