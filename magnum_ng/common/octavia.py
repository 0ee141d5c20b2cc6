# SPDX-License-Identifier: Apache-2.0
"""Removal of the load balancers that a cluster's cloud provider has made."""

import re
import time

import magnum_ng.conf
from magnum_ng.common import clients
from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common import neutron
from magnum_ng.i18n import _

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

_PAUSE = 1


def delete_loadbalancers(context, cluster):
    """Delete the load balancers of a cluster's services and wait until they are gone.

    :raises PreDeletionFailed: they cannot be deleted, or not in time
    """
    made_by_cluster = re.compile(
        rf'Kubernetes .+ from cluster {re.escape(cluster.uuid)}')
    try:
        admin = clients.OpenStackClients(magnum_context.make_admin_context())
        proxy = admin.octavia()
        found = [balancer for balancer in proxy.load_balancers()
                 if made_by_cluster.match(balancer.description or '')]
        leaving = {balancer.id for balancer in found
                   if balancer.provisioning_status in ('DELETED', 'PENDING_DELETE')}
        remaining = [balancer for balancer in found if balancer.id not in leaving]
        leaving |= _delete_loadbalancers(context, remaining, cluster, proxy, remove_fip=True)
        if leaving:
            wait_for_lb_deleted(proxy, leaving)
    except Exception as error:
        raise exception.PreDeletionFailed(cluster_uuid=cluster.uuid, msg=str(error)) from error


def _delete_loadbalancers(context, lbs, cluster, octavia_client, remove_fip=False, cascade=True):
    """Start to delete load balancers; the set of their ids.

    With ``remove_fip`` the floating IPs that the cluster gave them go too. Private by its name,
    but drivers call it.
    """
    started = set()
    for balancer in lbs:
        LOG.info('Deleting load balancer %s of cluster %s', balancer.id, cluster.uuid)
        octavia_client.delete_load_balancer(balancer.id, cascade=cascade)
        started.add(balancer.id)
        if remove_fip:
            neutron.delete_floatingip(context, balancer.vip_port_id, cluster)
    return started


def wait_for_lb_deleted(octavia_client, deleted_lbs):
    """Wait until none of the ids is listed, ``[cluster] pre_delete_lb_timeout`` at most."""
    deadline = time.monotonic() + CONF.cluster.pre_delete_lb_timeout
    while True:
        there = {balancer.id for balancer in octavia_client.load_balancers()}
        if not there & set(deleted_lbs):
            return
        if time.monotonic() >= deadline:
            raise Exception(_('Timeout waiting for the load balancers %s to be deleted.')
                            % deleted_lbs)
        time.sleep(_PAUSE)
