# SPDX-License-Identifier: Apache-2.0
"""What a new template, cluster or nodegroup gets where the request says nothing.

A cluster inherits from its template, a nodegroup from its cluster. Null is as good as nothing,
except for ``create_timeout``, where it means that there is none.
"""

from wsme import types as wtypes

from magnum_ng.api import validation
from magnum_ng.common import name_generator
import magnum_ng.conf

CONF = magnum_ng.conf.CONF

# Facts about things that exist; a request that creates something cannot bring them.
SERVER_OWNED = frozenset({
    'id', 'uuid', 'links', 'created_at', 'updated_at', 'project_id', 'user_id', 'status',
    'status_reason', 'health_status', 'health_status_reason', 'discovery_url', 'stack_id',
    'cluster_id', 'api_address', 'coe_version', 'container_version', 'node_addresses',
    'master_addresses', 'faults', 'is_default', 'version', 'labels_overridden', 'labels_added',
    'labels_skipped'})

TEMPLATE_DEFAULTS = {'server_type': 'vm', 'registry_enabled': False, 'tls_disabled': False,
                     'public': False, 'hidden': False, 'master_lb_enabled': False,
                     'floating_ip_enabled': True}
CLUSTER_DEFAULTS = {'node_count': 1, 'master_count': 1, 'merge_labels': False}
NODEGROUP_DEFAULTS = {'node_count': 1, 'min_node_count': 0, 'role': 'worker',
                      'merge_labels': False}

# attribute of the cluster -> attribute of the template that it is inherited from
INHERITED = {'keypair': 'keypair_id', 'docker_volume_size': 'docker_volume_size',
             'master_flavor_id': 'master_flavor_id', 'flavor_id': 'flavor_id',
             'fixed_network': 'fixed_network', 'fixed_subnet': 'fixed_subnet',
             'floating_ip_enabled': 'floating_ip_enabled',
             'master_lb_enabled': 'master_lb_enabled'}


def given(resource):
    """What the client sent of an API type, without what is not the client's to say."""
    draft = validation.Draft()
    for attribute in type(resource)._wsme_attributes:
        if attribute.name in SERVER_OWNED:
            continue
        value = getattr(resource, attribute.name)
        if value is not wtypes.Unset:
            draft[attribute.name] = value
    return draft


def fill(draft, values):
    for name, value in values.items():
        if draft.get(name) is None:
            draft[name] = value


def new_template(resource):
    template = given(resource)
    fill(template, dict(TEMPLATE_DEFAULTS, labels={}))
    if not template.network_driver:
        template.network_driver = CONF.cluster_template.kubernetes_default_network_driver
    return template


def new_cluster(resource):
    cluster = given(resource)
    fill(cluster, CLUSTER_DEFAULTS)
    return cluster


def new_nodegroup(resource):
    nodegroup = given(resource)
    fill(nodegroup, dict(NODEGROUP_DEFAULTS, node_labels={}, node_taints=[]))
    return nodegroup


def generate_name(draft, kind):
    if not draft.name:
        draft.name = f'{name_generator.NameGenerator().generate()}-{kind}'


def merged(own, inherited, merge):
    """Labels of something that may have its own: the inherited ones unless it has."""
    if own is None:
        return dict(inherited or {})
    return {**(inherited or {}), **own} if merge else dict(own)


def inherit_from_template(cluster, template):
    """``cluster.no_keypair``: the template's key pair is not for this caller."""
    for name, source in INHERITED.items():
        if cluster.get(name) is None:
            cluster[name] = getattr(template, source)
    if cluster.pop('no_keypair', False):
        cluster.keypair = None
    cluster.labels = merged(cluster.labels, template.labels, cluster.merge_labels)
    generate_name(cluster, 'cluster')


def inherit_from_cluster(nodegroup, cluster, image_id):
    """``image_id`` is the one of the cluster's template."""
    for name in ('flavor_id', 'docker_volume_size'):
        if nodegroup.get(name) is None:
            nodegroup[name] = getattr(cluster, name)
    if nodegroup.get('image_id') is None:
        nodegroup['image_id'] = image_id
    nodegroup.labels = merged(nodegroup.labels, cluster.labels, nodegroup.merge_labels)
