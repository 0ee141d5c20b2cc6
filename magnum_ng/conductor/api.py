# SPDX-License-Identifier: Apache-2.0
"""The RPC client of the conductor.

A method named ``*_async`` sends and returns; the others wait for the answer, at most for
``[DEFAULT]rpc_response_timeout`` seconds. Names and arguments are those of the original: an
original API talks to our conductor with the same messages.
"""

from magnum_ng.common import rpc_service


class API(rpc_service.API):

    # Clusters

    def cluster_create(self, cluster, master_count, node_count, create_timeout):
        return self._call('cluster_create', cluster=cluster, master_count=master_count,
                          node_count=node_count, create_timeout=create_timeout)

    def cluster_create_async(self, cluster, master_count, node_count, create_timeout):
        self._cast('cluster_create', cluster=cluster, master_count=master_count,
                   node_count=node_count, create_timeout=create_timeout)

    def cluster_delete(self, uuid):
        return self._call('cluster_delete', uuid=uuid)

    def cluster_delete_async(self, uuid):
        self._cast('cluster_delete', uuid=uuid)

    def cluster_update(self, cluster, node_count, health_status, health_status_reason):
        return self._call('cluster_update', cluster=cluster, node_count=node_count,
                          health_status=health_status,
                          health_status_reason=_plain(health_status_reason))

    def cluster_update_async(self, cluster, node_count, health_status, health_status_reason,
                             rollback=False):
        self._cast('cluster_update', cluster=cluster, node_count=node_count,
                   health_status=health_status,
                   health_status_reason=_plain(health_status_reason), rollback=rollback)

    def cluster_resize(self, cluster, node_count, nodes_to_remove, nodegroup, rollback=False):
        # The message has no rollback: the method of the conductor does not take one.
        return self._call('cluster_resize', cluster=cluster, node_count=node_count,
                          nodes_to_remove=nodes_to_remove, nodegroup=nodegroup)

    def cluster_resize_async(self, cluster, node_count, nodes_to_remove, nodegroup,
                             rollback=False):
        self._cast('cluster_resize', cluster=cluster, node_count=node_count,
                   nodes_to_remove=nodes_to_remove, nodegroup=nodegroup)

    def cluster_upgrade(self, cluster, cluster_template, max_batch_size, nodegroup,
                        rollback=False):
        return self._call('cluster_upgrade', cluster=cluster, cluster_template=cluster_template,
                          max_batch_size=max_batch_size, nodegroup=nodegroup, rollback=rollback)

    # A call, in spite of its name: whoever asks is told when the driver refuses.
    cluster_upgrade_async = cluster_upgrade

    # Nodegroups

    def nodegroup_create(self, cluster, nodegroup):
        return self._call('nodegroup_create', cluster=cluster, nodegroup=nodegroup)

    def nodegroup_create_async(self, cluster, nodegroup):
        self._cast('nodegroup_create', cluster=cluster, nodegroup=nodegroup)

    def nodegroup_update(self, cluster, nodegroup):
        return self._call('nodegroup_update', cluster=cluster, nodegroup=nodegroup)

    def nodegroup_update_async(self, cluster, nodegroup):
        self._cast('nodegroup_update', cluster=cluster, nodegroup=nodegroup)

    def nodegroup_delete(self, cluster, nodegroup):
        return self._call('nodegroup_delete', cluster=cluster, nodegroup=nodegroup)

    def nodegroup_delete_async(self, cluster, nodegroup):
        self._cast('nodegroup_delete', cluster=cluster, nodegroup=nodegroup)

    # Certificates and credentials

    def sign_certificate(self, cluster, certificate):
        return self._call('sign_certificate', cluster=cluster, certificate=certificate)

    def get_ca_certificate(self, cluster, ca_cert_type=None):
        return self._call('get_ca_certificate', cluster=cluster, ca_cert_type=ca_cert_type)

    def rotate_ca_certificate(self, cluster):
        return self._call('rotate_ca_certificate', cluster=cluster)

    def credential_rotate(self, cluster):
        return self._call('credential_rotate', cluster=cluster)

    def credential_rotate_async(self, cluster):
        self._cast('credential_rotate', cluster=cluster)

    # Federations

    def federation_create(self, federation, create_timeout):
        return self._call('federation_create', federation=federation,
                          create_timeout=create_timeout)

    def federation_create_async(self, federation, create_timeout):
        self._cast('federation_create', federation=federation, create_timeout=create_timeout)

    def federation_delete(self, uuid):
        return self._call('federation_delete', uuid=uuid)

    def federation_delete_async(self, uuid):
        self._cast('federation_delete', uuid=uuid)

    def federation_update(self, federation):
        return self._call('federation_update', federation=federation)

    def federation_update_async(self, federation, rollback=False):
        self._cast('federation_update', federation=federation, rollback=rollback)

    # Objects of a service without a database

    def object_class_action_versions(self, context, objname, objmethod, object_versions, args,
                                     kwargs):
        return self._client.call(context, 'object_class_action_versions', objname=objname,
                                 objmethod=objmethod, object_versions=object_versions,
                                 args=args, kwargs=kwargs)

    def object_action(self, context, objinst, objmethod, args, kwargs):
        return self._client.call(context, 'object_action', objinst=objinst,
                                 objmethod=objmethod, args=args, kwargs=kwargs)

    def object_backport_versions(self, context, objinst, object_versions):
        return self._client.call(context, 'object_backport_versions', objinst=objinst,
                                 object_versions=object_versions)


class ListenerAPI(rpc_service.API):
    """Asks one conductor whether it listens."""

    def __init__(self, context=None, topic=None, server=None, timeout=None):
        super().__init__(context=context, topic=topic, server=server, timeout=timeout)

    def ping_conductor(self):
        return self._call('ping_conductor')


def _plain(reason):
    """The dictionary of an object's field cannot be put into a message, its copy can."""
    return None if reason is None else dict(reason)
