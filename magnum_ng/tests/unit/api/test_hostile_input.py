# SPDX-License-Identifier: Apache-2.0
"""Nothing that a client sends is an error of the service: every route, with made-up input."""

from urllib import parse

import hypothesis
from hypothesis import strategies

from magnum_ng.api import openapi
from magnum_ng.tests.unit.api import base
from magnum_ng.tests.unit.objects import utils

INTERNALS = ('Traceback', 'NoneType', 'has no attribute', 'not subscriptable', '__init__',
             'sqlalchemy', 'SELECT ', 'sqlite3', 'site-packages', 'recursion')

NAMES = strategies.sampled_from([
    'name', 'labels', 'node_count', 'master_count', 'cluster_template_id', 'cluster_uuid', 'csr',
    'hard_limit', 'project_id', 'resource', 'image_id', 'coe', 'flavor_id', 'op', 'path', 'value',
    'nodegroup', 'nodes_to_remove', 'cluster_template', 'max_batch_size', 'role', 'node_taints',
    'node_labels', 'min_node_count', 'max_node_count', 'keypair', 'health_status', 'public',
    'hostcluster_id', 'properties', 'member_ids', 'ca_cert_type', 'uuid', 'id', 'links', 'fields',
    'docker_volume_size', 'create_timeout', 'dns_nameserver', 'merge_labels', 'tags', 'driver'])
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
SEGMENTS = strategies.one_of(TEXTS, strategies.sampled_from(['c1', 't1', 'f1', 'default-worker']))


@strategies.composite
def requests(draw):
    route = draw(strategies.sampled_from(openapi.ROUTES))
    method = draw(strategies.sampled_from([route.method] * 8 + ['GET', 'POST', 'PATCH', 'DELETE']))
    parts = [draw(SEGMENTS) if part.startswith('{') else part for part in route.path.split('/')]
    path = '/'.join(parse.quote(part, safe='') for part in parts) or '/'
    query = draw(strategies.dictionaries(
        strategies.sampled_from(['limit', 'marker', 'sort_key', 'sort_dir', 'role', 'name',
                                 'status', 'all_tenants', 'project_id', 'rollback', 'nope', 'type',
                                 'ca_cert_type', 'cluster_template_id', 'resource']),
        TEXTS, max_size=2))
    body = draw(strategies.one_of(strategies.none(), VALUES)) if method in ('POST', 'PATCH') \
        else None
    version = draw(strategies.sampled_from([None, 'container-infra latest', 'container-infra 1.1',
                                            'container-infra 1.9']))
    return method, path, parse.urlencode(query), body, version, draw(strategies.booleans())


class TestHostileInput(base.FunctionalTest):
    def setUp(self):
        super().setUp()
        template = utils.create_test_cluster_template(self.context, name='t1')
        utils.create_test_cluster(self.context, name='c1', cluster_template_id=template.uuid,
                                  status='CREATE_COMPLETE')

    def test_no_input_is_an_error_of_the_service(self):
        @hypothesis.settings(max_examples=150, derandomize=True, deadline=None, database=None,
                             suppress_health_check=list(hypothesis.HealthCheck))
        @hypothesis.given(requests())
        def send(request):
            method, path, query, body, version, admin = request
            headers = (self.as_admin if admin else self.headers)(version=version)
            response = self.send(method, f'{path}?{query}' if query else path, body, headers)
            # The clouds' services are not there: 502 and 503 say so.
            if response.status_int >= 500:
                self.assertIn(response.status_int, (502, 503, 504), (request, response.text))
            for internal in INTERNALS:
                self.assertNotIn(internal, response.text, (request, response.text))

        send()
