# SPDX-License-Identifier: Apache-2.0

from oslo_utils import uuidutils

from magnum_ng.common import exception
from magnum_ng.tests.unit.db import base, counting


class NodegroupTest(base.DbTestCase):

    def nodegroup(self, name='n', cluster_id='c', project_id='mine', **values):
        return self.dbapi.create_nodegroup(
            {'name': name, 'cluster_id': cluster_id, 'project_id': project_id, **values})

    def setUp(self):
        super().setUp()
        self.context = self.make_context(project_id='mine')
        self.stranger = self.make_context(project_id='theirs', all_tenants=True)
        self.admin = self.make_context(project_id='admins', is_admin=True)

    def test_a_nodegroup_is_found_within_its_cluster(self):
        created = self.nodegroup(node_addresses=['10.0.0.1'], node_taints=[{'key': 'k'}])
        for context in (self.context, self.admin):
            for method, key in ((self.dbapi.get_nodegroup_by_id, created.id),
                                (self.dbapi.get_nodegroup_by_uuid, created.uuid),
                                (self.dbapi.get_nodegroup_by_name, 'n')):
                found = method(context, 'c', key)
                self.assertEqual((created.uuid, ['10.0.0.1'], [{'key': 'k'}], False),
                                 (found.uuid, found.node_addresses, found.node_taints,
                                  found.is_default))
                self.assertRaises(exception.NodeGroupNotFound, method, context, 'other', key)
                self.assertRaises(exception.NodeGroupNotFound, method, self.stranger, 'c', key)

    def test_a_name_is_free_once_in_a_cluster(self):
        self.nodegroup()
        self.nodegroup(cluster_id='d')
        error = self.assertRaises(exception.NodeGroupAlreadyExists, self.nodegroup)
        self.assertEqual('A node group with name n already exists in the cluster c.', str(error))

    def test_a_name_that_is_taken_cannot_be_given_to_another(self):
        self.nodegroup('taken')
        row = self.nodegroup('free')
        self.assertRaises(exception.NodeGroupAlreadyExists, self.dbapi.update_nodegroup,
                          'c', row.id, {'name': 'taken'})

    def test_lists_hold_the_visible_nodegroups_of_one_cluster(self):
        for name in 'bca':
            self.nodegroup(name)
        self.nodegroup(cluster_id='d')
        for context, names in ((self.context, 'bca'), (self.admin, 'bca'), (self.stranger, '')):
            self.assertEqual(list(names), [
                row.name for row in self.dbapi.list_cluster_nodegroups(context, 'c')])
            self.assertEqual(len(names),
                             self.dbapi.get_cluster_nodegroup_count(context, 'c'))
        page = self.dbapi.list_cluster_nodegroups(self.context, 'c', sort_key='name', limit=1)
        rest = self.dbapi.list_cluster_nodegroups(self.context, 'c', sort_key='name',
                                                  marker=page[0])
        self.assertEqual(['a', 'b', 'c'], [row.name for row in page + rest])
        self.assertRaises(exception.InvalidParameterValue, self.dbapi.list_cluster_nodegroups,
                          self.context, 'c', sort_key='foo')

    def test_filters_choose(self):
        self.nodegroup('a', role='master', node_count=1, is_default=True, status='S',
                       node_addresses=['x'])
        self.nodegroup('b', role='worker', node_count=2, is_default=False, status='T')
        for filters, names in (
                ({'name': 'a'}, 'a'), ({'role': 'master'}, 'a'), ({'node_count': 2}, 'b'),
                ({'is_default': True}, 'a'), ({'status': ['S', 'T']}, 'ab'),
                ({'status': 'T'}, 'b'), ({'node_addresses': ['x']}, 'a'),
                ({'project_id': 'theirs'}, 'ab'), ({'name': 'no'}, '')):
            found = self.dbapi.list_cluster_nodegroups(self.context, 'c', filters)
            self.assertEqual(list(names), [row.name for row in found], filters)

    def test_nodegroups_of_many_clusters_come_in_one_statement(self):
        expected = {}
        for cluster_id in ('c', 'd', 'e'):
            expected[cluster_id] = [self.nodegroup(name, cluster_id).id for name in 'zay']
        self.nodegroup(cluster_id='not asked for')
        with counting.statements() as sent:
            found = self.dbapi.get_nodegroups_of_clusters(self.context, ['e', 'c', 'd', 'none'])
        self.assertEqual({**expected, 'none': []},
                         {key: [row.id for row in rows] for key, rows in found.items()})
        self.assertEqual(1, len(sent))
        self.assertEqual({}, self.dbapi.get_nodegroups_of_clusters(self.context, []))

    def test_a_change_is_stored(self):
        row = self.nodegroup()
        for key in (row.id, row.uuid):
            self.assertEqual(row.id, self.dbapi.update_nodegroup(
                'c', key, {'node_count': row.id}).node_count)
        self.assertRaises(exception.NodeGroupNotFound, self.dbapi.update_nodegroup,
                          'other', row.id, {'node_count': 1})
        self.assertRaises(exception.InvalidParameterValue, self.dbapi.update_nodegroup,
                          'c', row.id, {'node_count': 2 ** 40})

    def test_a_nodegroup_goes(self):
        for key in ('id', 'uuid'):
            row = self.nodegroup()
            self.assertRaises(exception.NodeGroupNotFound, self.dbapi.destroy_nodegroup,
                              'other', row[key])
            self.dbapi.destroy_nodegroup('c', row[key])
            self.assertRaises(exception.NodeGroupNotFound, self.dbapi.destroy_nodegroup,
                              'c', row[key])
        self.assertRaises(exception.NodeGroupNotFound, self.dbapi.destroy_nodegroup,
                          'c', uuidutils.generate_uuid())
