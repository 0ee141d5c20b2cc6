# SPDX-License-Identifier: Apache-2.0

import concurrent.futures
import json
import threading

import oslo_messaging as messaging

from magnum_ng.common import exception
from magnum_ng.conductor import decisions
from magnum_ng.conductor import states
from magnum_ng.db.sqlalchemy import operations
from magnum_ng import objects
from magnum_ng.tests.unit.conductor import base
from magnum_ng.tests.unit.objects import utils as object_utils

S = states.S


class TestCreate(base.ConductorTestCase):

    def test_cluster_and_nodegroups_are_there_at_once(self):
        new = self.new_cluster(flavor_id='small', labels={'min_node_count': '1',
                                                          'max_node_count': '3'})
        with decisions.create_cluster(self.context, new, 3, 2, 60) as operation:
            self.assertEqual(operation.uuid, self.context.operation)
        self.assertIsNone(self.context.operation)
        stored = self.reload(new)
        self.assertEqual(S.CREATE_IN_PROGRESS, stored.status)
        master, worker = stored.nodegroups
        self.assertEqual(('default-master', 'master', 3, True, S.CREATE_IN_PROGRESS, 'm1.small'),
                         (master.name, master.role, master.node_count, master.is_default,
                          master.status, master.flavor_id))
        self.assertEqual(('default-worker', 'worker', 2, True, S.CREATE_IN_PROGRESS, 'small'),
                         (worker.name, worker.role, worker.node_count, worker.is_default,
                          worker.status, worker.flavor_id))
        self.assertEqual((1, 3), (worker.min_node_count, worker.max_node_count))
        self.assertIsNotNone(new.uuid)
        self.assertIsNotNone(new.created_at)

    def test_token_is_not_recorded(self):
        self.context.auth_token = 'very-secret'
        with decisions.create_cluster(self.context, self.new_cluster(), 1, 1, 60):
            recorded = self.operations()[0].as_dict()
        self.assertNotIn('very-secret', str(recorded))
        self.assertEqual(self.context.user_id, recorded['user_id'])

    def test_label_that_is_no_number_is_refused(self):
        for value in ('abc', '-1', '1.5', '', '١'):
            error = self.assertRaises(
                exception.InvalidParameterValue,
                decisions.create_cluster(self.context,
                                         self.new_cluster(labels={'max_node_count': value}),
                                         1, 1, 60).__enter__)
            self.assertIn('max_node_count', str(error))
        self.assertEqual(0, self.count('cluster'))

    def test_broker_that_is_down_leaves_nothing(self):
        new = self.new_cluster()

        def request():
            with decisions.create_cluster(self.context, new, 1, 1, 60):
                raise messaging.MessageDeliveryFailure('no broker')

        error = self.assertRaises(exception.ConductorUnavailable, request)
        self.assertEqual(503, error.code)
        for table in ('cluster', 'nodegroup', 'ng_operation'):
            self.assertEqual(0, self.count(table), table)

    def test_quota_refuses_the_one_too_many(self):
        object_utils.create_test_quota(self.context, hard_limit=1)
        with decisions.create_cluster(self.context, self.new_cluster(), 1, 1, 60):
            pass
        error = self.assertRaises(
            exception.ResourceLimitExceeded,
            decisions.create_cluster(self.context, self.new_cluster(), 1, 1, 60).__enter__)
        self.assertEqual(
            'Resource limit exceeded: You have reached the maximum clusters per project, 1. You '
            'may delete a cluster to make room for a new one.', str(error))
        self.assertEqual(403, error.code)

    def test_without_a_quota_the_configured_limit_holds(self):
        self.config('quotas', max_clusters_per_project=0)
        self.assertRaises(
            exception.ResourceLimitExceeded,
            decisions.create_cluster(self.context, self.new_cluster(), 1, 1, 60).__enter__)


class TestQuotaRace(base.ConductorTestCase):
    DATABASE_IN_FILE = True

    def test_parallel_requests_do_not_exceed_the_limit(self):
        object_utils.create_test_quota(self.context, hard_limit=3)
        start = threading.Barrier(8)

        def request(number):
            new = self.new_cluster(name=f'c{number}')
            start.wait()
            try:
                with decisions.create_cluster(self.make_context(), new, 1, 1, 60):
                    return True
            except exception.ResourceLimitExceeded:
                return False

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            results = list(pool.map(request, range(8)))
        self.assertEqual(3, results.count(True))
        self.assertEqual(3, self.count('cluster'))
        self.assertEqual(6, self.count('nodegroup'))


class TestHandOver(base.ConductorTestCase):

    def _fails(self, error, request, *args):
        def hand_over():
            with request(self.context, *args):
                raise error

        return self.assertRaises(exception.ConductorUnavailable, hand_over)

    def test_resize_is_undone_when_the_broker_is_down(self):
        cluster = self.make_cluster(S.UPDATE_FAILED, workers=2, status_reason='why')
        group = self.worker(cluster)
        self._fails(messaging.MessageDeliveryFailure(), decisions.resize_cluster, cluster, 5,
                    ['a'], group)
        stored, worker = self.reload(cluster), self.worker(cluster)
        self.assertEqual((S.UPDATE_FAILED, 'why'), (stored.status, stored.status_reason))
        self.assertEqual((2, S.CREATE_COMPLETE), (worker.node_count, worker.status))
        self.assertEqual((S.UPDATE_FAILED, 2), (cluster.status, group.node_count))
        self.assertEqual([], self.operations())

    def test_every_way_of_losing_the_broker_counts(self):
        from kombu import exceptions as kombu_exceptions

        for error in (messaging.MessageDeliveryFailure(), ConnectionRefusedError(), OSError(),
                      kombu_exceptions.OperationalError('gone')):
            cluster = self.make_cluster()
            self._fails(error, decisions.delete_cluster, cluster)
            self.assertEqual(S.CREATE_COMPLETE, self.reload(cluster).status)

    def test_nodegroup_is_gone_again_when_the_broker_is_down(self):
        cluster = self.make_cluster()
        group = objects.NodeGroup(self.context, name='extra', cluster_id=cluster.uuid,
                                  project_id=cluster.project_id, role='worker', node_count=1)
        self._fails(OSError(), decisions.create_nodegroup, cluster, group)
        self.assertEqual(0, self.count('nodegroup', name='extra'))
        self.assertEqual(S.CREATE_COMPLETE, self.reload(cluster).status)

    def test_changed_nodegroup_is_as_before_when_the_broker_is_down(self):
        cluster = self.make_cluster()
        group = self.make_nodegroup(cluster, 'extra', max_node_count=4, node_labels={'a': '1'})
        group.max_node_count = 9
        group.node_labels = {'b': '2'}
        self._fails(OSError(), decisions.update_nodegroup, cluster, group)
        stored = objects.NodeGroup.get_by_uuid(self.context, cluster.uuid, group.uuid)
        self.assertEqual((4, {'a': '1'}, S.CREATE_COMPLETE),
                         (stored.max_node_count, stored.node_labels, stored.status))

    def test_operation_that_a_conductor_has_got_is_not_undone(self):
        cluster = self.make_cluster()
        with decisions.delete_cluster(self.context, cluster) as operation:
            operations.claim(operation.uuid, 'somebody', 60)
            # The message went out, its confirmation did not come back.
            raise messaging.MessageDeliveryFailure('no confirmation')
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(cluster).status)
        self.assertEqual(1, len(self.operations()))

    def test_conductor_that_does_not_answer_in_time_goes_on(self):
        cluster = self.make_cluster()
        with decisions.rotate_ca_certificate(self.context, cluster):
            raise messaging.MessagingTimeout()
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)
        self.assertEqual(1, len(self.operations()))

    def test_error_of_the_conductor_reaches_the_caller(self):
        cluster = self.make_cluster()

        def request():
            with decisions.rotate_credential(self.context, cluster):
                raise exception.NotSupported('The driver cannot.')

        self.assertRaises(exception.NotSupported, request)

    def test_size_written_by_a_later_request_survives_the_undo_of_an_earlier_one(self):
        cluster = self.make_cluster(workers=1)

        def first():
            with decisions.resize_cluster(self.context, cluster, 5, [], self.worker(cluster)):
                other = self.make_context()
                with decisions.resize_cluster(other, self.reload(cluster), 7, [],
                                              self.worker(cluster)):
                    pass
                raise OSError()

        self.assertRaises(exception.ConductorUnavailable, first)
        self.assertEqual(7, self.worker(cluster).node_count)
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)
        left, = self.operations()
        before = json.loads(left.before)
        self.assertEqual(S.CREATE_COMPLETE, before['cluster']['status'])
        self.assertEqual(1, before['nodegroups'][self.worker(cluster).uuid]['node_count'])


class TestSizes(base.ConductorTestCase):

    def test_second_scale_down_builds_on_the_first(self):
        cluster = self.make_cluster(workers=3)
        for count in (2, 1):
            with decisions.resize_cluster(self.context, cluster, count, ['x'],
                                          self.worker(cluster)):
                pass
            self.assertEqual(count, self.worker(cluster).node_count)
        self.assertEqual([3, 2], [
            json.loads(operation.before)['nodegroups'][operation.nodegroup_uuid]['node_count']
            for operation in self.operations()])

    def test_same_size_with_nodes_to_remove_is_an_operation(self):
        cluster = self.make_cluster(workers=3)
        with decisions.resize_cluster(self.context, cluster, 3, ['x'],
                                      self.worker(cluster)) as operation:
            self.assertEqual({'node_count': 3, 'nodes_to_remove': ['x']},
                             json.loads(operation.arguments))

    def test_bounds_hold_under_the_lock_on_every_way_to_a_size(self):
        cluster = self.make_cluster(workers=2)
        group = self.worker(cluster)
        group.min_node_count, group.max_node_count = 2, 3
        group.save()
        for count in (1, 4):
            for request in (
                    decisions.update_cluster(self.context, cluster, count),
                    decisions.resize_cluster(self.context, cluster, count, [], group)):
                error = self.assertRaises(exception.NGResizeOutBounds, request.__enter__)
                self.assertIn('min_node_count = 2, max_node_count = 3', str(error))
        self.assertEqual(2, self.worker(cluster).node_count)

    def test_update_to_the_same_size_is_nothing(self):
        cluster = self.make_cluster(workers=2)
        with decisions.update_cluster(self.context, cluster, 2) as operation:
            self.assertIsNone(operation)
        self.assertEqual(S.CREATE_COMPLETE, self.reload(cluster).status)


class TestHealthReport(base.ConductorTestCase):

    def test_is_stored_in_every_status_and_touches_nothing_else(self):
        for status in S.ALL:
            cluster = self.make_cluster(status, workers=4)
            decisions.report_health(self.context, cluster, 'UNHEALTHY', {'api': 'down', 'n': 1})
            stored = self.reload(cluster)
            self.assertEqual((status, 'UNHEALTHY', {'api': 'down', 'n': '1'}, 4),
                             (stored.status, stored.health_status, stored.health_status_reason,
                              self.worker(cluster).node_count))
        self.assertEqual([], self.operations())

    def test_can_be_taken_back(self):
        cluster = self.make_cluster(health_status='HEALTHY')
        decisions.report_health(self.context, cluster, None, None)
        self.assertIsNone(self.reload(cluster).health_status)


class TestDeletion(base.ConductorTestCase):

    def test_second_deletion_has_nothing_to_send(self):
        cluster = self.make_cluster()
        with decisions.delete_cluster(self.context, cluster) as operation:
            self.assertIsNotNone(operation)
        with decisions.delete_cluster(self.context, cluster) as operation:
            self.assertIsNone(operation)
        self.assertEqual(1, len(self.operations()))

    def test_second_deletion_of_a_nodegroup_has_nothing_to_send(self):
        cluster = self.make_cluster()
        group = self.make_nodegroup(cluster, 'extra')
        with decisions.delete_nodegroup(self.context, cluster, group) as operation:
            self.assertIsNotNone(operation)
        self.assertEqual(S.DELETE_IN_PROGRESS, group.status)
        with decisions.delete_nodegroup(self.context, cluster, group) as operation:
            self.assertIsNone(operation)

    def test_default_nodegroup_stays(self):
        cluster = self.make_cluster()
        self.assertRaises(
            exception.DeletingDefaultNGNotSupported,
            decisions.delete_nodegroup(self.context, cluster, self.worker(cluster)).__enter__)

    def test_force_removes_everything_and_tells_what_is_left(self):
        cluster = self.make_cluster(S.DELETE_FAILED, ca_cert_ref='ca')
        self.certificates.add('ca')
        self.make_nodegroup(cluster, 'extra', stack_id='s2')
        left = decisions.force_delete_cluster(self.admin_context, cluster)
        self.assertEqual(cluster.stack_id, left['stack_id'])
        self.assertEqual(['default-master', 'default-worker', 'extra'],
                         [group['name'] for group in left['nodegroups']])
        self.assertFalse(self.exists(cluster))
        self.assertEqual(0, self.count('nodegroup'))
        self.assertEqual(set(), self.certificates)

    def test_force_waits_for_a_driver_at_work(self):
        cluster = self.make_cluster(S.DELETE_IN_PROGRESS)
        operations.take_lock(cluster.uuid, 'somebody', operations.FOR_OPERATION, 60)
        error = self.assertRaises(exception.OperationInProgress,
                                  decisions.force_delete_cluster, self.admin_context, cluster)
        self.assertEqual(409, error.code)
        self.assertTrue(self.exists(cluster))


class TestTwins(base.ConductorTestCase):

    def test_only_one_nodegroup_of_a_name(self):
        cluster = self.make_cluster()

        def request():
            return decisions.create_nodegroup(self.context, cluster, objects.NodeGroup(
                self.context, name='twin', cluster_id=cluster.uuid,
                project_id=cluster.project_id, role='worker', node_count=1))

        with request():
            pass
        self.assertRaises(exception.NodeGroupAlreadyExists, request().__enter__)
        self.assertEqual(1, len(self.operations()))
