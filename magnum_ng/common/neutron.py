# SPDX-License-Identifier: Apache-2.0
"""What drivers ask Neutron for."""

import re

from oslo_utils import uuidutils

from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.i18n import _

LOG = logging.getLogger(__name__)


def get_network(context, network, source, target, external):
    """The attribute ``target`` of the one network whose attribute ``source`` is ``network``.

    :raises ExternalNetworkNotFound, FixedNetworkNotFound: there is none
    :raises Conflict: there are several
    """
    proxy = clients.OpenStackClients(context).neutron()
    found = _list(proxy.networks, source, network, is_router_external=external)
    if not found:
        missing = (exception.ExternalNetworkNotFound if external
                   else exception.FixedNetworkNotFound)
        raise missing(network=network)
    if len(found) > 1:
        raise exception.Conflict(_(
            "Multiple networks exist with same name '%s'. Please use the network ID instead.")
            % network)
    return getattr(found[0], target)


def get_subnet(context, subnet, source, target):
    """The attribute ``target`` of the one subnet whose attribute ``source`` is ``subnet``.

    :raises FixedSubnetNotFound: there is none
    :raises Conflict: there are several
    """
    proxy = clients.OpenStackClients(context).neutron()
    found = _list(proxy.subnets, source, subnet)
    if not found:
        raise exception.FixedSubnetNotFound(subnet=subnet)
    if len(found) > 1:
        raise exception.Conflict(_(
            "Multiple subnets exist with same name '%s'. Please use the subnet ID instead.")
            % subnet)
    return getattr(found[0], target)


def get_external_network_id(context, network):
    if uuidutils.is_uuid_like(network):
        return network
    return get_network(context, network, source='name', target='id', external=True)


def get_fixed_network_name(context, network):
    if uuidutils.is_uuid_like(network):
        return get_network(context, network, source='id', target='name', external=False)
    return network


def get_fixed_subnet_id(context, subnet):
    if subnet and not uuidutils.is_uuid_like(subnet):
        return get_subnet(context, subnet, source='name', target='id')
    return subnet


def delete_floatingip(context, fix_port_id, cluster):
    """Delete the floating IP of a port, if a service of this cluster made it.

    :raises PreDeletionFailed: Neutron refused or failed
    """
    made_by_cluster = re.compile(
        rf'Floating IP for Kubernetes .+ from cluster {re.escape(cluster.uuid)}')
    try:
        proxy = clients.OpenStackClients(context).neutron()
        for address in list(proxy.ips(port_id=fix_port_id))[:1]:
            if made_by_cluster.match(address.description or ''):
                LOG.info('Deleting floating IP %s of cluster %s', address.id, cluster.uuid)
                proxy.delete_ip(address.id)
    except Exception as error:
        raise exception.PreDeletionFailed(cluster_uuid=cluster.uuid, msg=str(error)) from error


def _list(call, attribute, value, **filters):
    try:
        found = list(call(**{attribute: value}, **filters))
    except Exception as error:
        raise exception.from_backend('network', error) from error
    # the SDK leaves out filters without a value
    return [resource for resource in found if getattr(resource, attribute) == value]
