# SPDX-License-Identifier: Apache-2.0
"""How clusters, templates and nodegroups look in answers.

Answers are filled straight from stored rows: what is stored is never validated again, so that
a list cannot fail because of one row. ``application_url`` is where the API was asked.
"""

import functools
from urllib import parse

from oslo_utils import timeutils

from magnum_ng.common import masking
from magnum_ng.objects import fields

CLUSTER_ID_SINCE = 13   # until then the attribute is called stack_id

CLUSTER_SUMMARY = ('uuid', 'name', 'cluster_template_id', 'keypair', 'docker_volume_size',
                   'status', 'master_flavor_id', 'flavor_id', 'create_timeout', 'health_status')
CLUSTER_DETAILS = (*CLUSTER_SUMMARY, 'status_reason', 'discovery_url', 'api_address',
                   'coe_version', 'container_version', 'project_id', 'user_id', 'fixed_network',
                   'fixed_subnet', 'floating_ip_enabled', 'master_lb_enabled')
TEMPLATE = ('uuid', 'name', 'coe', 'image_id', 'flavor_id', 'master_flavor_id', 'dns_nameserver',
            'keypair_id', 'external_network_id', 'fixed_network', 'fixed_subnet',
            'network_driver', 'apiserver_port', 'docker_volume_size', 'cluster_distro',
            'http_proxy', 'https_proxy', 'no_proxy', 'volume_driver', 'registry_enabled',
            'tls_disabled', 'public', 'server_type', 'insecure_registry', 'docker_storage_driver',
            'master_lb_enabled', 'floating_ip_enabled', 'project_id', 'user_id', 'hidden', 'tags',
            'driver')
NODEGROUP_SUMMARY = ('uuid', 'name', 'flavor_id', 'node_count', 'role', 'is_default', 'image_id',
                     'status', 'stack_id')
NODEGROUP_DETAILS = (*NODEGROUP_SUMMARY, 'id', 'cluster_id', 'project_id', 'docker_volume_size',
                     'min_node_count', 'max_node_count', 'status_reason', 'version')

# What a null in a column stands for.
NULLS = {'floating_ip_enabled': True, 'master_lb_enabled': False, 'registry_enabled': False,
         'tls_disabled': False, 'public': False, 'hidden': False, 'is_default': False}


def links(application_url, path):
    return [{'href': f'{application_url}/v1/{path}', 'rel': 'self'},
            {'href': f'{application_url}/{path}', 'rel': 'bookmark'}]


@functools.lru_cache(maxsize=4096)
def _moment(value):
    return timeutils.normalize_time(value).isoformat() + '+00:00'


def moment(value):
    return value and _moment(value)


def texts(labels):
    """Labels as an object of strings, whatever was stored."""
    return {key: str(value) for key, value in (labels or {}).items()}


def label_diff(own, inherited):
    """What labels have, changed and left out of those they could have inherited."""
    overridden, added, skipped = {}, {}, {}
    for key, value in own.items():
        if key not in inherited:
            added[key] = value
        elif inherited[key] != value:
            overridden[key] = inherited[key]
    for key, value in inherited.items():
        if key not in own:
            skipped[key] = value
    return {'labels_overridden': overridden, 'labels_added': added, 'labels_skipped': skipped}


def _filled(row, names):
    body = {}
    for name in names:
        value = getattr(row, name)
        body[name] = NULLS[name] if value is None and name in NULLS else value
    return body


def page(collection, items, rows, limit, application_url, path, query):
    """A list answer. ``query`` is what the next page is to be asked with, in this order."""
    body = {collection: items}
    if rows and len(rows) == limit:
        query = {key: value for key, value in query.items() if value is not None}
        query.update(limit=limit, marker=rows[-1].uuid)
        body['next'] = f'{application_url}/v1/{path}?{parse.urlencode(query)}'
    return body


# Clusters


class Sizes:
    """What a cluster's nodegroups add up to."""

    __slots__ = ('node_count', 'master_count', 'node_addresses', 'master_addresses', 'faults')

    def __init__(self, nodegroups=()):
        self.node_count = self.master_count = 0
        self.node_addresses, self.master_addresses, self.faults = [], [], {}
        for nodegroup in nodegroups:
            self.add(nodegroup)

    def add(self, nodegroup):
        if nodegroup.status == fields.ClusterStatus.DELETE_COMPLETE:
            return
        if nodegroup.role == 'master':
            self.master_count += nodegroup.node_count or 0
            self.master_addresses += nodegroup.node_addresses or []
        else:
            self.node_count += nodegroup.node_count or 0
            self.node_addresses += nodegroup.node_addresses or []
        if nodegroup.status in fields.ClusterStatus.STATUS_FAILED:
            self.faults[nodegroup.name] = nodegroup.status_reason


def cluster_summary(row, node_count, master_count, application_url, minor):
    body = _filled(row, CLUSTER_SUMMARY)
    body['labels'] = texts(row.labels)
    body['node_count'] = node_count
    body['master_count'] = master_count
    body['merge_labels'] = False
    body['cluster_id' if minor >= CLUSTER_ID_SINCE else 'stack_id'] = row.stack_id
    body['links'] = links(application_url, f'clusters/{row.uuid}')
    return body


def cluster_details(row, sizes, template_labels, application_url, minor, faults=False):
    """A cluster with everything; ``template_labels`` is None where the template is gone.

    ``faults``: whether the reasons of its failed nodegroups are shown if the cluster failed.
    """
    body = cluster_summary(row, sizes.node_count, sizes.master_count, application_url, minor)
    body.update(_filled(row, CLUSTER_DETAILS[len(CLUSTER_SUMMARY):]))
    body['health_status_reason'] = texts(row.health_status_reason)
    body['node_addresses'] = sizes.node_addresses
    body['master_addresses'] = sizes.master_addresses
    body['created_at'] = moment(row.created_at)
    body['updated_at'] = moment(row.updated_at)
    own = body['labels']
    inherited = own if template_labels is None else texts(template_labels)
    body.update(label_diff(own, inherited))
    if faults and row.status in fields.ClusterStatus.STATUS_FAILED:
        body['faults'] = sizes.faults
    return body


# Templates


def template(row, application_url, project_id=None, is_admin=False):
    """A template as the given project sees it.

    Those whom it does not belong to are shown neither the name of its owner's key pair nor the
    credentials inside its proxy URLs.
    """
    body = _filled(row, TEMPLATE)
    body['labels'] = texts(row.labels)
    body['links'] = links(application_url, f'clustertemplates/{row.uuid}')
    body['created_at'] = moment(row.created_at)
    body['updated_at'] = moment(row.updated_at)
    if row.project_id != project_id and not is_admin:
        body['keypair_id'] = None
        for name in ('http_proxy', 'https_proxy'):
            body[name] = body[name] and masking.mask(body[name])
    return body


# Nodegroups


def nodegroup_summary(row):
    body = _filled(row, NODEGROUP_SUMMARY)
    # Summaries show the defaults of these three, never what is stored.
    body.update(merge_labels=False, min_node_count=0, max_node_count=None)
    return body


def nodegroup_details(row, cluster, application_url):
    body = _filled(row, NODEGROUP_DETAILS)
    body['labels'] = texts(row.labels)
    body.update(label_diff(body['labels'], texts(cluster.labels)), merge_labels=False)
    body['node_addresses'] = row.node_addresses or []
    body['node_labels'] = texts(row.node_labels)
    body['node_taints'] = row.node_taints or []
    body['created_at'] = moment(row.created_at)
    body['updated_at'] = moment(row.updated_at)
    body['links'] = links(application_url, f'clusters/{cluster.uuid}/nodegroups/{row.uuid}')
    return body
