# SPDX-License-Identifier: Apache-2.0

from oslo_utils import uuidutils

from magnum_ng.common import exception
from magnum_ng.tests.unit.db import base, counting, utils


class ClusterTestCase(base.DbTestCase):

    def cluster(self, name='c', project_id='mine', **values):
        values.setdefault('uuid', uuidutils.generate_uuid())
        return self.dbapi.create_cluster({'name': name, 'project_id': project_id, **values})

    def member(self, project_id='mine', **values):
        return self.make_context(project_id=project_id, **values)

    def admin(self, project_id='admins', all_tenants=True):
        return self.make_context(project_id=project_id, is_admin=True, all_tenants=all_tenants,
                                 roles=['admin'])


class CreateAndReadTest(ClusterTestCase):

    def test_a_cluster_is_found_by_id_uuid_and_name(self):
        created = utils.create_test_cluster(labels={'a': 'b'}, health_status_reason={})
        for found in (self.dbapi.get_cluster_by_id(self.context, created.id),
                      self.dbapi.get_cluster_by_id(self.context, str(created.id)),
                      self.dbapi.get_cluster_by_uuid(self.context, created.uuid),
                      self.dbapi.get_cluster_by_name(self.context, created.name)):
            self.assertEqual(created.as_dict(), found.as_dict())
            self.assertEqual({'a': 'b'}, found.labels)

    def test_a_cluster_without_a_uuid_gets_one(self):
        self.assertTrue(uuidutils.is_uuid_like(self.dbapi.create_cluster({'name': 'c'}).uuid))

    def test_defaults_and_times_are_filled_in(self):
        created = self.cluster()
        found = self.dbapi.get_cluster_by_id(self.member(), created.id)
        self.assertEqual((True, False, {}, None), (
            found.floating_ip_enabled, found.master_lb_enabled, found.labels, found.updated_at))
        self.assertIsNotNone(found.created_at)

    def test_a_second_cluster_with_a_uuid_is_refused(self):
        uuid = self.cluster().uuid
        error = self.assertRaises(exception.ClusterAlreadyExists, self.cluster, uuid=uuid)
        self.assertEqual(f'A cluster with UUID {uuid} already exists.', str(error))

    def test_what_is_not_there_is_not_found(self):
        uuid = uuidutils.generate_uuid()
        for method, key in ((self.dbapi.get_cluster_by_id, 999),
                            (self.dbapi.get_cluster_by_id, 2 ** 70),
                            (self.dbapi.get_cluster_by_id, -1),
                            (self.dbapi.get_cluster_by_uuid, uuid),
                            (self.dbapi.get_cluster_by_name, 'nobody'),
                            (self.dbapi.get_cluster_by_name, 'no\x00body'),
                            (self.dbapi.get_cluster_by_name, 'no\ud83dbody')):
            self.assertRaises(exception.ClusterNotFound, method, self.context, key)

    def test_a_name_that_two_clusters_have_is_a_conflict(self):
        self.cluster('same')
        self.cluster('same')
        error = self.assertRaises(exception.Conflict, self.dbapi.get_cluster_by_name,
                                  self.member(), 'same')
        self.assertEqual('Multiple clusters exist with same name. Please use the cluster uuid '
                         'instead.', str(error))

    def test_a_read_is_one_statement(self):
        uuid = self.cluster().uuid
        with counting.statements() as sent:
            self.dbapi.get_cluster_by_uuid(self.member(), uuid)
        self.assertEqual(1, len(sent))


class VisibilityTest(ClusterTestCase):

    def setUp(self):
        super().setUp()
        self.mine = self.cluster('mine')
        self.theirs = self.cluster('theirs', 'theirs')

    def names(self, context):
        return [cluster.name for cluster in self.dbapi.get_cluster_list(context)]

    def test_a_project_sees_its_own(self):
        self.assertEqual(['mine'], self.names(self.member()))
        self.assertEqual(1, self.dbapi.get_cluster_count_all(self.member()))
        self.assertRaises(exception.ClusterNotFound, self.dbapi.get_cluster_by_uuid,
                          self.member(), self.theirs.uuid)

    def test_all_tenants_needs_an_administrator(self):
        self.assertEqual(['mine', 'theirs'], self.names(self.admin()))
        self.assertEqual(2, self.dbapi.get_cluster_count_all(self.admin()))
        self.assertEqual([], self.names(self.admin(all_tenants=False)))
        self.assertEqual(['mine'], self.names(self.member(all_tenants=True)))

    def test_who_has_no_project_sees_what_belongs_to_the_user(self):
        self.cluster('users', None, user_id='user')
        self.assertEqual(['users'], self.names(self.member(None, user_id='user')))

    def test_an_administrator_gets_the_own_project_s_cluster_of_several_with_a_name(self):
        own = self.cluster('same', 'admins')
        self.cluster('same', 'theirs')
        self.assertEqual(own.id, self.dbapi.get_cluster_by_name(self.admin(), 'same').id)

    def test_an_administrator_cannot_choose_between_two_of_other_projects(self):
        self.cluster('same', 'mine')
        self.cluster('same', 'theirs')
        self.assertRaises(exception.Conflict, self.dbapi.get_cluster_by_name, self.admin(), 'same')

    def test_an_administrator_finds_the_cluster_of_another_project_by_name(self):
        self.assertEqual(self.theirs.id,
                         self.dbapi.get_cluster_by_name(self.admin(), 'theirs').id)


class ListTest(ClusterTestCase):

    def setUp(self):
        super().setUp()
        for name, health in (('b', None), ('a', 'UNKNOWN'), ('d', None), ('c', 'HEALTHY'),
                             ('e', None)):
            self.cluster(name, health_status=health, labels={'n': name})
        self.context = self.member()

    def walk(self, limit=2, **how):
        names, marker = [], None
        while page := self.dbapi.get_cluster_list(self.context, limit=limit, marker=marker, **how):
            names += [cluster.name for cluster in page]
            marker = page[-1]
        return ''.join(names)

    def test_ids_are_the_order_where_none_is_asked_for(self):
        self.assertEqual('badce', self.walk())
        self.assertEqual('ecdab', self.walk(sort_dir='desc'))

    def test_pages_lose_no_row_whatever_they_are_sorted_by(self):
        for limit in (1, 2, 3, 5):
            self.assertEqual('abcde', self.walk(limit, sort_key='name'))
            self.assertEqual('edcba', self.walk(limit, sort_key='name', sort_dir='desc'))
            self.assertEqual('abcde', self.walk(limit, sort_key='labels'))
            self.assertEqual('badce', self.walk(limit, sort_key='stack_id'))
            self.assertEqual('ecdab', self.walk(limit, sort_key='stack_id', sort_dir='desc'))

    def test_rows_without_a_value_come_first_ascending_and_last_descending(self):
        for limit in (1, 2, 3, 5):
            self.assertEqual('bdeca', self.walk(limit, sort_key='health_status'))
            self.assertEqual('acedb',
                             self.walk(limit, sort_key='health_status', sort_dir='desc'))

    def test_the_marker_may_say_a_default_in_place_of_null(self):
        # An object shows true where the column is null.
        rows = self.dbapi.get_cluster_list(self.context)
        for row in rows:
            self.dbapi.update_cluster(row.id, {'floating_ip_enabled': None})
        rows[2].floating_ip_enabled = True
        found = self.dbapi.get_cluster_list(self.context, marker=rows[2],
                                            sort_key='floating_ip_enabled')
        self.assertEqual(['c', 'e'], [row.name for row in found])

    def test_a_marker_may_be_a_uuid(self):
        rows = self.dbapi.get_cluster_list(self.context)
        found = self.dbapi.get_cluster_list(self.context, marker=rows[3].uuid)
        self.assertEqual(['e'], [row.name for row in found])

    def test_only_columns_can_be_sorted_by(self):
        for key in ('foo', 'metadata', 'as_dict', 'node_count'):
            error = self.assertRaises(exception.InvalidParameterValue,
                                      self.dbapi.get_cluster_list, self.context, sort_key=key)
            self.assertEqual(f'The sort_key value "{key}" is an invalid field for sorting',
                             str(error))

    def test_a_page_is_one_statement_whatever_its_size(self):
        marker = self.dbapi.get_cluster_list(self.context)[0]
        for limit in (1, 4):
            with counting.statements() as sent:
                found = self.dbapi.get_cluster_list(self.context, limit=limit, marker=marker,
                                                    sort_key='health_status')
            self.assertEqual(limit, len(found))
            self.assertEqual(1, len(sent))


class FilterTest(ClusterTestCase):

    def names(self, **filters):
        found = self.dbapi.get_cluster_list(self.admin(), filters)
        self.assertEqual(len(found), self.dbapi.get_cluster_count_all(self.admin(), filters))
        return ''.join(cluster.name for cluster in found)

    def test_each_filter_chooses(self):
        values = {'cluster_template_id': 't', 'stack_id': 's', 'api_address': '10.0.0.1',
                  'user_id': 'u'}
        self.cluster('a', 'p', status='CREATE_COMPLETE', **values)
        self.cluster('b', 'q', status='CREATE_FAILED')
        self.assertEqual('ab', self.names())
        for name, value in {'name': 'a', 'project_id': 'p', **values}.items():
            self.assertEqual('a', self.names(**{name: value}), name)
            self.assertEqual('', self.names(**{name: 'other'}), name)

    def test_status_is_one_or_several(self):
        self.cluster('a', status='CREATE_COMPLETE')
        self.cluster('b', status='CREATE_FAILED')
        self.cluster('c', status=None)
        self.assertEqual('a', self.names(status='CREATE_COMPLETE'))
        self.assertEqual('ab', self.names(status=['CREATE_COMPLETE', 'CREATE_FAILED']))
        self.assertEqual('', self.names(status=[]))

    def test_node_counts_are_sums_over_nodegroups(self):
        one, two = self.cluster('a'), self.cluster('b')
        for number, (cluster, role, nodes) in enumerate((
                (one, 'master', 3), (one, 'worker', 2), (one, 'gpu', 2), (two, 'master', 1),
                (two, 'worker', 2))):
            self.dbapi.create_nodegroup({
                'name': f'n{number}', 'cluster_id': cluster.uuid, 'project_id': 'mine',
                'role': role, 'node_count': nodes})
        self.assertEqual('a', self.names(node_count=4))
        self.assertEqual('b', self.names(node_count=2))
        self.assertEqual('a', self.names(master_count=3))
        self.assertEqual('', self.names(node_count=2, master_count=3))

    def test_unknown_filters_are_not_looked_at(self):
        self.cluster('a')
        self.assertEqual('a', self.names(node_addresses=['x'], bogus='y'))


class UpdateTest(ClusterTestCase):

    def test_a_change_is_stored_and_returned(self):
        created = self.cluster()
        for key in (created.id, created.uuid):
            changed = self.dbapi.update_cluster(key, {'status': 'S', 'labels': {'k': str(key)}})
            self.assertEqual(('S', {'k': str(key)}), (changed.status, changed.labels))
        found = self.dbapi.get_cluster_by_id(self.member(), created.id)
        self.assertEqual(changed.as_dict(), found.as_dict())
        self.assertIsNotNone(found.updated_at)

    def test_the_uuid_cannot_change(self):
        created = self.cluster()
        error = self.assertRaises(exception.InvalidParameterValue, self.dbapi.update_cluster,
                                  created.id, {'uuid': uuidutils.generate_uuid()})
        self.assertEqual('Cannot overwrite UUID for an existing Cluster.', str(error))

    def test_what_is_not_there_cannot_change(self):
        self.assertRaises(exception.ClusterNotFound, self.dbapi.update_cluster, 999, {})
        self.assertRaises(exception.InvalidIdentity, self.dbapi.update_cluster, 'name', {})

    def test_a_change_may_depend_on_the_status(self):
        created = self.cluster(status='A')
        self.assertIsNone(self.dbapi.update_cluster(
            created.id, {'status': 'C', 'name': 'x'}, expect_status='B'))
        found = self.dbapi.get_cluster_by_id(self.member(), created.id)
        self.assertEqual(('A', 'c', None), (found.status, found.name, found.updated_at))
        self.assertEqual('C', self.dbapi.update_cluster(
            created.id, {'status': 'C'}, expect_status='A').status)

    def test_what_a_column_cannot_hold_is_the_caller_s_mistake(self):
        created = self.cluster()
        for values in ({'name': 'x' * 256}, {'status': 'x' * 21}, {'docker_volume_size': 2 ** 31},
                       {'create_timeout': -2 ** 31 - 1}, {'name': 'a\x00'}, {'name': '\ud83d'}):
            for method in (lambda v: self.dbapi.create_cluster(dict(v)),
                           lambda v: self.dbapi.update_cluster(created.id, v)):
                error = self.assertRaises(exception.InvalidParameterValue, method, values)
                self.assertIn(next(iter(values)), str(error))

    def test_a_status_reason_of_any_length_is_stored(self):
        created = self.cluster()
        changed = self.dbapi.update_cluster(created.id, {'status_reason': 'x' * 100000})
        found = self.dbapi.get_cluster_by_id(self.member(), changed.id)
        self.assertEqual(65535, len(found.status_reason))


class DestroyTest(ClusterTestCase):

    def test_a_cluster_goes_with_its_nodegroups(self):
        for key in ('id', 'uuid'):
            gone, stays = self.cluster(), self.cluster()
            for cluster in (gone, stays):
                self.dbapi.create_nodegroup({'name': 'n', 'cluster_id': cluster.uuid,
                                             'project_id': 'mine'})
            self.dbapi.destroy_cluster(gone[key])
            self.assertRaises(exception.ClusterNotFound, self.dbapi.get_cluster_by_uuid,
                              self.member(), gone.uuid)
            groups = self.dbapi.get_nodegroups_of_clusters(
                self.admin(), [gone.uuid, stays.uuid])
            self.assertEqual([0, 1], [len(groups[c.uuid]) for c in (gone, stays)])

    def test_what_is_not_there_cannot_go(self):
        self.assertRaises(exception.ClusterNotFound, self.dbapi.destroy_cluster, 999)
        self.assertRaises(exception.InvalidIdentity, self.dbapi.destroy_cluster, 'name')


class StatsTest(ClusterTestCase):

    def setUp(self):
        super().setUp()
        for project, nodes in (('p', 3), ('p', 2), ('q', 5)):
            cluster = self.cluster(project_id=project)
            self.dbapi.create_nodegroup({
                'name': 'n', 'cluster_id': cluster.uuid, 'project_id': project,
                'node_count': nodes})
            self.dbapi.create_nodegroup({
                'name': 'gone', 'cluster_id': cluster.uuid, 'project_id': project,
                'node_count': 7, 'status': 'DELETE_COMPLETE'})

    def test_numbers_are_those_of_a_project_or_of_all(self):
        self.assertEqual((2, 5), self.dbapi.get_cluster_stats(self.member(), 'p'))
        self.assertEqual((3, 10), self.dbapi.get_cluster_stats(self.admin()))
        self.assertEqual((0, 0), self.dbapi.get_cluster_stats(self.member(), 'nobody'))

    def test_numbers_cost_one_statement(self):
        with counting.statements() as sent:
            self.dbapi.get_cluster_stats(self.member(), 'p')
        self.assertEqual(1, len(sent))
