# SPDX-License-Identifier: Apache-2.0
"""Operations from message to outcome, through handlers, dispatcher and a recording driver."""

import concurrent.futures
import time

from magnum_ng.common import exception
from magnum_ng.conductor import decisions
from magnum_ng.conductor import dispatcher
from magnum_ng.conductor.handlers import ca_conductor
from magnum_ng.conductor.handlers import cluster_conductor
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.conductor.handlers import credential_conductor
from magnum_ng.conductor.handlers import nodegroup_conductor
from magnum_ng.conductor import leases
from magnum_ng.conductor import states
from magnum_ng.db.sqlalchemy import operations as records
from magnum_ng import objects
from magnum_ng.tests.unit.conductor import base

S = states.S


class HandlerTestCase(base.ConductorTestCase):
    DATABASE_IN_FILE = True

    def setUp(self):
        super().setUp()
        self.clusters = cluster_conductor.Handler()
        self.nodegroups = nodegroup_conductor.Handler()
        self.certificates_ = ca_conductor.Handler()
        self.credentials = credential_conductor.Handler()

    def settle(self):
        base.wait_until(lambda: not self.operations() and not self.count('ng_cluster_lock'))

    # What API and conductor do together

    def create(self, new, masters=1, workers=1, timeout=60):
        with decisions.create_cluster(self.context, new, masters, workers, timeout) as operation:
            self.clusters.cluster_create(self.message_context(operation), new, masters, workers,
                                         timeout)

    def resize(self, cluster, count, remove=(), group=None):
        group = group or self.worker(cluster)
        with decisions.resize_cluster(self.context, cluster, count, list(remove),
                                      group) as operation:
            self.clusters.cluster_resize(self.message_context(operation), cluster, count,
                                         list(remove), group)

    def delete(self, cluster):
        with decisions.delete_cluster(self.context, cluster) as operation:
            if operation:
                self.clusters.cluster_delete(self.message_context(operation), cluster.uuid)

    def upgrade(self, cluster, template, group=None):
        group = group or self.worker(cluster)
        with decisions.upgrade_cluster(self.context, cluster, template, 1, group) as operation:
            return self.clusters.cluster_upgrade(self.message_context(operation), cluster,
                                                 template, 1, group)

    def rotate_ca(self, cluster):
        with decisions.rotate_ca_certificate(self.context, cluster) as operation:
            return self.certificates_.rotate_ca_certificate(self.message_context(operation),
                                                            cluster)

    def rotate_credential(self, cluster):
        with decisions.rotate_credential(self.context, cluster) as operation:
            self.credentials.credential_rotate(self.message_context(operation), cluster)


class TestClusters(HandlerTestCase):

    def test_create_gives_certificates_to_the_driver_and_its_stack_to_the_nodegroups(self):
        seen = []
        self.driver.behaviour['create_cluster'] = lambda context, cluster, timeout: seen.extend([
            cluster.ca_cert_ref, self.reload(cluster).ca_cert_ref, timeout,
            [group.status for group in cluster.nodegroups]])
        new = self.new_cluster()
        self.create(new)
        self.settle()
        stored = self.reload(new)
        self.assertIn(stored.ca_cert_ref, self.certificates)
        self.assertEqual([stored.ca_cert_ref, stored.ca_cert_ref, 60,
                          [S.CREATE_IN_PROGRESS] * 2], seen)
        self.assertEqual(S.CREATE_IN_PROGRESS, stored.status)
        self.assertEqual({f'stack-{new.uuid}'}, {stored.stack_id} | {
            group.stack_id for group in stored.nodegroups})
        self.assertEqual([('create', 'pending')], self.notifications)

    def test_failed_create_fails_its_nodegroups_and_tells_why(self):
        self.driver.behaviour['create_cluster'] = RuntimeError(
            'POST http://admin:hunter2@10.0.0.1/v3: no room, password=hunter2')
        new = self.new_cluster()
        self.create(new)
        self.settle()
        stored = self.reload(new)
        self.assertEqual(S.CREATE_FAILED, stored.status)
        self.assertIn('no room', stored.status_reason)
        self.assertNotIn('hunter2', stored.status_reason)
        self.assertEqual([(S.CREATE_FAILED, stored.status_reason)] * 2, [
            (group.status, group.status_reason) for group in stored.nodegroups])
        self.assertEqual([('create', 'pending'), ('create', 'failure')], self.notifications)
        # The references are known, so that they go with the cluster.
        self.assertIn(stored.ca_cert_ref, self.certificates)

    def test_driver_that_is_disabled_or_beta_makes_nothing_new(self):
        self.template.driver = 'recorder'
        self.template.save()
        for beta, options in ((False, {'disabled_drivers': ['recorder']}),
                              (True, {'disabled_drivers': []})):
            self.driver.beta = beta
            self.config('drivers', **options)
            new = self.new_cluster()
            self.create(new)
            self.settle()
            self.assertEqual(S.CREATE_FAILED, self.reload(new).status)
            self.assertEqual([], self.driver.calls)

    def test_driver_that_is_not_installed_fails_with_a_reason(self):
        self.install_drivers([])
        cluster = self.make_cluster()
        self.delete(cluster)
        self.settle()
        stored = self.reload(cluster)
        self.assertEqual(S.DELETE_FAILED, stored.status)
        self.assertIn('not supported', stored.status_reason)

    def test_resize_reaches_the_driver_with_all_it_needs(self):
        cluster = self.make_cluster(workers=3)
        self.resize(cluster, 2, ['node-1'])
        self.settle()
        (name, (_context, given, _manager, count, remove, group)), = self.driver.calls
        self.assertEqual(('resize_cluster', 2, ['node-1']), (name, count, remove))
        self.assertEqual((2, S.UPDATE_IN_PROGRESS), (group.node_count, group.status))
        self.assertEqual(S.UPDATE_IN_PROGRESS, given.status)
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)

    def test_failed_resize_restores_the_size_before_it(self):
        cluster = self.make_cluster(workers=1)
        self.resize(cluster, 5)
        self.settle()
        self.driver.behaviour['resize_cluster'] = RuntimeError('no')
        self.resize(cluster, 6)
        self.settle()
        worker = self.worker(cluster)
        self.assertEqual((5, S.UPDATE_FAILED, 'no'),
                         (worker.node_count, worker.status, worker.status_reason))
        self.assertEqual((S.UPDATE_FAILED, 'no'), (self.reload(cluster).status,
                                                   self.reload(cluster).status_reason))

    def test_failed_resize_with_another_one_behind_it(self):
        cluster = self.make_cluster(workers=1)
        gate = base.Gate()

        def fail_first(*args):
            if args[3] == 5:
                gate()
                raise RuntimeError('no')

        self.driver.behaviour['resize_cluster'] = fail_first
        self.resize(cluster, 5)
        gate.entered.wait(5)
        self.resize(cluster, 6)
        gate.open()
        self.settle()
        self.assertEqual([5, 6], [args[3] for _name, args in self.driver.calls])
        worker = self.worker(cluster)
        self.assertEqual((6, S.UPDATE_IN_PROGRESS), (worker.node_count, worker.status))
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)

    def test_two_failed_resizes_end_at_the_first_size(self):
        cluster = self.make_cluster(workers=1)
        gate = base.Gate()

        def fail(*args):
            gate()
            raise RuntimeError('no')

        self.driver.behaviour['resize_cluster'] = fail
        self.resize(cluster, 5)
        gate.entered.wait(5)
        self.resize(cluster, 6)
        gate.open()
        self.settle()
        self.assertEqual((1, S.UPDATE_FAILED), (self.worker(cluster).node_count,
                                                self.worker(cluster).status))

    def _update(self, cluster, count):
        with decisions.update_cluster(self.context, cluster, count) as operation:
            self.clusters.cluster_update(self.message_context(operation), cluster, count, None,
                                         None)

    def test_update_saves_the_size_for_the_driver(self):
        cluster = self.make_cluster()
        seen = []
        self.driver.behaviour['update_cluster'] = (
            lambda context, given, manager, rollback: seen.append(given.node_count))
        self._update(cluster, 3)
        self.settle()
        self.assertEqual([3], seen)
        self.assertEqual(3, self.worker(cluster).node_count)

    def test_update_that_the_driver_does_not_know_becomes_a_resize(self):
        self.driver.behaviour['update_cluster'] = NotImplementedError
        cluster = self.make_cluster()
        self._update(cluster, 3)
        self.settle()
        self.assertEqual(['update_cluster', 'resize_cluster'], self.called())
        _context, _cluster, _manager, count, remove, group = self.driver.calls[1][1]
        self.assertEqual((3, [], 'default-worker'), (count, remove, group.name))
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)

    def test_deletion_is_asked_for_once(self):
        cluster = self.make_cluster()
        self.delete(cluster)
        self.settle()
        self.delete(cluster)
        self.assertEqual(['delete_cluster'], self.called())
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(cluster).status)

    def test_deletion_of_what_never_came_to_its_driver_needs_no_driver(self):
        cluster = self.make_cluster(S.CREATE_FAILED, stack_id=None)
        self.delete(cluster)
        self.settle()
        self.assertEqual([], self.called())
        self.assertEqual(S.DELETE_COMPLETE, self.reload(cluster).status)

    def test_template_that_is_hidden_or_gone_blocks_nothing(self):
        self.template.hidden = True
        self.template.save()
        hidden = self.make_cluster()
        gone = self.make_cluster(cluster_template_id='0aec6d6d-40b4-4c47-8b75-9b4f5a1f1ec3')
        for cluster in (hidden, gone):
            self.delete(cluster)
        self.settle()
        self.assertEqual(['delete_cluster'] * 2, self.called())

    def test_broken_notifications_change_nothing(self):
        self.patch_object('magnum_ng.common.rpc.notifications_wanted', lambda: 1 / 0)
        cluster = self.make_cluster()
        self.delete(cluster)
        self.settle()
        self.assertEqual(['delete_cluster'], self.called())


class TestUpgrade(HandlerTestCase):

    def setUp(self):
        super().setUp()
        from magnum_ng.tests.unit.objects import utils as object_utils

        self.target = object_utils.create_test_cluster_template(
            self.context, id=77, name='t2', uuid='a23b2a2d-13ea-4c34-8b75-9b4f5a1f1ec3')

    def test_driver_gets_seven_arguments_in_their_places(self):
        cluster = self.make_cluster()
        result = self.upgrade(cluster, self.target)
        self.assertEqual(cluster.uuid, result.uuid)
        (_name, (_context, _cluster, template, batch, group, manager, rollback)), = (
            self.driver.calls)
        self.assertEqual((self.target.uuid, 1, 'default-worker', None, False),
                         (template.uuid, batch, group.name, manager, rollback))
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.worker(cluster).status)
        # It is switched when the driver reports the end.
        self.assertEqual(self.template.uuid, self.reload(cluster).cluster_template_id)

    def test_refusal_of_the_driver_changes_nothing(self):
        for refusal in (exception.NotSupported('Not this one.'), NotImplementedError()):
            self.driver.behaviour['upgrade_cluster'] = refusal
            cluster = self.make_cluster(S.UPDATE_FAILED, status_reason='before')
            error = self.assertRaises(exception.NotSupported, self.upgrade, cluster, self.target)
            self.assertEqual(400, error.code)
            stored = self.reload(cluster)
            self.assertEqual((S.UPDATE_FAILED, 'before'), (stored.status, stored.status_reason))
            self.assertEqual(S.CREATE_COMPLETE, self.worker(cluster).status)
        self.settle()

    def test_failure_is_recorded_and_told(self):
        self.driver.behaviour['upgrade_cluster'] = RuntimeError('token gAAAAAabcdefghijklmnopq')
        cluster = self.make_cluster()
        error = self.assertRaises(exception.MagnumException, self.upgrade, cluster, self.target)
        self.assertNotIn('gAAAAA', str(error))
        self.assertEqual(S.UPDATE_FAILED, self.reload(cluster).status)
        self.assertEqual(S.UPDATE_FAILED, self.worker(cluster).status)

    def test_error_class_of_a_driver_is_told_as_one_that_everybody_knows(self):
        class DriversOwn(exception.Conflict):
            message = 'The drivers own %(what)s'

        self.driver.behaviour['upgrade_cluster'] = DriversOwn(what='words')
        error = self.assertRaises(exception.MagnumException, self.upgrade, self.make_cluster(),
                                  self.target)
        self.assertIs(exception.MagnumException, type(error))
        self.assertEqual((409, 'The drivers own words'), (error.code, str(error)))


class TestNodegroups(HandlerTestCase):

    def _new(self, cluster, name='extra'):
        return objects.NodeGroup(self.context, name=name, cluster_id=cluster.uuid,
                                 project_id=cluster.project_id, role='worker', node_count=1)

    def _create(self, cluster, group):
        with decisions.create_nodegroup(self.context, cluster, group) as operation:
            self.nodegroups.nodegroup_create(self.message_context(operation), cluster, group)

    def _delete(self, cluster, group):
        with decisions.delete_nodegroup(self.context, cluster, group) as operation:
            if operation:
                self.nodegroups.nodegroup_delete(self.message_context(operation), cluster, group)

    def _get(self, cluster, name='extra'):
        return objects.NodeGroup.get_by_name(self.context, cluster.uuid, name)

    def test_create_stores_what_the_driver_has_set(self):
        cluster = self.make_cluster()
        self._create(cluster, self._new(cluster))
        self.settle()
        group = self._get(cluster)
        self.assertEqual((S.CREATE_IN_PROGRESS, f'stack-{group.uuid}'),
                         (group.status, group.stack_id))
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)

    def test_failed_create_is_a_fault_of_the_nodegroup(self):
        self.driver.behaviour['create_nodegroup'] = RuntimeError('no room')
        cluster = self.make_cluster()
        self._create(cluster, self._new(cluster))
        self.settle()
        group = self._get(cluster)
        self.assertEqual((S.CREATE_FAILED, 'no room'), (group.status, group.status_reason))
        self.assertEqual((S.UPDATE_FAILED, 'no room'), (self.reload(cluster).status,
                                                        self.reload(cluster).status_reason))

    def test_many_at_once_run_one_after_another(self):
        running, most = [0], [0]

        def slow(*args):
            running[0] += 1
            most[0] = max(most[0], running[0])
            time.sleep(0.03)
            running[0] -= 1

        self.driver.behaviour['create_nodegroup'] = slow
        cluster = self.make_cluster()
        for number in range(5):
            self._create(cluster, self._new(cluster, f'n{number}'))
        self.settle()
        self.assertEqual(1, most[0])
        self.assertEqual([f'n{number}' for number in range(5)],
                         [args[2].name for _name, args in self.driver.calls])

    def test_deletion_stays_visible_whatever_the_driver_saves(self):
        cluster = self.make_cluster()
        group = self.make_nodegroup(cluster, 'extra')
        self._delete(cluster, group)
        self.settle()
        self.assertEqual(S.DELETE_IN_PROGRESS, self._get(cluster).status)
        self.assertEqual(['delete_nodegroup'], self.called())

    def test_deletion_of_what_the_driver_cannot_find_removes_the_row(self):
        class HTTPNotFound(Exception):
            code = 404

        self.driver.behaviour['delete_nodegroup'] = HTTPNotFound('gone')
        cluster = self.make_cluster()
        self._delete(cluster, self.make_nodegroup(cluster, 'extra'))
        self.settle()
        self.assertRaises(exception.NodeGroupNotFound, self._get, cluster)
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)

    def test_failed_deletion_can_be_tried_again(self):
        self.driver.behaviour['delete_nodegroup'] = RuntimeError('no')
        cluster = self.make_cluster()
        group = self.make_nodegroup(cluster, 'extra')
        self._delete(cluster, group)
        self.settle()
        self.assertEqual(S.DELETE_FAILED, self._get(cluster).status)
        self._delete(cluster, group)
        self.settle()
        self.assertEqual(2, len(self.driver.calls))

    def test_deletion_is_not_hidden_by_a_resize_that_was_queued_before_it(self):
        cluster = self.make_cluster()
        group = self.make_nodegroup(cluster, 'extra')
        gate = base.Gate()
        self.driver.behaviour['resize_cluster'] = gate
        self.resize(cluster, 2, group=group)
        gate.entered.wait(5)
        self.resize(cluster, 3, group=group)
        self._delete(cluster, group)
        gate.open()
        self.settle()
        self.assertEqual(['resize_cluster', 'resize_cluster', 'delete_nodegroup'], self.called())
        self.assertEqual(S.DELETE_IN_PROGRESS, self._get(cluster).status)


class TestRotation(HandlerTestCase):

    def _cluster(self, **values):
        references = {name: f'old-{name}' for name in cert_manager.REFERENCES}
        self.certificates.update(references.values())
        return self.make_cluster(**references, **values)

    def _references(self, cluster):
        return {name: getattr(cluster, name) for name in cert_manager.REFERENCES}

    def test_new_references_are_stored_when_the_driver_has_taken_them(self):
        cluster = self._cluster()
        seen = []
        self.driver.behaviour['rotate_ca_certificate'] = lambda context, given: seen.extend([
            given.ca_cert_ref, self.reload(cluster).ca_cert_ref])
        self.rotate_ca(cluster)
        stored = self.reload(cluster)
        self.assertEqual([stored.ca_cert_ref, 'old-ca_cert_ref'], seen)
        self.assertEqual(set(self._references(stored).values()), self.certificates)
        self.assertEqual(S.UPDATE_IN_PROGRESS, stored.status)

    def test_driver_that_cannot_rotate_changes_nothing(self):
        for refusal in (exception.NotSupported('I cannot'), NotImplementedError()):
            cluster = self._cluster()
            self.driver.behaviour['rotate_ca_certificate'] = refusal
            before = set(self.certificates)
            error = self.assertRaises(exception.NotSupported, self.rotate_ca, cluster)
            self.assertEqual(400, error.code)
            stored = self.reload(cluster)
            self.assertEqual(self._references(cluster), self._references(stored))
            self.assertEqual(S.CREATE_COMPLETE, stored.status)
            self.assertEqual(before, self.certificates)

    def test_driver_without_rotation_costs_no_keys(self):
        self.driver.rotate_ca_certificate = base.driver.Driver.rotate_ca_certificate
        self.patch_object('magnum_ng.conductor.handlers.common.cert_manager.'
                          'generate_certificates', lambda *args, **kwargs: 1 / 0)
        error = self.assertRaises(exception.NotSupported, self.rotate_ca, self._cluster())
        self.assertEqual("'rotate_ca_certificate' is not supported by this driver.", str(error))

    def test_failed_rotation_keeps_the_old_certificates(self):
        cluster = self._cluster()
        self.driver.behaviour['rotate_ca_certificate'] = RuntimeError('broken')
        before = set(self.certificates)
        self.assertRaises(exception.MagnumException, self.rotate_ca, cluster)
        stored = self.reload(cluster)
        self.assertEqual(self._references(cluster), self._references(stored))
        self.assertEqual((S.UPDATE_FAILED, 'broken'), (stored.status, stored.status_reason))
        self.assertEqual(before, self.certificates)

    def test_credential_rotation_that_is_not_supported(self):
        self.driver.behaviour['rotate_credential'] = NotImplementedError
        cluster = self.make_cluster()
        error = self.assertRaises(exception.NotSupported, self.rotate_credential, cluster)
        self.assertEqual('Credential rotation is not supported by driver.', str(error))
        self.assertEqual(S.CREATE_COMPLETE, self.reload(cluster).status)

    def test_credential_rotation_leaves_the_status_to_the_driver(self):
        cluster = self.make_cluster()
        self.rotate_credential(cluster)
        self.assertEqual(S.CREATE_COMPLETE, self.reload(cluster).status)

        def update(context, given):
            given.status = S.UPDATE_IN_PROGRESS

        self.driver.behaviour['rotate_credential'] = update
        self.rotate_credential(cluster)
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)

    def test_failed_credential_rotation_is_recorded(self):
        self.driver.behaviour['rotate_credential'] = RuntimeError('keystone says no')
        cluster = self.make_cluster()
        self.assertRaises(exception.MagnumException, self.rotate_credential, cluster)
        self.assertEqual((S.UPDATE_FAILED, 'keystone says no'),
                         (self.reload(cluster).status, self.reload(cluster).status_reason))


class TestOrder(HandlerTestCase):

    def test_operations_run_in_the_order_of_acceptance_not_of_arrival(self):
        cluster = self.make_cluster()
        group = self.worker(cluster)
        accepted = []
        for count in (2, 3, 4):
            with decisions.resize_cluster(self.context, cluster, count, [], group) as operation:
                accepted.append(self.message_context(operation))
        for context, count in reversed(list(zip(accepted, (2, 3, 4)))):
            self.clusters.cluster_resize(context, cluster, count, [], group)
        self.settle()
        self.assertEqual([2, 3, 4], [args[3] for _name, args in self.driver.calls])

    def test_deletion_wins_over_what_is_queued(self):
        cluster = self.make_cluster()
        gate = base.Gate()
        self.driver.behaviour['resize_cluster'] = gate
        self.resize(cluster, 2)
        gate.entered.wait(5)
        self.resize(cluster, 3)
        self.resize(cluster, 4)
        self.delete(cluster)
        self.assertRaises(exception.OperationNotAllowed, self.resize, cluster, 5)
        gate.open()
        self.settle()
        self.assertEqual(['resize_cluster', 'delete_cluster'], self.called())
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(cluster).status)

    def test_deletion_takes_along_what_another_conductor_has_not_begun(self):
        for failure in (None, RuntimeError('no')):
            self.driver.behaviour['delete_cluster'] = failure
            cluster = self.make_cluster()
            group = self.worker(cluster)
            with decisions.resize_cluster(self.context, cluster, 2, [], group) as operation:
                records.claim(operation.uuid, 'another', 60)
            self.delete(cluster)
            self.settle()
        self.assertEqual(['delete_cluster'] * 2, self.called())

    def test_deletion_is_not_undone_by_the_failure_of_what_was_running(self):
        cluster = self.make_cluster()
        gate = base.Gate()

        def fail(*args):
            gate()
            args[1].status = S.UPDATE_COMPLETE
            args[1].save()
            raise RuntimeError('no')

        self.driver.behaviour['resize_cluster'] = fail
        self.resize(cluster, 2)
        gate.entered.wait(5)
        self.delete(cluster)
        gate.open()
        self.settle()
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(cluster).status)

    def test_deletion_that_could_not_be_sent_leaves_the_queue_alone(self):
        cluster = self.make_cluster()
        gate = base.Gate()
        self.driver.behaviour['resize_cluster'] = gate
        self.resize(cluster, 2)
        gate.entered.wait(5)
        self.resize(cluster, 3)

        def request():
            with decisions.delete_cluster(self.context, cluster):
                time.sleep(0.3)
                raise OSError()

        self.assertRaises(exception.ConductorUnavailable, request)
        gate.open()
        self.settle()
        self.assertEqual([2, 3], [args[3] for _name, args in self.driver.calls])
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)

    def test_caller_of_a_dropped_operation_is_told(self):
        cluster = self.make_cluster()
        gate = base.Gate()
        self.driver.behaviour['resize_cluster'] = gate
        self.resize(cluster, 2)
        gate.entered.wait(5)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(self.rotate_credential, cluster)
            base.wait_until(lambda: len(self.operations()) == 2
                            and self.operations()[1].owner)
            self.delete(cluster)
            gate.open()
            error = self.assertRaises(exception.OperationNotAllowed, waiting.result, 10)
        self.assertIn('DELETE_IN_PROGRESS', str(error))
        self.settle()

    def test_clusters_run_side_by_side(self):
        clusters = [self.make_cluster() for _ in range(3)]
        import threading

        barrier = threading.Barrier(3, timeout=10)
        self.driver.behaviour['resize_cluster'] = lambda *args: barrier.wait()
        for cluster in clusters:
            self.resize(cluster, 2)
        self.settle()
        self.assertEqual({S.UPDATE_IN_PROGRESS}, {self.reload(c).status for c in clusters})

    def test_two_conductors_do_not_call_a_driver_at_the_same_time(self):
        cluster = self.make_cluster()
        running, most = [0], [0]

        def slow(*args):
            running[0] += 1
            most[0] = max(most[0], running[0])
            time.sleep(0.05)
            running[0] -= 1

        self.driver.behaviour['resize_cluster'] = slow
        conductors = [dispatcher.Dispatcher(leases.Leases(f'host-{number}'))
                      for number in range(2)]
        for number in range(6):
            with decisions.resize_cluster(self.context, cluster, number, [],
                                          self.worker(cluster)) as operation:
                conductor = conductors[number % 2]
                claimed = records.claim(operation.uuid, conductor.owner, 60)
                conductor.submit(self.message_context(operation), claimed)
        self.settle()
        self.assertEqual(1, most[0])
        self.assertEqual(list(range(6)), [args[3] for _name, args in self.driver.calls])
        for conductor in conductors:
            conductor.stop(1)

    def test_message_that_comes_twice_is_carried_out_once(self):
        cluster = self.make_cluster()
        group = self.worker(cluster)
        with decisions.resize_cluster(self.context, cluster, 2, [], group) as operation:
            for _ in range(2):
                self.clusters.cluster_resize(self.message_context(operation), cluster, 2, [],
                                             group)
        self.settle()
        self.assertEqual(['resize_cluster'], self.called())

    def test_poll_holds_up_an_operation_until_it_has_ended(self):
        cluster = self.make_cluster()
        other = leases.Leases('poller')
        other.lock_many([cluster.uuid], records.FOR_POLL)
        self.resize(cluster, 2)
        time.sleep(0.3)
        self.assertEqual([], self.called())
        other.unlock([cluster.uuid])
        self.settle()
        self.assertEqual(['resize_cluster'], self.called())


class TestCost(HandlerTestCase):

    def _statements(self, function, *args):
        _none, statements = self.database.count_statements(function, *args)
        return [text for text in statements if not text.startswith('BEGIN')]

    def test_statements_of_a_creation_besides_its_certificates(self):
        new = self.new_cluster()
        statements = self._statements(
            self.clusters.cluster_create, self.message_context(None), new, 1, 2, 60)
        self.assertLessEqual(len(statements), 11, statements)

    def test_statements_of_an_accepted_resize(self):
        cluster = self.make_cluster()
        group = self.worker(cluster)
        statements = self._statements(
            decisions.resize_cluster(self.context, cluster, 2, [], group).__enter__)
        self.assertLessEqual(len(statements), 5, statements)


class TestOriginalApi(HandlerTestCase):
    """Messages without a recorded operation come from an API of the original."""

    def _message(self):
        return self.message_context(None)

    def test_create_inserts_and_answers_with_the_cluster(self):
        new = self.new_cluster(uuid='5c2f3e5e-54f6-4c41-93c1-6d6e0c9e6f6c')
        result = self.clusters.cluster_create(self._message(), new, 1, 2, 60)
        self.assertEqual(new.uuid, result.uuid)
        self.assertEqual(2, self.worker(new).node_count)
        self.assertEqual(['create_cluster'], self.called())

    def test_create_with_a_bad_label_ends_with_a_reason(self):
        new = self.new_cluster(labels={'min_node_count': 'abc'})
        self.assertRaises(exception.InvalidParameterValue, self.clusters.cluster_create,
                          self._message(), new, 1, 2, 60)
        stored = self.reload(new)
        self.assertEqual(S.CREATE_FAILED, stored.status)
        self.assertIn('min_node_count', stored.status_reason)
        self.assertEqual(2, len(stored.nodegroups))

    def test_refusal_has_a_class_that_the_original_knows(self):
        cluster = self.make_cluster(S.CREATE_FAILED)
        error = self.assertRaises(
            exception.NotSupported, self.clusters.cluster_resize, self._message(), cluster, 2,
            [], self.worker(cluster))
        self.assertIs(exception.NotSupported, type(error))
        self.assertEqual('Resizing a cluster when status is "CREATE_FAILED" is not supported.',
                         str(error))
        self.assertEqual([('update', 'failure')], self.notifications)

    def test_guard_reads_the_row_not_the_message(self):
        cluster = self.make_cluster()
        stale = self.reload(cluster)
        self.delete(cluster)
        self.settle()
        self.assertRaises(exception.NotSupported, self.clusters.cluster_resize, self._message(),
                          stale, 2, [], self.worker(cluster))

    def test_health_report_does_not_resize(self):
        cluster = self.make_cluster(workers=1)
        self.resize(cluster, 5)
        self.settle()
        self.clusters.cluster_update(self._message(), cluster, 1, 'UNHEALTHY', {'api': 'no'})
        self.assertEqual(5, self.worker(cluster).node_count)
        self.assertEqual('UNHEALTHY', self.reload(cluster).health_status)
        self.assertEqual(['resize_cluster'], self.called())

    def test_all_the_rest_answers(self):
        message = self._message
        cluster = self.make_cluster()
        group = self.worker(cluster)
        self.clusters.cluster_resize(message(), cluster, 3, [], group)
        extra = objects.NodeGroup(self.context, name='extra', cluster_id=cluster.uuid,
                                  project_id=cluster.project_id, role='worker', node_count=1)
        self.assertEqual('extra', self.nodegroups.nodegroup_create(message(), cluster,
                                                                   extra).name)
        group = self.worker(cluster)
        group.max_node_count = 9
        self.assertEqual(9, self.nodegroups.nodegroup_update(message(), cluster,
                                                             group).max_node_count)
        self.nodegroups.nodegroup_delete(message(), cluster, extra)
        self.credentials.credential_rotate(message(), cluster)
        self.clusters.cluster_delete(message(), cluster.uuid)
        self.assertEqual(['resize_cluster', 'create_nodegroup', 'update_nodegroup',
                          'delete_nodegroup', 'rotate_credential', 'delete_cluster'],
                         self.called())
