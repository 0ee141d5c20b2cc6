# SPDX-License-Identifier: Apache-2.0
"""Rows for tests: a test names what matters to it, the rest is filled in.

``get_test_*`` give the values, ``create_test_*`` insert them. Values left None in a column that
has a default take it.
"""

from magnum_ng.db import api as db_api
from magnum_ng.tests import fakes

CLUSTER_UUID = '5d12f6fd-a196-4bf0-ae4c-1f639a523a52'
TEMPLATE_UUID = 'e74c40e0-d825-11e2-a28f-0800200c9a66'

_TIMES = {'created_at': None, 'updated_at': None}
_OWNER = {'project_id': fakes.PROJECT_ID, 'user_id': fakes.USER_ID}

_TEMPLATE = {
    'id': 32, 'uuid': TEMPLATE_UUID, 'name': 'clustermodel1', **_OWNER, **_TIMES,
    'image_id': 'ubuntu', 'flavor_id': 'm1.small', 'master_flavor_id': 'm1.small',
    'keypair_id': 'keypair1', 'external_network_id': 'd1f02cfb-d27f-4068-9332-84d907cb0e2e',
    'fixed_network': 'private', 'fixed_subnet': 'private-subnet', 'network_driver': None,
    'volume_driver': None, 'dns_nameserver': '8.8.1.1', 'apiserver_port': 8080,
    'docker_volume_size': 20, 'docker_storage_driver': 'devicemapper',
    'cluster_distro': 'ubuntu', 'coe': 'kubernetes', 'server_type': 'vm', 'driver': None,
    'http_proxy': 'fake_http_proxy', 'https_proxy': 'fake_https_proxy',
    'no_proxy': 'fake_no_proxy', 'labels': {'key1': 'val1', 'key2': 'val2'}, 'tags': '',
    'insecure_registry': '10.0.0.1:5000', 'registry_enabled': False, 'tls_disabled': False,
    'public': False, 'hidden': False, 'master_lb_enabled': True, 'floating_ip_enabled': True,
}

_CLUSTER = {
    'id': 42, 'uuid': CLUSTER_UUID, 'name': 'cluster1', **_OWNER, **_TIMES,
    'cluster_template_id': TEMPLATE_UUID, 'keypair': None, 'docker_volume_size': None,
    'labels': None, 'master_flavor_id': None, 'flavor_id': None,
    'stack_id': '047c6319-7abd-4bd9-a033-8c6af0173cd0', 'status': 'CREATE_IN_PROGRESS',
    'status_reason': 'Completed successfully', 'health_status': None,
    'health_status_reason': None, 'create_timeout': 60, 'api_address': '172.17.2.3',
    'discovery_url': None, 'ca_cert_ref': None, 'magnum_cert_ref': None,
    'etcd_ca_cert_ref': None, 'front_proxy_ca_cert_ref': None, 'coe_version': None,
    'container_version': None, 'fixed_network': None, 'fixed_subnet': None,
    'floating_ip_enabled': True, 'master_lb_enabled': True,
}

_NODEGROUP = {
    'id': 12, 'uuid': '483203a3-dbee-4a9c-9d65-9820512f4df8', 'name': 'nodegroup1',
    'cluster_id': CLUSTER_UUID, 'project_id': fakes.PROJECT_ID, **_TIMES,
    'docker_volume_size': None, 'labels': None, 'flavor_id': None, 'image_id': None,
    'node_addresses': ['172.17.2.4'], 'node_count': 3, 'role': 'worker',
    'max_node_count': None, 'min_node_count': 1, 'is_default': True,
    'stack_id': '047c6319-7abd-fake-a033-8c6af0173cd0', 'status': 'CREATE_COMPLETE',
    'status_reason': 'Completed successfully', 'version': '1', 'node_labels': None,
    'node_taints': None,
}

_FEDERATION = {
    'id': 42, 'uuid': '60d6dbdc-9951-4cee-b020-55d3e15a749b', 'name': 'fake-name',
    'project_id': fakes.PROJECT_ID, **_TIMES, 'hostcluster_id': 'fake_master',
    'member_ids': ['fake_member1', 'fake_member2'], 'properties': {'dns-zone': 'example.com.'},
    'status': 'CREATE_IN_PROGRESS', 'status_reason': 'Completed successfully.',
}

_X509KEYPAIR = {
    'id': 42, 'uuid': '72625085-c507-4410-9b28-cd7cf1fbf1ad', **_OWNER, **_TIMES,
    'certificate': 'certificate', 'private_key': 'private_key',
    'private_key_passphrase': 'private_key_passphrase', 'intermediates': 'intermediates',
}

_SERVICE = {
    'id': 13, 'report_count': 13, 'host': 'fakehost', 'binary': 'fake-bin', 'disabled': False,
    'disabled_reason': 'fake-reason', 'forced_down': False, 'last_seen_up': None, **_TIMES,
}

_QUOTA = {'id': 42, 'project_id': fakes.PROJECT_ID, 'resource': 'Cluster', 'hard_limit': 10,
          **_TIMES}


def _values(defaults, given):
    """The defaults with what was given; nested values are copies. Other arguments are dropped."""
    return {name: given.get(name, value.copy() if isinstance(value, (dict, list)) else value)
            for name, value in defaults.items()}


def _for_insert(values, given):
    """Without the times, which the database sets, and without an id that nobody asked for."""
    unwanted = {'created_at', 'updated_at', 'id'} - set(given)
    return {name: value for name, value in values.items() if name not in unwanted}


def get_test_cluster_template(**kw):
    return _values(_TEMPLATE, kw)


def create_test_cluster_template(**kw):
    return db_api.get_instance().create_cluster_template(
        _for_insert(get_test_cluster_template(**kw), kw))


def get_test_cluster(**kw):
    return _values(_CLUSTER, kw)


def create_test_cluster(**kw):
    """Insert a cluster, without nodegroups."""
    return db_api.get_instance().create_cluster(_for_insert(get_test_cluster(**kw), kw))


def get_test_nodegroup(**kw):
    return _values(_NODEGROUP, kw)


def create_test_nodegroup(**kw):
    return db_api.get_instance().create_nodegroup(_for_insert(get_test_nodegroup(**kw), kw))


def get_nodegroups_for_cluster(**kw):
    """The default nodegroups: {'master': values, 'worker': values}.

    Takes ``cluster_id``, ``project_id`` and the cluster's ``node_count``, ``master_count``,
    ``node_addresses`` and ``master_addresses``.
    """
    shared = {name: kw[name] for name in ('cluster_id', 'project_id') if name in kw}
    shared['image_id'] = 'test_image'
    return {
        'master': get_test_nodegroup(
            uuid=kw.get('master_uuid', 'a13165dd-240a-48ea-8910-c00829c1bbfc'),
            name='test-master', role='master', node_count=kw.get('master_count', 3),
            node_addresses=kw.get('master_addresses', ['172.17.2.18']), **shared),
        'worker': get_test_nodegroup(
            uuid=kw.get('worker_uuid', '487826a6-4053-4539-8548-1957c1132bf6'),
            name='test-worker', role='worker', node_count=kw.get('node_count', 3),
            node_addresses=kw.get('node_addresses', ['172.17.2.4']), **shared),
    }


def create_nodegroups_for_cluster(**kw):
    """Insert the default nodegroups, the workers first, and return the rows."""
    # Several clusters of a test have nodegroups: each gets UUIDs of its own unless they are given.
    nodegroups = get_nodegroups_for_cluster(**{'master_uuid': None, 'worker_uuid': None, **kw})
    return [db_api.get_instance().create_nodegroup(_for_insert(nodegroups[role], {}))
            for role in ('worker', 'master')]


def get_test_federation(**kw):
    return _values(_FEDERATION, kw)


def create_test_federation(**kw):
    return db_api.get_instance().create_federation(_for_insert(get_test_federation(**kw), kw))


def get_test_x509keypair(**kw):
    return _values(_X509KEYPAIR, kw)


def create_test_x509keypair(**kw):
    return db_api.get_instance().create_x509keypair(_for_insert(get_test_x509keypair(**kw), kw))


def get_test_magnum_service(**kw):
    return _values(_SERVICE, kw)


def create_test_magnum_service(**kw):
    return db_api.get_instance().create_magnum_service(
        _for_insert(get_test_magnum_service(**kw), kw))


def get_test_quota(**kw):
    return _values(_QUOTA, kw)


def create_test_quota(**kw):
    return db_api.get_instance().create_quota(_for_insert(get_test_quota(**kw), kw))


get_test_quotas = get_test_quota
create_test_quotas = create_test_quota
