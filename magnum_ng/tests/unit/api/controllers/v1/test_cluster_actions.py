# SPDX-License-Identifier: Apache-2.0

import oslo_messaging
from oslo_utils import uuidutils

from magnum_ng import objects
from magnum_ng.common import exception
from magnum_ng.tests.unit.api import cluster_base
from magnum_ng.tests.unit.objects import utils as obj_utils


class ActionsTest(cluster_base.ClusterTest):

    def setUp(self):
        super().setUp()
        self.template = self.make_template(name='first')
        self.cluster = self.make_cluster(self.template)
        self.url = f'/v1/clusters/{self.cluster.uuid}'

    def nodegroup(self, name='test-worker'):
        return objects.NodeGroup.get_by_name(self.context, self.cluster.uuid, name)

    def make_nodegroup(self, **values):
        return obj_utils.create_test_nodegroup(
            self.context, **{'uuid': uuidutils.generate_uuid(), 'cluster_id': self.cluster.uuid,
                             'is_default': False, 'name': 'extra', **values})

    def set_status(self, status):
        self.cluster.status = status
        self.cluster.save()

    def refused(self, status, action, body, headers=None):
        def seen():
            return {name: value for name, value in self.get(self.url, self.as_admin()).json.items()
                    if name != 'updated_at'}

        before = seen()
        text = self.detail(self.post(f'{self.url}/actions/{action}', body, headers), status)
        self.assertEqual(before, seen())
        return text


class TestResize(ActionsTest):

    def resize(self, status=202, headers=None, **body):
        return self.post(f'{self.url}/actions/resize', body, headers, status=status)

    def test_the_new_size_shows_at_once(self):
        self.assertEqual({'uuid': self.cluster.uuid}, self.resize(node_count=5).json)
        shown = self.get(self.url).json
        self.assertEqual(('UPDATE_IN_PROGRESS', 5), (shown['status'], shown['node_count']))
        shown = self.get(f'{self.url}/nodegroups/test-worker').json
        self.assertEqual(('UPDATE_IN_PROGRESS', 5), (shown['status'], shown['node_count']))
        [(name, (_cluster, count, nodes, nodegroup), _kwargs)] = self.conductor.messages
        self.assertEqual(('cluster_resize_async', 5, [], 'test-worker'),
                         (name, count, nodes, nodegroup.name))

    def test_a_nodegroup_by_name_or_uuid(self):
        group = self.make_nodegroup()
        for ident, count in ((group.uuid, 4), ('extra', 6)):
            self.resize(node_count=count, nodegroup=ident)
            self.assertEqual(count, self.nodegroup('extra').node_count)
        self.assertEqual(3, self.nodegroup().node_count)
        self.assertEqual('Nodegroup none could not be found.', self.refused(
            404, 'resize', {'node_count': 2, 'nodegroup': 'none'}))

    def test_nodes_are_named_once(self):
        text = self.refused(400, 'resize', {'node_count': 1,
                                            'nodes_to_remove': ['node-a', 'NODE-A']})
        self.assertIn('nodes_to_remove', text)
        self.assertIn('nodes_to_remove', self.refused(
            400, 'resize', {'node_count': 1, 'nodes_to_remove': [None]}))
        for nodes in (None, [], ['unknown', '2']):
            self.resize(node_count=2, nodes_to_remove=nodes)
            self.assertEqual(nodes or [], self.conductor.messages[-1][1][2])

    def test_the_same_size_is_an_operation(self):
        self.resize(node_count=3, nodes_to_remove=['a'])
        self.assertEqual(['cluster_resize_async'], self.conductor.names)

    def test_bounds(self):
        self.make_nodegroup(min_node_count=1, max_node_count=4)
        for count in (0, 9):
            self.assertEqual(
                'Resizing extra outside the allowed range: min_node_count = 1, max_node_count = 4',
                self.refused(400, 'resize', {'node_count': count, 'nodegroup': 'extra'}))
        for value in (2 ** 31, -1, 'x', 1.5, None):
            self.assertIn('node_count', self.refused(400, 'resize', {'node_count': value}))
        self.assertIn('Mandatory field missing', self.refused(400, 'resize', {}))

    def test_zero_came_with_1_10(self):
        self.make_nodegroup(min_node_count=0)
        body = {'node_count': 0, 'nodegroup': 'extra'}
        self.assertIn('Resizing a nodegroup to zero', self.refused(
            400, 'resize', body, self.headers(version='container-infra 1.9')))
        self.resize(**body)

    def test_it_came_with_1_7(self):
        self.resize(406, self.headers(version='container-infra 1.6'), node_count=2)
        self.resize(202, self.headers(version='container-infra 1.7'), node_count=2)

    def test_the_driver_judges_the_number_of_masters(self):
        self.assertIn('cannot be an even number', self.refused(
            400, 'resize', {'node_count': 2, 'nodegroup': 'test-master'}))
        self.resize(node_count=5, nodegroup='test-master')
        self._replace(cluster_base.FakeDriver, 'validate_master_resize',
                      cluster_base.driver.Driver.validate_master_resize)
        self.assertEqual('Resizing the master nodegroup is not supported by this driver.',
                         self.refused(400, 'resize', {'node_count': 3,
                                                      'nodegroup': 'test-master'}))

    def test_statuses(self):
        for status in ('CREATE_IN_PROGRESS', 'CREATE_FAILED', 'DELETE_IN_PROGRESS',
                       'ROLLBACK_FAILED'):
            self.set_status(status)
            self.assertEqual(f'Resizing a cluster when status is "{status}" is not supported.',
                             self.refused(409, 'resize', {'node_count': 2}))
        for status in ('UPDATE_IN_PROGRESS', 'UPDATE_FAILED', 'CREATE_COMPLETE'):
            self.set_status(status)
            self.resize(node_count=2)

    def test_a_second_scale_down_builds_on_the_first(self):
        self.resize(node_count=2, nodes_to_remove=['a'])
        self.assertEqual(2, self.get(self.url).json['node_count'])
        self.resize(node_count=1, nodes_to_remove=['b'])
        self.assertEqual([2, 1], [message[1][1] for message in self.conductor.messages])

    def test_who_may(self):
        self.assertIn('cluster:resize', self.refused(
            403, 'resize', {'node_count': 2}, self.headers(roles='reader')))
        self.resize(node_count=2, headers=self.as_admin())
        self.policy.set_rules({'cluster:resize_all_projects': '!'})
        self.resize(404, self.as_admin(), node_count=2)

    def test_a_broker_that_is_down_changes_nothing(self):
        self.conductor.error = oslo_messaging.MessageDeliveryFailure()
        self.resize(503, node_count=5)
        shown = self.get(self.url).json
        self.assertEqual(('CREATE_COMPLETE', 3), (shown['status'], shown['node_count']))

    def test_bodies_that_are_no_objects(self):
        for raw in ('null', '[]', '"x"', '{', ''):
            self.detail(self.post(f'{self.url}/actions/resize', raw=raw))


class TestUpgrade(ActionsTest):

    def setUp(self):
        super().setUp()
        self.target = self.make_template(name='second', uuid=None)

    def upgrade(self, status=202, headers=None, **body):
        body.setdefault('cluster_template', self.target.uuid)
        return self.post(f'{self.url}/actions/upgrade', body, headers, status=status)

    def test_it_shows_at_once(self):
        self.assertEqual({'uuid': self.cluster.uuid},
                         self.upgrade(cluster_template='second', max_batch_size=2).json)
        self.assertEqual('UPDATE_IN_PROGRESS', self.get(self.url).json['status'])
        [(name, (_cluster, template, batch, nodegroup), _kwargs)] = self.conductor.messages
        self.assertEqual(('cluster_upgrade_async', self.target.uuid, 2, 'test-worker'),
                         (name, template.uuid, batch, nodegroup.name))

    def test_the_size_of_batches_is_one_unless_given(self):
        for body in ({}, {'max_batch_size': None}):
            self.upgrade(**body)
            self.assertEqual(1, self.conductor.messages[-1][1][2])
            self.set_status('UPDATE_COMPLETE')
        for value in (0, -1, 2 ** 31, 'x'):
            self.assertIn('max_batch_size', self.refused(
                400, 'upgrade', {'cluster_template': 'second', 'max_batch_size': value}))

    def test_a_template_must_be_named(self):
        for body in ({}, {'cluster_template': None}, {'nodegroup': 'test-worker'}):
            self.assertIn('cluster_template', self.refused(400, 'upgrade', body))
        self.assertEqual('ClusterTemplate none could not be found.', self.refused(
            404, 'upgrade', {'cluster_template': 'none'}))

    def test_other_nodegroups_follow_the_default_ones(self):
        self.make_nodegroup()
        self.assertEqual(
            "Cluster Template is not valid for upgrade: Nodegroup extra can be upgraded only to "
            "match cluster's template (first).", self.refused(
                409, 'upgrade', {'cluster_template': 'second', 'nodegroup': 'extra'}))
        self.upgrade(cluster_template='first', nodegroup='extra')
        self.assertEqual('extra', self.conductor.messages[0][1][3].name)
        self.assertEqual('Nodegroup none could not be found.', self.refused(
            404, 'upgrade', {'cluster_template': 'second', 'nodegroup': 'none'}))

    def test_default_nodegroups_may_lead(self):
        for name in ('test-master', 'test-worker'):
            self.upgrade(nodegroup=name)
            self.set_status('UPDATE_COMPLETE')
            group = self.nodegroup(name)
            group.status = 'UPDATE_COMPLETE'
            group.save()

    def test_a_template_that_does_not_fit(self):
        for values, field in (({'server_type': 'bm'}, 'server_type'), ({'driver': 'other'},
                                                                       'driver'),
                              ({'cluster_distro': 'flatcar'}, 'cluster_distro')):
            misfit = self.make_template(uuid=None, name='misfit', **values)
            self.assertIn(field, self.refused(400, 'upgrade', {'cluster_template': 'misfit'}))
            misfit.destroy()
        self.assertEqual([], self.conductor.messages)

    def test_another_distribution_that_the_driver_provides(self):
        self._replace(cluster_base.FakeDriver, 'OS', ('ubuntu', 'flatcar'))
        self.target.cluster_distro = 'flatcar'
        self.target.save()
        self.upgrade()

    def test_the_own_template_though_it_is_hidden(self):
        theirs = self.make_template(uuid=None, name='theirs', project_id='another', hidden=True)
        self.cluster.cluster_template_id = theirs.uuid
        self.cluster.save()
        for ident in ('theirs', theirs.uuid):
            self.upgrade(cluster_template=ident)
            self.set_status('UPDATE_COMPLETE')

    def test_versions(self):
        self.upgrade(406, self.headers(version='container-infra 1.6'))
        self.assertIn('Cluster upgrade is not supported in the provided microversion',
                      self.refused(400, 'upgrade', {'cluster_template': 'second'},
                                   self.headers(version='container-infra 1.7')))
        self.upgrade(202, self.headers(version='container-infra 1.8'))

    def test_statuses(self):
        for status in ('CREATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS', 'DELETE_IN_PROGRESS'):
            self.set_status(status)
            self.assertEqual(f'Upgrading a cluster when status is "{status}" is not supported.',
                             self.refused(409, 'upgrade', {'cluster_template': 'second'}))
        self.set_status('UPDATE_FAILED')
        self.upgrade()

    def test_a_driver_that_refuses_changes_nothing(self):
        self.conductor.error = exception.NotSupported(operation='Upgrading')
        self.assertIn('not supported', self.refused(400, 'upgrade',
                                                    {'cluster_template': 'second'}))

    def test_a_conductor_that_is_slow(self):
        self.conductor.error = oslo_messaging.MessagingTimeout()
        self.upgrade()
        self.assertEqual('UPDATE_IN_PROGRESS', self.get(self.url).json['status'])

    def test_who_may(self):
        self.assertIn('cluster:upgrade', self.refused(
            403, 'upgrade', {'cluster_template': 'second'}, self.headers(roles='reader')))
        self.upgrade(headers=self.as_admin())
