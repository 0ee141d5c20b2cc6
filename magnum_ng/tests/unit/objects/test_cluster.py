# SPDX-License-Identifier: Apache-2.0

import threading

from oslo_utils import uuidutils
from oslo_versionedobjects import exception as ovo_exception

from magnum_ng import objects
from magnum_ng.common import exception
from magnum_ng.objects.fields import ClusterStatus as S
from magnum_ng.tests import fakes
from magnum_ng.tests.unit.db import base
from magnum_ng.tests.unit.objects import utils


class ClusterTestCase(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.template = utils.create_test_cluster_template(self.context)
        self.cluster = utils.create_test_cluster(
            self.context, node_count=2, master_count=1, node_addresses=['10.0.0.1', '10.0.0.2'],
            master_addresses=['10.0.0.9'])

    def row(self, uuid=None):
        return self.dbapi.get_cluster_by_uuid(self.admin_context, uuid or self.cluster.uuid)


class ReadTest(ClusterTestCase):

    def test_by_id_or_uuid(self):
        for ident in (self.cluster.id, str(self.cluster.id), self.cluster.uuid):
            self.assertEqual('cluster1', objects.Cluster.get(self.context, ident).name)
        self.assertRaises(exception.InvalidIdentity, objects.Cluster.get, self.context, 'cluster1')

    def test_by_name(self):
        found = objects.Cluster.get_by_name(self.context, 'cluster1')
        self.assertEqual(self.cluster.uuid, found.uuid)
        self.assertRaises(exception.ClusterNotFound, objects.Cluster.get_by_name,
                          self.context, 'other')

    def test_other_projects_are_not_seen(self):
        stranger = self.make_context(project_id=fakes.OTHER_PROJECT_ID)
        self.assertRaises(exception.ClusterNotFound, objects.Cluster.get_by_uuid, stranger,
                          self.cluster.uuid)
        self.assertEqual([], objects.Cluster.list(stranger))

    def test_list_takes_filters_and_an_order(self):
        utils.create_test_cluster(self.context, uuid=uuidutils.generate_uuid(), name='another',
                                  status=S.CREATE_COMPLETE)
        names = [cluster.name for cluster in
                 objects.Cluster.list(self.context, sort_key='name', sort_dir='desc')]
        self.assertEqual(['cluster1', 'another'], names)
        done = objects.Cluster.list(self.context, filters={'status': [S.CREATE_COMPLETE]})
        self.assertEqual(['another'], [cluster.name for cluster in done])

    def test_counts(self):
        self.assertEqual(1, objects.Cluster.get_count_all(self.context))
        self.assertEqual(0, objects.Cluster.get_count_all(
            self.context, filters={'project_id': 'nobody'}))
        self.assertEqual((1, 3), tuple(objects.Cluster.get_stats(self.context, 'fake_project')))


class WriteTest(ClusterTestCase):

    def test_create_gives_it_an_id_and_a_time(self):
        cluster = utils.get_test_cluster(self.context, uuid=uuidutils.generate_uuid())
        self.assertFalse(cluster.obj_attr_is_set('id'))
        cluster.create()
        self.assertEqual(set(), cluster.obj_what_changed())
        self.assertEqual(self.row(cluster.uuid).id, cluster.id)
        self.assertIsNotNone(cluster.created_at)

    def test_save_stores_what_changed_and_nothing_else(self):
        other = objects.Cluster.get_by_uuid(self.context, self.cluster.uuid)
        other.name = 'renamed'
        other.save()
        self.cluster.status_reason = 'why'
        self.cluster.save()
        self.assertEqual(('renamed', 'why'), (self.row().name, self.row().status_reason))
        self.assertEqual(set(), self.cluster.obj_what_changed())

    def test_save_stores_labels_changed_in_place(self):
        self.cluster.labels['kube_tag'] = 'v1.30'
        self.cluster.save()
        self.assertEqual({'kube_tag': 'v1.30'}, self.row().labels)

    def test_save_leaves_the_loaded_template_alone(self):
        self.cluster.cluster_template.name = 'changed in memory'
        self.cluster.status_reason = 'why'
        self.cluster.save()
        self.template.refresh()
        self.assertEqual('clustermodel1', self.template.name)

    def test_a_new_template_is_loaded_after_a_save(self):
        other = utils.create_test_cluster_template(
            self.context, uuid=uuidutils.generate_uuid(), name='other')
        self.assertEqual('clustermodel1', self.cluster.cluster_template.name)
        self.cluster.cluster_template_id = other.uuid
        self.cluster.save()
        self.assertEqual('other', self.cluster.cluster_template.name)

    def test_refresh_reads_everything_again(self):
        self.cluster.node_count, self.cluster.cluster_template
        other = objects.Cluster.get_by_uuid(self.context, self.cluster.uuid)
        other.status = S.UPDATE_COMPLETE
        other.save()
        self.cluster.name = 'never saved'
        self.cluster.refresh()
        self.assertEqual((S.UPDATE_COMPLETE, 'cluster1'),
                         (self.cluster.status, self.cluster.name))
        self.assertEqual(set(), self.cluster.obj_what_changed())

    def test_destroy_removes_the_row(self):
        self.cluster.destroy()
        self.assertRaises(exception.ClusterNotFound, self.row)
        self.assertRaises(exception.ClusterNotFound, self.cluster.save)

    def test_what_cannot_be_a_value_is_refused(self):
        self.assertRaises(ValueError, setattr, self.cluster, 'status', 'DONE')
        self.assertRaises(ValueError, setattr, self.cluster, 'labels', {'a': None})


class ExpectStatusTest(ClusterTestCase):

    def setUp(self):
        super().setUp()
        self.polled = objects.Cluster.get_by_uuid(self.admin_context, self.cluster.uuid)
        self.polled.expect_status = self.polled.status

    def decide(self, status):
        self.cluster.status, self.cluster.status_reason = status, 'decided'
        self.cluster.save()

    def test_the_status_is_stored_when_nobody_has_decided_otherwise(self):
        self.polled.status, self.polled.status_reason = S.CREATE_COMPLETE, 'all good'
        self.polled.save()
        self.assertEqual((S.CREATE_COMPLETE, 'all good'),
                         (self.row().status, self.row().status_reason))
        self.assertEqual(S.CREATE_COMPLETE, self.polled.expect_status)

    def test_a_newer_decision_stands_and_the_rest_is_stored(self):
        self.decide(S.DELETE_IN_PROGRESS)
        self.polled.status, self.polled.status_reason = S.CREATE_COMPLETE, 'all good'
        self.polled.api_address = 'https://10.0.0.1:6443'
        self.polled.save()
        row = self.row()
        self.assertEqual((S.DELETE_IN_PROGRESS, 'decided', 'https://10.0.0.1:6443'),
                         (row.status, row.status_reason, row.api_address))

    def test_afterwards_the_object_knows_the_decision(self):
        self.decide(S.DELETE_IN_PROGRESS)
        self.polled.status = S.CREATE_COMPLETE
        self.polled.save()
        self.assertEqual((S.DELETE_IN_PROGRESS, S.DELETE_IN_PROGRESS, 'decided', set()),
                         (self.polled.status, self.polled.expect_status,
                          self.polled.status_reason, self.polled.obj_what_changed()))

    def test_a_second_save_of_the_same_poll_is_stored(self):
        self.polled.status = S.UPDATE_IN_PROGRESS
        self.polled.save()
        self.polled.status = S.UPDATE_COMPLETE
        self.polled.save()
        self.assertEqual(S.UPDATE_COMPLETE, self.row().status)

    def test_a_save_without_a_status_is_stored(self):
        self.decide(S.DELETE_IN_PROGRESS)
        self.polled.coe_version = 'v1.30'
        self.polled.save()
        self.assertEqual((S.DELETE_IN_PROGRESS, 'v1.30'),
                         (self.row().status, self.row().coe_version))

    def test_refresh_expects_what_it_read(self):
        self.decide(S.UPDATE_IN_PROGRESS)
        self.polled.refresh()
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.polled.expect_status)
        self.cluster.refresh()
        self.assertIsNone(self.cluster.expect_status)

    def test_a_cluster_that_is_gone_is_not_found(self):
        self.cluster.destroy()
        self.polled.status = S.CREATE_COMPLETE
        self.assertRaises(exception.ClusterNotFound, self.polled.save)


class ExpectStatusRaceTest(ClusterTestCase):

    DATABASE_IN_FILE = True

    def test_of_two_that_expect_the_same_status_one_wins(self):
        outcomes = [S.CREATE_COMPLETE, S.CREATE_FAILED, S.DELETE_IN_PROGRESS, S.UPDATE_FAILED]
        barrier = threading.Barrier(len(outcomes))
        seen = []

        def write(status):
            cluster = objects.Cluster.get_by_uuid(self.admin_context, self.cluster.uuid)
            cluster.expect_status = cluster.status
            cluster.status = status
            barrier.wait(30)
            cluster.save()
            seen.append(cluster.status)

        threads = [threading.Thread(target=write, args=(status,)) for status in outcomes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual([self.row().status] * len(outcomes), seen)


class TemplateTest(ClusterTestCase):

    def test_it_is_loaded_when_it_is_read(self):
        cluster, statements = self.database.count_statements(
            objects.Cluster.get_by_uuid, self.context, self.cluster.uuid)
        self.assertEqual(1, len(statements))
        self.assertFalse(cluster.obj_attr_is_set('cluster_template'))
        self.assertEqual('clustermodel1', cluster.cluster_template.name)
        self.assertIs(cluster.cluster_template, cluster.cluster_template)
        self.assertIs(self.context, cluster.cluster_template._context)

    def test_a_template_that_nobody_may_see_is_loaded_for_the_clusters_owner(self):
        hidden = utils.create_test_cluster_template(
            self.context, uuid=uuidutils.generate_uuid(), project_id=fakes.OTHER_PROJECT_ID,
            public=True, hidden=True)
        self.cluster.cluster_template_id = hidden.uuid
        self.cluster.save()
        found = objects.Cluster.get_by_uuid(self.context, self.cluster.uuid)
        self.assertEqual(hidden.uuid, found.cluster_template.uuid)

    def test_only_reading_a_template_that_is_gone_fails(self):
        utils.create_test_cluster(self.context, uuid=uuidutils.generate_uuid(),
                                  cluster_template_id=uuidutils.generate_uuid())
        found = objects.Cluster.list(self.context)[-1]
        self.assertEqual(3, found.node_count)
        self.assertRaises(exception.ClusterTemplateNotFound, getattr, found, 'cluster_template')

    def test_nothing_else_can_be_loaded(self):
        self.assertRaises(ovo_exception.ObjectActionError, getattr,
                          objects.Cluster(self.context), 'name')

    def test_an_object_without_a_context_loads_nothing(self):
        cluster = objects.Cluster(cluster_template_id=self.template.uuid)
        self.assertRaises(ovo_exception.OrphanedObjectError, getattr, cluster, 'cluster_template')


class NodegroupsTest(ClusterTestCase):

    def test_the_counts_and_addresses_are_those_of_the_nodegroups(self):
        utils.create_test_nodegroup(
            self.context, uuid=uuidutils.generate_uuid(), name='more', is_default=False,
            node_count=4, node_addresses=['10.0.0.3'], role='gpu')
        self.assertEqual((6, 1, ['10.0.0.1', '10.0.0.2', '10.0.0.3'], ['10.0.0.9']),
                         (self.cluster.node_count, self.cluster.master_count,
                          self.cluster.node_addresses, self.cluster.master_addresses))

    def test_deleted_nodegroups_do_not_count(self):
        group = utils.create_test_nodegroup(
            self.context, uuid=uuidutils.generate_uuid(), name='more', is_default=False,
            node_count=4, status=S.DELETE_IN_PROGRESS)
        self.assertEqual(6, self.cluster.node_count)
        group.status = S.DELETE_COMPLETE
        group.save()
        self.assertEqual(2, self.cluster.node_count)

    def test_every_read_is_fresh(self):
        first = self.cluster.nodegroups[1]
        first.node_count = 7
        first.save()
        self.assertEqual(7, self.cluster.nodegroups[1].node_count)
        self.assertIsNot(self.cluster.nodegroups[1], self.cluster.nodegroups[1])

    def test_the_default_ones_are_found_by_role(self):
        self.assertEqual(('test-master', 'test-worker'),
                         (self.cluster.default_ng_master.name, self.cluster.default_ng_worker.name))

    def test_a_cluster_without_nodegroups_can_be_read(self):
        bare = utils.create_test_cluster(self.context, nodegroups=False,
                                         uuid=uuidutils.generate_uuid())
        self.assertEqual((0, 0, [], []), (bare.node_count, bare.master_count,
                                          bare.node_addresses, bare.master_addresses))
        self.assertRaises(exception.NodeGroupNotFound, getattr, bare, 'default_ng_worker')

    def test_as_dict_reads_the_nodegroups_once(self):
        values, statements = self.database.count_statements(self.cluster.as_dict)
        self.assertEqual(1, len(statements))
        self.assertEqual((2, 1, 'cluster1'),
                         (values['node_count'], values['master_count'], values['name']))
        self.assertNotIn('cluster_template', values)


class PrefetchTest(ClusterTestCase):

    def setUp(self):
        super().setUp()
        for number in range(5):
            utils.create_test_cluster(self.context, uuid=uuidutils.generate_uuid(),
                                      name=f'c{number}', node_count=number)
        self.clusters = objects.Cluster.list(self.context, sort_key='id')

    def read(self):
        return [(cluster.node_count, cluster.master_count, cluster.node_addresses,
                 cluster.master_addresses, cluster.default_ng_master.name,
                 cluster.default_ng_worker.name, [group.id for group in cluster.nodegroups],
                 cluster.cluster_template.name) for cluster in self.clusters]

    def test_two_queries_answer_what_else_takes_one_a_read(self):
        expected = self.read()
        self.clusters = objects.Cluster.list(self.context, sort_key='id')
        _none, statements = self.database.count_statements(
            objects.Cluster.prefetch, self.context, self.clusters)
        self.assertEqual(2, len(statements))
        found, statements = self.database.count_statements(self.read)
        self.assertEqual([], statements)
        self.assertEqual(expected, found)

    def test_each_part_can_be_left_out(self):
        for wanted in ({'nodegroups': False}, {'templates': False}):
            _none, statements = self.database.count_statements(
                objects.Cluster.prefetch, self.context, self.clusters, **wanted)
            self.assertEqual(1, len(statements))
        _none, statements = self.database.count_statements(
            objects.Cluster.prefetch, self.context, [])
        self.assertEqual([], statements)

    def test_a_template_that_is_gone_is_none_and_does_not_travel(self):
        lost = utils.create_test_cluster(self.context, uuid=uuidutils.generate_uuid(),
                                         cluster_template_id=uuidutils.generate_uuid())
        objects.Cluster.prefetch(self.context, [lost])
        self.assertIsNone(lost.cluster_template)
        self.assertNotIn('cluster_template', lost.as_dict())
        self.assertNotIn('cluster_template', lost.obj_to_primitive()['magnum_object.data'])

    def test_refresh_forgets_it(self):
        cluster = self.clusters[0]
        objects.Cluster.prefetch(self.context, self.clusters)
        group = objects.NodeGroup.get_by_name(self.context, cluster.uuid, 'test-worker')
        group.node_count = 50
        group.save()
        self.assertEqual(2, cluster.node_count)
        cluster.refresh()
        self.assertEqual(50, cluster.node_count)
