# SPDX-License-Identifier: Apache-2.0
"""What holds for every route: with every body, every attribute and every project."""

import functools
import itertools
import json

from wsme import types as wtypes

from magnum_ng.api.controllers import versions
from magnum_ng.api import openapi
from magnum_ng.api import routes
from magnum_ng.common.x509 import operations
from magnum_ng.tests import inside
from magnum_ng.tests.unit.api import cluster_base

LATEST = f'container-infra {versions.CURRENT_MAX_VER}'
VERSIONS = ('container-infra 1.1', 'container-infra 1.8', LATEST)
REFUSED = (400, 403, 404, 406, 409, 413, 415)

BROKEN = ('{', 'x', "{'name': 'x'}", '{"name": NaN}', '{"name": -Infinity}', b'\xff\xfe',
          '{"name": "\\ud800"}', '{"name": "\\u0000"}',
          '{"labels": ' + '[' * 50000 + ']' * 50000 + '}', '[' * 100000)
NO_OBJECTS = ('null', '"x"', '5', 'true', '[null]', '[[]]', '["x"]', '[{}]')

# Whatever an attribute is for, a client may send this.
VALUES = (None, {}, [], {'a': None}, {'a': {'b': []}}, [None], [[]], [{}], True, -1, 0, 1.5,
          2 ** 31,
          2 ** 70, 1e308, '', ' ', 'x' * 300, 'x' * 70000, 'a\n', 'a\x01b', '\x7f', '\u2028',
          '\U0001f600', '../../x', 'a/b', "'; DROP TABLE cluster; --", '{{}}', '{"a": null}',
          '%s%n', '-' * 60000 + '1', 'true', 'maybe', '1e400', '9' * 5000, 'none',
          {'x' * 300: 'y'}, {'a\n': 'b'}, {'a': 'x' * 70000},
          {f'k{number}': 'v' for number in range(600)}, {'min_node_count': 'abc'},
          {'max_node_count': -1}, {'boot_volume_size': ''}, {'boot_volume_size': '-5'},
          {'boot_volume_size': 2 ** 40}, [{'key': 'a b/c', 'effect': 'NoSchedule'}],
          [{'key': 'k', 'effect': 'x'}], [{'key': 'k', 'effect': 'NoSchedule', 'value': None}])


@functools.cache
def signing_request():
    return operations.generate_csr_and_key('x')['csr']


def bodies():
    """(route, type of the body) of every route that takes one."""
    for route in routes.ROUTES:
        definition = openapi.handlers(route)[-1].function._wsme_definition
        if definition.body_type is not None:
            yield route, definition.body_type


class EveryRoute(cluster_base.ClusterTest):
    def setUp(self):
        super().setUp()
        self.template = self.make_template(uuid=None, name='t1', public=False)
        self.cluster = self.make_cluster(self.template, name='c1',
                                         api_address='https://192.0.2.1:6443')
        self.config('quotas', max_clusters_per_project=100000)

    def path(self, route, cluster='c1', template='t1', nodegroup='default-worker'):
        return route.path.format(
            cluster_ident=cluster, cluster_id=cluster, cluster_template_ident=template,
            nodegroup_id=nodegroup, project_id='fake_project', resource='Cluster',
            federation_ident='f1')

    def valid(self, route):
        """A body that the route takes."""
        return {
            '/v1/clustertemplates': {'name': 't', 'image_id': 'ubuntu', 'coe': 'kubernetes',
                                     'external_network_id': 'e', 'flavor_id': 'm1.small'},
            '/v1/clusters': {'name': 'c', 'cluster_template_id': 't1', 'keypair': 'keypair1',
                             'flavor_id': 'm1.small', 'master_flavor_id': 'm1.small'},
            '/v1/clusters/{cluster_id}/nodegroups': {'name': 'n', 'flavor_id': 'm1.small'},
            '/v1/clusters/{cluster_ident}/actions/resize': {'node_count': 3},
            '/v1/clusters/{cluster_ident}/actions/upgrade': {'cluster_template': 't1'},
            '/v1/certificates': {'cluster_uuid': 'c1', 'csr': signing_request()},
            '/v1/quotas': {'project_id': 'p', 'resource': 'Cluster', 'hard_limit': 1},
            '/v1/quotas/{project_id}/{resource}': {'hard_limit': 1},
            '/v1/federations': {'name': 'f', 'hostcluster_id': self.cluster.uuid,
                                'properties': {'dns-zone': 'x'}},
        }.get(route.path, {})

    def look_at(self, response, story):
        self.assertLess(response.status_int, 500, (story, response.text))
        self.assertIsNone(inside.look(response.text), (story, response.text))
        if response.status_int < 400:
            return
        self.assertIn(response.status_int, REFUSED, (story, response.text))
        error = self.error(response)
        self.assertTrue(error['title'] and error['detail'], (story, response.text))
        # Long values are quoted in part.
        self.assertLess(len(error['detail']), 4100, story)


class TestBodies(EveryRoute):
    def refused(self, route, raw, version, status=None, **headers):
        response = self.send(route.method, self.path(route), raw=raw,
                             headers=self.as_admin(version=version, **headers))
        story = route.method, route.path, version, raw[:80]
        self.look_at(response, story)
        self.assertGreaterEqual(response.status_int, 400, story)
        if status and response.status_int not in (404, 405, 406):
            self.assertEqual(status, response.status_int, (story, response.text))

    def test_what_is_no_json_or_has_what_cannot_be_stored_is_refused(self):
        for (route, _kind), raw, version in itertools.product(bodies(), BROKEN, VERSIONS):
            self.refused(route, raw, version, 400)

    def test_what_is_no_object_is_refused(self):
        for (route, _kind), raw, version in itertools.product(bodies(), NO_OBJECTS, VERSIONS):
            self.refused(route, raw, version, 400)

    def test_no_body_is_refused(self):
        for (route, _kind), version in itertools.product(bodies(), VERSIONS):
            if route.path != '/v1/quotas/{project_id}/{resource}':
                self.refused(route, b'', version, 400)

    def test_an_object_without_the_mandatory_fields_names_them(self):
        for path, field in (('/v1/clusters', 'cluster_template_id'),
                            ('/v1/clustertemplates', 'image_id'),
                            ('/v1/clusters/c1/nodegroups', 'name'),
                            ('/v1/clusters/c1/actions/resize', 'node_count'),
                            ('/v1/clusters/c1/actions/upgrade', 'cluster_template'),
                            ('/v1/certificates', 'cluster_uuid'),
                            ('/v1/quotas', 'project ID'),
                            ('/v1/federations', 'hostcluster')):
            text = self.error(self.post(path, {}, self.as_admin(), status=400))['detail']
            self.assertIn(field, text)

    def test_a_list_in_place_of_an_object_and_the_other_way_round(self):
        for (route, kind), version in itertools.product(bodies(), VERSIONS):
            self.refused(route, '{}' if wtypes.isarray(kind) else '[]', version, 400)

    def test_a_body_over_the_limit_is_refused(self):
        for route, _kind in bodies():
            self.refused(route, b'{"name": "' + b'x' * 114688 + b'"}', LATEST, 413)

    def test_another_content_type_is_refused(self):
        for route, _kind in bodies():
            self.refused(route, '{}', LATEST, 415, **{'Content-Type': 'application/xml'})


class TestAttributes(EveryRoute):
    """Every attribute with every value; what is accepted can be read and deleted."""

    def test_of_new_things(self):
        for route, kind in bodies():
            if route.method != 'POST':
                continue
            for attribute in wtypes.list_attributes(kind):
                for value in VALUES:
                    self._send_new(route, {**self.valid(route), attribute.name: value},
                                   attribute.name)
        self._read_and_delete()

    def _send_new(self, route, body, name):
        headers = self.as_admin(project='fake_project')
        response = self.post(self.path(route), body, headers)
        self.look_at(response, (route.path, name, str(body[name])[:100]))
        if response.status_int < 400:
            self._settle()

    def test_of_patches(self):
        for route, kind in bodies():
            if not wtypes.isarray(kind):
                continue
            for attribute in wtypes.list_attributes(kind.item_type._api_base):
                for operation, value in (('remove', None), ('add', 'x'), ('add', None),
                                         *(('replace', value) for value in VALUES)):
                    body = [{'op': operation, 'path': f'/{attribute.name}', 'value': value}]
                    response = self.patch(self.path(route), body, self.headers())
                    self.look_at(response, (route.path, str(body)[:200]))
                self._settle()
        self._read_and_delete()

    def test_of_patches_at_odd_places(self):
        for route, kind in bodies():
            if not wtypes.isarray(kind):
                continue
            for path, operation in itertools.product(
                    ('', '/', '//', 'name', '/name/x', '/labels/', '/labels/a/b', '/labels/a~2',
                     '/labels/a~1b', '/labels/-', '/node_taints/0', '/node_taints/99',
                     '/node_taints/-', '/node_addresses/0', '/links', '/' + 'x' * 5000,
                     '/a' * 1000, '/\u0001', '/name\n', None, 5, {}, '/\U0001f600'),
                    ('add', 'replace', 'remove', 'copy', None)):
                body = [{'op': operation, 'path': path, 'value': 'x'}]
                self.look_at(self.patch(self.path(route), body, self.headers()), str(body)[:200])
        self._read_and_delete()

    def _settle(self):
        """What was accepted has been done, so that the next request is not refused for it."""
        with self.database.engine.begin() as connection:
            for table in ('cluster', 'nodegroup'):
                connection.exec_driver_sql(f"UPDATE {table} SET status = 'CREATE_COMPLETE'")
            connection.exec_driver_sql('DELETE FROM ng_operation')

    def _read_and_delete(self):
        self._settle()
        headers = self.as_admin()
        clusters = self.get('/v1/clusters/detail', headers).json['clusters']
        self.assertTrue(clusters)
        for cluster in clusters:
            path = f'/v1/clusters/{cluster["uuid"]}'
            self.get(path, headers)
            for group in self.get(f'{path}/nodegroups', headers).json['nodegroups']:
                self.get(f'{path}/nodegroups/{group["uuid"]}', headers)
            self.delete(path, headers)
            self.assertEqual('DELETE_IN_PROGRESS', self.get(path, headers).json['status'])
        with self.database.engine.begin() as connection:
            connection.exec_driver_sql('DELETE FROM cluster')
        for template in self.get('/v1/clustertemplates', headers).json['clustertemplates']:
            self.get(f'/v1/clustertemplates/{template["uuid"]}', headers)
            self.delete(f'/v1/clustertemplates/{template["uuid"]}', headers)


class TestBorders(EveryRoute):
    def test_the_things_of_another_project_are_not_found_at_any_address(self):
        for route in routes.ROUTES:
            if '{cluster' not in route.path:
                continue
            for cluster, template in (('c1', 't1'), (self.cluster.uuid, self.template.uuid)):
                kind = openapi.handlers(route)[-1].function._wsme_definition.body_type
                body = None
                if kind is not None:
                    body = [] if wtypes.isarray(kind) else self.valid(route)
                response = self.send(route.method, self.path(route, cluster, template), body,
                                     self.as_other())
                self.assertEqual(404, response.status_int, (route, response.text))
                for hidden in ('fake_project', 'fake_user', 'default-worker'):
                    self.assertNotIn(hidden, response.text)

    def test_the_things_of_another_project_are_not_found_in_any_body(self):
        other = self.as_other()
        own = self.make_template(uuid=None, name='own', project_id='other_project', public=False)
        mine = self.make_cluster(own, name='mine', uuid=None, project_id='other_project')
        for template in ('t1', self.template.uuid):
            self.post('/v1/clusters', {'cluster_template_id': template}, other, status=404)
            self.post(f'/v1/clusters/{mine.uuid}/actions/upgrade',
                      {'cluster_template': template}, other, status=404)
        for cluster in ('c1', self.cluster.uuid):
            error = self.post('/v1/certificates', {'cluster_uuid': cluster, 'csr': 'x'}, other,
                              status=400)
            self.assertIn('could not be found', self.error(error)['detail'])
            self.post('/v1/federations', {
                'name': 'f', 'hostcluster_id': cluster, 'properties': {'dns-zone': 'x'}}, other,
                status=404)

    def test_lists_show_nothing_of_another_project(self):
        for path in ('/v1/clusters', '/v1/clusters/detail', '/v1/clustertemplates',
                     '/v1/clustertemplates/detail', '/v1/federations'):
            text = json.dumps(self.get(path, self.as_other()).json)
            self.assertNotIn(self.cluster.uuid, text)
            self.assertNotIn(self.template.uuid, text)
            marker = self.send('GET', f'{path}?marker={self.cluster.uuid}', None, self.as_other())
            self.assertEqual(404, marker.status_int, marker.text)
