# SPDX-License-Identifier: Apache-2.0
"""Rules that have to ask other services: is there such an image, flavor, keypair, network?

Each rule takes a set of clients and a value and raises what the API answers. ``validators`` says
which attribute is held against which rule, in the order in which they are told to clients.
"""

from magnum_ng.api import cloud
from magnum_ng.api import utils as api_utils
from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.i18n import _

# attribute of a cluster or template -> look-ups that its rule makes
_LOOKUPS = {
    'image_id': 'image',
    'flavor_id': 'flavor_exists',
    'master_flavor_id': 'flavor_exists',
    'external_network_id': 'external_networks',
    'fixed_network': 'networks',
    'fixed_subnet': 'subnets',
}

# label -> rule for its value
labels_validators: dict = {}


def validate_image(cli, image):
    """The image of that id or name, as a dictionary (its own properties included).

    :raises ImageNotFound, ImageNotAuthorized, OSDistroFieldNotFound, Conflict: in that case
    """
    found = cloud.lookups(cli).image(image)
    if found is None:
        raise exception.ImageNotFound(image_id=image)
    # a dictionary of ours, or the SDK's image, which is a dictionary of another kind
    distro = found.get('os_distro') if type(found) is dict else found.os_distro
    if not distro:
        raise exception.OSDistroFieldNotFound(image_id=image)
    return found


def validate_flavor(cli, flavor):
    """There is a flavor of that id or name; None needs none."""
    if flavor is None:
        return
    if not cloud.lookups(cli).flavor_exists(flavor):
        raise exception.FlavorNotFound(flavor=flavor)


def validate_flavor_root_volume_size(cli, flavor, boot_volume_size):
    """Nodes have something to boot from: a volume, or a flavor with a disk.

    :raises InvalidParameterValue: the size is no number of gigabytes
    """
    try:
        size = int(boot_volume_size)
    except (TypeError, ValueError):
        size = -1
    if size < 0:
        raise exception.InvalidParameterValue(
            _('boot_volume_size must be an integer and not negative'))
    if size > 0:
        return
    found = cloud.lookups(cli).flavor(flavor) if flavor is not None else None
    if found is None:
        raise exception.FlavorNotFound(flavor=flavor)
    if found.get('disk') == 0:
        raise exception.FlavorZeroRootVolumeNotSupported()


def validate_keypair(cli, keypair):
    """The caller has a keypair of that name; None needs none."""
    if keypair is None:
        return
    if cloud.lookups(cli).keypair(keypair) is None:
        raise exception.KeyPairNotFound(keypair=keypair)


def validate_external_network(cli, external_network):
    """The id of the one external network of that id or name."""
    return _only_network(cloud.lookups(cli).external_networks(external_network),
                         external_network, exception.ExternalNetworkNotFound)['id']


def validate_fixed_network(cli, fixed_network):
    """The id of the one network of that id or name."""
    return _fixed_network(cli, fixed_network)['id']


def validate_fixed_subnet(cli, fixed_subnet):
    """The id of the one subnet of that id or name."""
    return _fixed_subnet(cli, fixed_subnet)['id']


def _fixed_network(cli, ident):
    return _only_network(cloud.lookups(cli).networks(ident), ident,
                         exception.FixedNetworkNotFound)


def _fixed_subnet(cli, ident):
    found = cloud.lookups(cli).subnets(ident)
    if not found:
        raise exception.FixedSubnetNotFound(subnet=ident)
    if len(found) > 1:
        raise exception.Conflict(_(
            "Multiple subnets exist with same name '%s'. Please use the subnet ID instead.")
            % ident)
    return found[0]


def _only_network(found, ident, missing):
    if not found:
        raise missing(network=ident)
    if len(found) > 1:
        raise exception.Conflict(_(
            "Multiple networks exist with same name '%s'. Please use the network ID instead.")
            % ident)
    return found[0]


def _subnet_is_part_of_network(cli, network, subnet):
    belongs_to = _fixed_subnet(cli, subnet).get('network_id')
    if belongs_to and belongs_to != _fixed_network(cli, network)['id']:
        raise exception.InvalidParameterValue(_(
            'fixed_subnet %(subnet)s is not part of fixed_network %(network)s')
            % {'subnet': subnet, 'network': network})


def validate_labels(labels):
    """Every label that has a rule keeps it."""
    for label, rule in labels_validators.items():
        if label in (labels or {}):
            rule(labels[label])


def validate_os_resources(context, cluster_template, cluster=None):
    """Everything that a template, or a cluster made from it, names in the cloud exists there.

    A cluster's value goes before the template's; its keypair is looked at last. The services are
    asked side by side.
    """
    cli = clients.OpenStackClients(context)
    values = _effective_values(cluster_template, cluster)
    prefetch(cli, values, cluster)
    for attribute, rule in validators.items():
        if attribute not in values:
            continue
        if attribute == 'labels':
            rule(values[attribute])
        else:
            rule(cli, values[attribute])
    if _is_new_pair(values, cluster_template, cluster):
        _subnet_is_part_of_network(cli, values['fixed_network'], values['fixed_subnet'])
    if cluster:
        validate_keypair(cli, cluster['keypair'])


def prefetch(cli, values, cluster=None):
    """Start to ask for all that the rules will want to know about these values."""
    wanted = [(method, values[attribute]) for attribute, method in _LOOKUPS.items()
              if values.get(attribute) is not None]
    if cluster and cluster.get('keypair') is not None:
        wanted.append(('keypair', cluster['keypair']))
    cloud.lookups(cli).prefetch(wanted)


def _effective_values(cluster_template, cluster):
    values = {}
    for attribute in validators:
        if cluster and cluster.get(attribute):
            values[attribute] = cluster[attribute]
        elif cluster_template.get(attribute) is not None:
            values[attribute] = cluster_template[attribute]
    return values


def _is_new_pair(values, cluster_template, cluster):
    """Whether network and subnet have not met before: a template's own were checked with it."""
    names = ('fixed_network', 'fixed_subnet')
    if not all(values.get(name) for name in names):
        return False
    return cluster is None or any(values[name] != cluster_template.get(name) for name in names)


def validate_master_count(context, cluster):
    """Several masters need a load balancer in front of them."""
    if cluster['master_count'] > 1 and not cluster['master_lb_enabled']:
        raise exception.InvalidParameterValue(
            _('master_count must be 1 when master_lb_enabled is False'))


def validate_federation_hostcluster(cluster_uuid):
    """A federation has a host cluster, and it exists."""
    if cluster_uuid is None:
        raise exception.InvalidParameterValue(
            _('No hostcluster specified. Please specify a hostcluster_id.'))
    api_utils.get_resource('Cluster', cluster_uuid)


def validate_federation_properties(properties):
    """A federation says in which DNS zone it lives."""
    if properties is None:
        raise exception.InvalidParameterValue(
            _('Please specify a `properties` dict for the federation.'))
    if properties.get('dns-zone') is None:
        raise exception.InvalidParameterValue(
            _('No DNS zone specified. Please specify a `dns-zone`.'))


validators = {
    'image_id': validate_image,
    'flavor_id': validate_flavor,
    'master_flavor_id': validate_flavor,
    'external_network_id': validate_external_network,
    'fixed_network': validate_fixed_network,
    'fixed_subnet': validate_fixed_subnet,
    'labels': validate_labels,
}
