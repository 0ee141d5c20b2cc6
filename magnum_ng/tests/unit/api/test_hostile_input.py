# SPDX-License-Identifier: Apache-2.0
"""Nothing that a client sends is an error of the service: every route, with made-up input.

Whatever was accepted can be read and deleted afterwards.
"""

from urllib import parse

import hypothesis
from hypothesis import strategies

from magnum_ng.api.controllers import versions
from magnum_ng.api import routes
from magnum_ng.tests import inside
from magnum_ng.tests.unit.api import cluster_base

NAMES = strategies.sampled_from([
    'name', 'labels', 'node_count', 'master_count', 'cluster_template_id', 'cluster_uuid', 'csr',
    'hard_limit', 'project_id', 'resource', 'image_id', 'coe', 'flavor_id', 'op', 'path', 'value',
    'nodegroup', 'nodes_to_remove', 'cluster_template', 'max_batch_size', 'role', 'node_taints',
    'node_labels', 'min_node_count', 'max_node_count', 'keypair', 'health_status', 'public',
    'hostcluster_id', 'properties', 'member_ids', 'ca_cert_type', 'uuid', 'id', 'links', 'fields',
    'docker_volume_size', 'create_timeout', 'dns_nameserver', 'merge_labels', 'tags', 'driver'])
# What is accepted when nothing wrong comes with it.
VALID = {'/v1/clusters': {'cluster_template_id': 't1', 'flavor_id': 'm1.small',
                          'master_flavor_id': 'm1.small'},
         '/v1/clustertemplates': {'image_id': 'ubuntu', 'coe': 'kubernetes', 'name': 't',
                                  'external_network_id': 'e'},
         '/v1/clusters/{cluster_id}/nodegroups': {'name': 'n', 'flavor_id': 'm1.small'},
         '/v1/clusters/{cluster_ident}/actions/resize': {'node_count': 1}}
TEXTS = strategies.one_of(strategies.text(max_size=20), strategies.sampled_from([
    '', 'c1', 'none', 'detail', '/labels', '/labels/a~1b', '/name', '/node_count', 'add', 'remove',
    'replace', "{'a': 'b'}", '{"a": null}', '[]', 'a\n', '\U0001f600', '../x', '%00', 'true',
    '99999999999999999999', '-1', '1e400', 'kubernetes', 'e74c40e0-d825-11e2-a28f-0800200c9a66']))
VALUES = strategies.recursive(
    strategies.one_of(strategies.none(), strategies.booleans(),
                      strategies.integers(-2 ** 70, 2 ** 70),
                      strategies.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: strategies.one_of(
        strategies.lists(inner, max_size=3),
        strategies.dictionaries(strategies.one_of(NAMES, TEXTS), inner, max_size=5)),
    max_leaves=12)
ROUTES = [*routes.ROUTES, *(route for route in routes.ROUTES
                             if route.method == 'POST' for _time in range(3))]
MEMBERS = strategies.dictionaries(NAMES, VALUES, max_size=2)
PATCHES = strategies.lists(strategies.fixed_dictionaries(
    {'op': strategies.sampled_from(['add', 'replace', 'remove']),
     'path': strategies.one_of(TEXTS, NAMES.map('/{}'.format), VALUES)},
    optional={'value': VALUES}), max_size=3)
VERSIONS = strategies.one_of(
    strategies.just('container-infra latest'),
    strategies.sampled_from([None,
                             *(f'container-infra {number}' for number in versions.VERSIONS)]),
    strategies.text('container-infra 1.9,;latest', max_size=30))
EXISTING = strategies.sampled_from(['c1', 't1', 'default-worker'])
SEGMENTS = strategies.one_of(EXISTING, EXISTING, TEXTS)


@strategies.composite
def requests(draw):
    route = draw(strategies.sampled_from(ROUTES))
    method = draw(strategies.sampled_from([route.method] * 8 + ['GET', 'POST', 'PATCH', 'DELETE']))
    parts = [draw(SEGMENTS) if part.startswith('{') else part for part in route.path.split('/')]
    path = '/'.join(parse.quote(part, safe='') for part in parts) or '/'
    query = draw(strategies.dictionaries(
        strategies.sampled_from(['limit', 'marker', 'sort_key', 'sort_dir', 'role', 'name',
                                 'status', 'all_tenants', 'project_id', 'rollback', 'nope', 'type',
                                 'ca_cert_type', 'cluster_template_id', 'resource']),
        TEXTS, max_size=2))
    body = None
    if method in ('POST', 'PATCH'):
        body = draw(strategies.one_of(strategies.none(), VALUES, PATCHES if method == 'PATCH'
                                      else MEMBERS))
    if route.path in VALID and method == 'POST' and draw(strategies.booleans()):
        # Only the body is odd, and only a little.
        body = {**draw(strategies.dictionaries(NAMES, VALUES, max_size=1)), **VALID[route.path]}
        return (method, path.replace('t1', 'c1').replace('default-worker', 'c1'), '', body,
                'container-infra latest', {}, draw(strategies.booleans()))
    version = draw(VERSIONS)
    headers = draw(strategies.dictionaries(
        strategies.sampled_from(['Accept', 'Content-Type', 'X-Auth-Token', 'If-Match', 'Range',
                                 'X-Forwarded-Proto', 'X-OpenStack-Request-ID', 'Cookie']),
        strategies.text('abc/;*=,"\'.0-\\%', max_size=20), max_size=2))
    return (method, path, parse.urlencode(query), body, version, headers,
            draw(strategies.booleans()))


class TestHostileInput(cluster_base.ClusterTest):
    def setUp(self):
        super().setUp()
        self.make_cluster(self.make_template(uuid=None, name='t1'), name='c1',
                          api_address='https://192.0.2.1:6443')
        self.accepted = 0

    def test_no_input_is_an_error_of_the_service(self):
        @hypothesis.settings(max_examples=400, derandomize=True, deadline=None, database=None,
                             suppress_health_check=list(hypothesis.HealthCheck))
        @hypothesis.given(requests())
        def send(request):
            method, path, query, body, version, more, admin = request
            headers = (self.as_admin if admin else self.headers)(version=version)
            response = self.send(method, f'{path}?{query}' if query else path, body,
                                 {**headers, **more})
            self.assertLess(response.status_int, 500, (request, response.text))
            self.assertIsNone(inside.look(response.text), (request, response.text))
            if response.status_int >= 400 and method != 'HEAD':
                self.assertTrue(self.error(response)['title'], request)
            self.accepted += response.status_int in (201, 202)

        send()
        # Otherwise it would have looked at the first checks only.
        self.assertGreater(self.accepted, 5)
        self._read_and_delete()

    def _read_and_delete(self):
        headers = self.as_admin()
        clusters = self.get('/v1/clusters/detail', headers).json['clusters']
        for cluster in clusters:
            path = f'/v1/clusters/{cluster["uuid"]}'
            self.get(path, headers)
            for group in self.get(f'{path}/nodegroups', headers).json['nodegroups']:
                self.get(f'{path}/nodegroups/{group["uuid"]}', headers)
            self.delete(path, headers)
        with self.database.engine.begin() as connection:
            connection.exec_driver_sql('DELETE FROM cluster')
        for template in self.get('/v1/clustertemplates', headers).json['clustertemplates']:
            self.get(f'/v1/clustertemplates/{template["uuid"]}', headers)
            self.delete(f'/v1/clustertemplates/{template["uuid"]}', headers)
