# SPDX-License-Identifier: Apache-2.0
"""Scale managers: which hosts may go when a cluster shrinks."""

import abc

from magnum_ng import objects
from magnum_ng.common import log as logging
from magnum_ng.drivers.common import driver

LOG = logging.getLogger(__name__)


def get_scale_manager(context, osclient, cluster):
    """The scale manager that the cluster's driver offers, or None."""
    cluster_driver = driver.Driver.get_driver_for_cluster(context, cluster)
    manager = cluster_driver.get_scale_manager(context, osclient, cluster)
    if manager is None:
        LOG.debug('The driver of cluster %s has no scale manager', cluster.uuid)
    return manager


class ScaleManager(metaclass=abc.ABCMeta):
    """Compares a cluster about to be saved with the stored one.

    ``new_cluster`` is the cluster as the driver got it, ``old_cluster`` the one in the database.
    """

    def __init__(self, context, osclient, cluster):
        self.context = context
        self.osclient = osclient
        self.old_cluster = objects.Cluster.get_by_uuid(context, cluster.uuid)
        self.new_cluster = cluster

    def get_removal_nodes(self, hosts):
        """As many of ``hosts`` as the cluster shrinks by, all without containers of users."""
        if not self._is_scale_down():
            return []
        busy = self._get_hosts_with_container(self.context, self.old_cluster)
        idle = [host for host in hosts if host not in busy]
        return idle[:self._get_num_of_removal()]

    def _is_scale_down(self):
        return self.new_cluster.node_count < self.old_cluster.node_count

    def _get_num_of_removal(self):
        return self.old_cluster.node_count - self.new_cluster.node_count

    @abc.abstractmethod
    def _get_hosts_with_container(self, context, cluster):
        """Set of the hosts that run containers of users."""
