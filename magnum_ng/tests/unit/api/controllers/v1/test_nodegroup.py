# SPDX-License-Identifier: Apache-2.0

import oslo_messaging
from oslo_utils import uuidutils

from magnum_ng import objects
from magnum_ng.tests.unit.api import cluster_base
from magnum_ng.tests.unit.objects import utils as obj_utils

SUMMARY = {'uuid', 'name', 'flavor_id', 'node_count', 'role', 'is_default', 'image_id', 'status',
           'stack_id', 'merge_labels', 'min_node_count', 'max_node_count'}
DETAILS = SUMMARY | {
    'id', 'cluster_id', 'project_id', 'docker_volume_size', 'labels', 'labels_added',
    'labels_overridden', 'labels_skipped', 'links', 'node_addresses', 'node_labels',
    'node_taints', 'status_reason', 'version', 'created_at', 'updated_at'}


class NodeGroupTest(cluster_base.ClusterTest):

    def setUp(self):
        super().setUp()
        self.cluster = self.make_cluster(flavor_id='m1.small',
                                         labels={'a': '1', 'b': '2', 'c': '3'})
        self.url = f'/v1/clusters/{self.cluster.uuid}/nodegroups'

    def make_nodegroup(self, **values):
        values = {'uuid': uuidutils.generate_uuid(), 'cluster_id': self.cluster.uuid,
                  'is_default': False, 'labels': {}, 'node_count': 2, **values}
        return obj_utils.create_test_nodegroup(self.context, **values)

    def stored(self, name):
        return objects.NodeGroup.get_by_name(self.context, self.cluster.uuid, name)

    def set_status(self, status):
        self.cluster.status = status
        self.cluster.save()


class TestReadNodeGroups(NodeGroupTest):

    def test_list(self):
        self.make_nodegroup(name='extra', min_node_count=1, max_node_count=5)
        groups = self.get(self.url).json['nodegroups']
        self.assertEqual({'test-master', 'test-worker', 'extra'},
                         {group['name'] for group in groups})
        for group in groups:
            self.assertEqual(SUMMARY, set(group))
            self.assertEqual((0, None, False), (group['min_node_count'], group['max_node_count'],
                                                group['merge_labels']))

    def test_filters_and_pages(self):
        self.make_nodegroup(name='extra', status='UPDATE_FAILED')
        for query, names in (('role=master', ['test-master']), ('name=extra', ['extra']),
                             ('status=UPDATE_FAILED', ['extra']), ('role=none', [])):
            groups = self.get(f'{self.url}?{query}').json['nodegroups']
            self.assertEqual(names, [group['name'] for group in groups])
        page = self.get(f'{self.url}?role=worker&limit=1&sort_key=name&sort_dir=desc').json
        self.assertEqual(['test-worker'], [group['name'] for group in page['nodegroups']])
        self.assertIn('role=worker', page['next'])
        page = self.get(page['next']).json
        self.assertEqual(['extra'], [group['name'] for group in page['nodegroups']])
        self.assertEqual([], self.get(page['next']).json['nodegroups'])

    def test_a_list_costs_two_statements(self):
        for count in range(2, 5):
            answer, statements = self.database.count_statements(self.get, self.url)
            self.assertEqual(count, len(answer.json['nodegroups']))
            self.assertEqual(2, len(statements), statements)
            self.make_nodegroup(name=f'n{count}')

    def test_one(self):
        group = self.make_nodegroup(name='extra', labels={'a': '1', 'b': '4', 'd': '5'},
                                    node_labels={'x': 'y'},
                                    node_taints=[{'key': 'k', 'effect': 'NoSchedule'}])
        for ident in (group.uuid, 'extra'):
            (answer, statements) = self.database.count_statements(
                self.get, f'{self.url}/{ident}')
            self.assertEqual(2, len(statements))
            shown = answer.json
            self.assertEqual(DETAILS, set(shown))
            self.assertEqual(({'b': '2'}, {'d': '5'}, {'c': '3'}), (
                shown['labels_overridden'], shown['labels_added'], shown['labels_skipped']))
            self.assertEqual({'x': 'y'}, shown['node_labels'])
            self.assertEqual([{'key': 'k', 'effect': 'NoSchedule'}], shown['node_taints'])
        self.assertEqual([f'http://localhost/v1/clusters/{self.cluster.uuid}/nodegroups/'
                          f'{group.uuid}',
                          f'http://localhost/clusters/{self.cluster.uuid}/nodegroups/'
                          f'{group.uuid}'], [link['href'] for link in shown['links']])
        self.assertEqual('Nodegroup none could not be found.', self.detail(
            self.get(f'{self.url}/none', status='*'), 404))

    def test_nodegroups_came_with_1_9(self):
        old = self.headers(version='container-infra 1.8')
        self.get(self.url, old, status=406)
        self.get(f'{self.url}/test-worker', old, status=406)
        self.post(self.url, {'name': 'n'}, old, 406)
        self.patch(f'{self.url}/test-worker', [], old, 406)
        self.delete(f'{self.url}/test-worker', old, status=406)
        self.get(self.url, self.headers(version='container-infra 1.9'))

    def test_an_administrator_reads_those_of_others(self):
        self.get(self.url, self.as_admin())
        self.get(f'{self.url}/test-worker', self.as_admin())


class TestCreateNodeGroup(NodeGroupTest):

    def create(self, status=202, headers=None, **body):
        return self.post(self.url, {'name': 'extra', **body}, headers, status=status)

    def refused(self, status=400, headers=None, **body):
        text = self.detail(self.create('*', headers, **body), status)
        self.assertEqual(2, len(self.cluster.nodegroups))
        self.assertEqual([], self.conductor.messages)
        self.assertEqual('CREATE_COMPLETE', self.get(
            f'/v1/clusters/{self.cluster.uuid}').json['status'])
        return text

    def test_the_answer_is_what_is_read_at_once(self):
        answer = self.create(
            node_count=2, min_node_count=1, max_node_count=4, labels={'b': '4'},
            merge_labels=True, node_labels={'team': 'blue'}, flavor_id='m1.small',
            node_taints=[{'key': 'dedicated', 'value': 'gpu', 'effect': 'NoSchedule'}]).json
        self.assertEqual('CREATE_IN_PROGRESS', answer['status'])
        self.assertEqual({'a': '1', 'b': '4', 'c': '3'}, answer['labels'])
        self.assertEqual(answer, self.get(f'{self.url}/extra').json)
        self.assertEqual('UPDATE_IN_PROGRESS', self.get(
            f'/v1/clusters/{self.cluster.uuid}').json['status'])
        [(name, (_cluster, nodegroup), _kwargs)] = self.conductor.messages
        self.assertEqual(('nodegroup_create_async', answer['uuid']), (name, nodegroup.uuid))

    def test_what_is_not_given_comes_from_the_cluster(self):
        for body in ({}, dict.fromkeys(('labels', 'flavor_id', 'image_id', 'docker_volume_size',
                                        'node_count', 'role', 'min_node_count', 'node_labels',
                                        'max_node_count', 'node_taints', 'merge_labels'))):
            shown = self.create(**body).json
            expected = {'flavor_id': 'm1.small', 'image_id': 'ubuntu', 'node_count': 1,
                        'role': 'worker', 'min_node_count': 0, 'max_node_count': None,
                        'labels': {'a': '1', 'b': '2', 'c': '3'}, 'node_labels': {},
                        'node_taints': [], 'is_default': False, 'project_id': 'fake_project',
                        'node_addresses': []}
            self.assertEqual(expected, {name: shown[name] for name in expected})
            self.stored('extra').destroy()

    def test_server_owned_fields_are_ignored(self):
        uuid = uuidutils.generate_uuid()
        shown = self.post(self.url, {
            'name': 'extra', 'id': 987654, 'uuid': uuid, 'cluster_id': uuid, 'is_default': True,
            'status': 'DELETE_FAILED', 'status_reason': 'no', 'version': '7'}, status=202).json
        self.assertNotEqual(uuid, shown['uuid'])
        self.assertNotEqual(987654, shown['id'])
        self.assertEqual((self.cluster.uuid, False, 'CREATE_IN_PROGRESS', None, None), (
            shown['cluster_id'], shown['is_default'], shown['status'], shown['status_reason'],
            shown['version']))

    def test_names(self):
        for name in ('../../x', 'two words', 'x\n', 'Upper', 'under_score', '-a', 'a-', '', '7',
                     '\U0001F600', 'x' * 64, uuidutils.generate_uuid(), 5):
            self.assertIn('name', self.refused(name=name), repr(name))
        self.assertIn('name', self.refused(name=None))
        self.assertIn('name', self.detail(self.post(self.url, {})))
        self.create(name='x' * 63)

    def test_a_driver_may_take_other_names(self):
        def no_dots(self, name):
            if '.' in name:
                raise cluster_base.exception.InvalidParameterValue(err=f'name {name} has dots')

        self._replace(cluster_base.FakeDriver, 'validate_nodegroup_name', no_dots)
        self.assertEqual('name A.b has dots', self.refused(name='A.b'))
        self.assertIn('name', self.refused(name='a/b'))
        self.create(name='under_score')

    def test_a_name_that_is_taken(self):
        self.assertEqual('A node group with name test-worker already exists in the cluster '
                         'cluster1.', self.refused(409, name='test-worker'))

    def test_counts(self):
        for body, text in (
                ({'node_count': 1, 'min_node_count': 2},
                 'min_node_count for extra is invalid (min_node_count (2) should be less or '
                 'equal to node_count (1)).'),
                ({'node_count': 5, 'max_node_count': 2},
                 'max_node_count for extra is invalid (node_count (5) should be less or equal to '
                 'max_node_count (2)).'),
                ({'min_node_count': 3, 'max_node_count': 2, 'node_count': 3},
                 'max_node_count for extra is invalid (min_node_count (3) should be less or equal '
                 'to max_node_count (2)).'),
                ({'node_count': 5, 'max_node_count': 0},
                 'max_node_count for extra is invalid (node_count (5) should be less or equal to '
                 'max_node_count (0)).')):
            self.assertEqual(text, self.refused(409, **body))
        for name in ('node_count', 'min_node_count', 'max_node_count', 'docker_volume_size'):
            for value in (2 ** 31, -1, 'x', 1.5):
                self.assertIn(name, self.refused(**{name: value}))
        self.create(node_count=0, headers=self.headers(version='container-infra 1.9'))

    def test_masters(self):
        for role in ('master', 'Master', 'MASTER'):
            self.assertEqual('Creating master nodegroups is currently not supported.',
                             self.refused(role=role))
            self.assertEqual('node_labels for extra is invalid (node_labels may not be set on '
                             'master nodegroups).', self.refused(409, role=role,
                                                                 node_labels={'a': 'b'}))

    def test_roles(self):
        for role in ('a b', '../x', '', 'x' * 64, 'a\n'):
            self.assertIn('role', self.refused(role=role))
        self.assertEqual('test-role', self.create(role='test-role').json['role'])

    def test_node_labels(self):
        for labels, part in (
                ({'kubernetes.io/nope': 'x'}, 'restricted Kubernetes namespace'),
                ({'foo.k8s.io/x': 'x'}, 'restricted Kubernetes namespace'),
                ({'a b!': 'x'}, "'a b!'"), ({'a/b/c': 'x'}, "'a/b/c'"), ({'/x': 'y'}, '/x'),
                ({'': 'x'}, 'key'), ({'UPPER.example/x': 'y'}, 'UPPER'),
                ({'team': 'x' * 64}, 'team'), ({'team': 'a b'}, 'team'), ({'team': '-x'}, 'team'),
                ({'x' * 64: 'y'}, 'key'), ({'x' * 254 + '/y': 'z'}, 'key')):
            text = self.refused(409, node_labels=labels)
            self.assertTrue(text.startswith('node_labels for extra is invalid ('), text)
            self.assertIn(part, text)
        self.assertIn('node_labels', self.refused(node_labels={'a': None}))
        labels = {'kubernetes.io/arch': 'arm64', 'node.kubernetes.io/x': 'y', 'a.b/c_d': '',
                  'topology.kubernetes.io/zone': 'z'}
        self.assertEqual(labels, self.create(node_labels=labels).json['node_labels'])

    def test_node_taints(self):
        good = {'key': 'k', 'value': 'v', 'effect': 'NoSchedule'}
        for taints, part in (
                ([{'value': 'a', 'effect': 'NoSchedule'}], 'node_taints[0].key is required'),
                ([{'key': 'a', 'effect': 'Sometimes'}],
                 'node_taints[0].effect must be one of NoSchedule, PreferNoSchedule, NoExecute'),
                ([good, {**good, 'vaule': 'x'}],
                 'node_taints[1] contains unrecognised field(s) vaule; allowed fields are key, '
                 'value, effect'),
                ([{**good, 'key': 'a b/c/d'}], 'a b/c/d'), ([{**good, 'value': '!' * 90}], 'k'),
                ([good, good], 'repeats')):
            text = self.refused(409, node_taints=taints)
            self.assertTrue(text.startswith('node_taints for extra is invalid ('), text)
            self.assertIn(part, text)
        self.assertIn('node_taints', self.refused(node_taints=[{**good, 'value': None}]))
        self.assertIn('node_taints', self.refused(node_taints=['x']))
        taints = [good, {'key': 'k', 'effect': 'NoExecute'}, {**good, 'key': 'a', 'value': ''}]
        self.assertEqual(taints, self.create(node_taints=taints).json['node_taints'])

    def test_flavor_and_image(self):
        self.assertIn('zero root volume', self.refused(flavor_id='m1.zero'))
        self.assertIn('Unable to find flavor none', self.refused(flavor_id='none'))
        self.assertIn('Image none could not be found', self.refused(image_id='none'))
        self.assertIn('boot_volume_size', self.refused(labels={'boot_volume_size': 'abc'}))
        self.create(flavor_id='m1.zero', labels={'boot_volume_size': '20'}, image_id='ubuntu')

    def test_labels_that_cannot_be_stored(self):
        for labels in ({'a': None}, {'a': 'x' * 20000}, 'x', []):
            self.assertIn('labels', self.refused(labels=labels))

    def test_a_cluster_that_cannot_be_reached(self):
        self.cluster.api_address = None
        self.cluster.save()
        self.assertEqual('Cluster API address is not available yet', self.refused(409))

    def test_a_status_that_forbids_it(self):
        for status in ('CREATE_IN_PROGRESS', 'CREATE_FAILED', 'DELETE_IN_PROGRESS',
                       'DELETE_FAILED'):
            self.set_status(status)
            self.assertIn(status, self.detail(self.create('*'), 409))
        self.assertEqual(2, len(self.cluster.nodegroups))
        for status in ('UPDATE_IN_PROGRESS', 'UPDATE_FAILED'):
            self.set_status(status)
            self.create(name=status.lower().replace('_', '-'))

    def test_a_broker_that_is_down_changes_nothing(self):
        self.conductor.error = oslo_messaging.MessageDeliveryFailure()
        self.detail(self.create('*'), 503)
        self.assertEqual(2, len(self.cluster.nodegroups))

    def test_a_template_that_is_gone(self):
        self.cluster.cluster_template_id = uuidutils.generate_uuid()
        self.cluster.save()
        self.assertEqual('test_image', self.create().json['image_id'])

    def test_who_may(self):
        self.assertIn('nodegroup:create', self.refused(403, self.headers(roles='reader')))
        shown = self.create(headers=self.as_admin()).json
        self.assertEqual('fake_project', shown['project_id'])
        self.get(f'{self.url}/extra')

    def test_administrators_can_be_kept_to_their_project(self):
        self.get(self.url)
        self.policy.set_rules({'nodegroup:create_all_projects': '!'})
        self.detail(self.create('*', self.as_admin()), 404)
        self.create(headers=self.as_admin(project='fake_project'))

    def test_bodies_that_are_no_objects(self):
        for raw in ('null', '[]', '"x"', '{', ''):
            self.detail(self.post(self.url, raw=raw))


class TestPatchNodeGroup(NodeGroupTest):

    def setUp(self):
        super().setUp()
        self.nodegroup = self.make_nodegroup(name='extra', min_node_count=1, max_node_count=5)

    def change(self, path, value=None, op='replace', status=202, name='extra', **kwargs):
        operation = {'op': op, 'path': path}
        if op != 'remove':
            operation['value'] = value
        return self.patch(f'{self.url}/{name}', [operation], status=status, **kwargs)

    def refused(self, path, value=None, op='replace', status=400, **kwargs):
        text = self.detail(self.change(path, value, op, status='*', **kwargs), status)
        self.assertEqual([], self.conductor.messages)
        return text

    def test_bounds(self):
        answer = self.change('/max_node_count', 9).json
        self.assertEqual((9, 'UPDATE_IN_PROGRESS'), (answer['max_node_count'], answer['status']))
        self.assertEqual(answer, self.get(f'{self.url}/extra').json)
        self.assertEqual(['nodegroup_update_async'], self.conductor.names)
        self.assertIsNone(self.change('/max_node_count', op='remove').json['max_node_count'])
        self.assertEqual(0, self.change('/min_node_count', op='remove').json['min_node_count'])

    def test_bounds_that_do_not_hold(self):
        self.assertEqual('max_node_count for extra is invalid (node_count (2) should be less or '
                         'equal to max_node_count (1)).', self.refused('/max_node_count', 1,
                                                                       status=409))
        self.assertEqual('min_node_count for extra is invalid (min_node_count (3) should be less '
                         'or equal to node_count (2)).', self.refused('/min_node_count', 3,
                                                                      status=409))
        for value in (2 ** 31, -1, 'x', '4'):
            self.assertIn('max_node_count', self.refused('/max_node_count', value))

    def test_labels_and_taints(self):
        for value in ("{'x': 'y'}", '{"x": "y"}', {'x': 'y'}):
            self.assertEqual({'x': 'y'}, self.change('/node_labels', value).json['node_labels'])
        self.assertEqual({'x': 'y', 'example.com/z': '1'}, self.change(
            '/node_labels/example.com~1z', '1', 'add').json['node_labels'])
        taint = {'key': 'a', 'effect': 'NoExecute'}
        for value in (str([taint]), [taint]):
            self.assertEqual([taint], self.change('/node_taints', value).json['node_taints'])
        self.assertEqual({}, self.change('/node_labels', '{}').json['node_labels'])
        self.assertEqual([], self.change('/node_taints', '[]').json['node_taints'])

    def test_labels_and_taints_that_kubernetes_refuses(self):
        self.assertIn('a/b/c', self.refused('/node_labels', "{'a/b/c': 'x'}", status=409))
        self.assertIn('effect', self.refused('/node_taints', "[{'key': 'a'}]", status=409))
        self.assertIn('node_labels', self.refused('/node_labels', '{"a": null}'))
        self.assertIn('node_labels may not be set', self.refused(
            '/node_labels', "{'a': 'b'}", name='test-master', status=409))

    def test_the_rest_is_not_the_clients(self):
        for path in ('/name', '/node_count', '/flavor_id', '/labels', '/role', '/is_default',
                     '/status', '/uuid', '/id', '/version', '/image_id', '/cluster_id'):
            self.assertEqual(f"'{path}' is an internal attribute and can not be updated",
                             self.refused(path, 'x'))
        self.assertIn('Adding a new attribute', self.refused('/merge_labels', True, 'add'))

    def test_saying_what_is_stored_changes_nothing(self):
        self.set_status('CREATE_IN_PROGRESS')
        self.change('/max_node_count', 5)
        self.assertEqual([], self.conductor.messages)

    def test_a_status_that_forbids_it(self):
        self.nodegroup.status = 'CREATE_FAILED'
        self.nodegroup.save()
        self.assertIn('CREATE_FAILED', self.refused('/max_node_count', 7, status=409))
        self.nodegroup.status = 'CREATE_COMPLETE'
        self.nodegroup.save()
        self.set_status('DELETE_IN_PROGRESS')
        self.assertIn('DELETE_IN_PROGRESS', self.refused('/max_node_count', 7, status=409))
        self.assertEqual(5, self.stored('extra').max_node_count)

    def test_who_may(self):
        self.assertIn('nodegroup:update', self.refused(
            '/max_node_count', 7, status=403, headers=self.headers(roles='reader')))
        self.change('/max_node_count', 7, headers=self.as_admin())

    def test_bodies_that_are_no_patch(self):
        for raw in ('null', '[null]', '{}', '', '["x"]'):
            self.detail(self.patch(f'{self.url}/extra', raw=raw))


class TestDeleteNodeGroup(NodeGroupTest):

    def setUp(self):
        super().setUp()
        self.nodegroup = self.make_nodegroup(name='extra')

    def test_the_deletion_shows_at_once_and_is_asked_for_once(self):
        self.delete(f'{self.url}/extra')
        self.assertEqual('DELETE_IN_PROGRESS', self.get(f'{self.url}/extra').json['status'])
        self.delete(f'{self.url}/{self.nodegroup.uuid}')
        self.assertEqual(['nodegroup_delete_async'], self.conductor.names)

    def test_default_nodegroups_stay(self):
        for name in ('test-master', 'test-worker'):
            self.assertEqual('Deleting a default nodegroup is not supported.',
                             self.detail(self.delete(f'{self.url}/{name}', status='*')))
        self.delete(f'{self.url}/none', status=404)

    def test_a_status_that_forbids_it(self):
        for status in ('CREATE_IN_PROGRESS', 'DELETE_IN_PROGRESS'):
            self.set_status(status)
            self.assertIn(status, self.detail(self.delete(f'{self.url}/extra', status='*'), 409))
        self.assertEqual('CREATE_COMPLETE', self.stored('extra').status)

    def test_who_may(self):
        self.delete(f'{self.url}/extra', self.headers(roles='reader'), status=403)
        self.delete(f'{self.url}/extra', self.as_admin())
