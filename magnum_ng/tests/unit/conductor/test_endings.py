# SPDX-License-Identifier: Apache-2.0
"""What becomes of operations, and of what is queued behind them, when something goes wrong."""

import concurrent.futures
import contextlib
import json
import pathlib
import threading
import time
import types

from oslo_db import exception as db_exc
import oslo_messaging as messaging

from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.conductor import decisions
from magnum_ng.conductor import dispatcher
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.conductor import intake
from magnum_ng.conductor import leases
from magnum_ng.conductor import operations as work_operations
from magnum_ng.conductor import outcome
from magnum_ng.conductor import reasons
from magnum_ng.conductor import removal
from magnum_ng.conductor import server
from magnum_ng.conductor import states
from magnum_ng.conductor import sweeper
from magnum_ng.db.sqlalchemy import ng_models
from magnum_ng.db.sqlalchemy import operations as records
from magnum_ng.db.sqlalchemy import session as db_session
import magnum_ng.conf
from magnum_ng import objects
from magnum_ng.service import polling
from magnum_ng.service import status
from magnum_ng.tests.unit.conductor import base
from magnum_ng.tests.unit.conductor import test_operations

CONF = magnum_ng.conf.CONF
S = states.S


class TestHandingOver(base.ConductorTestCase):

    def test_any_error_before_the_message_went_out_undoes(self):
        cluster = self.make_cluster(workers=2)
        group = self.worker(cluster)

        def request():
            with decisions.resize_cluster(self.context, cluster, 5, [], group):
                raise TypeError('this cannot be serialised')

        self.assertRaises(TypeError, request)
        self.assertEqual((S.CREATE_COMPLETE, 2),
                         (self.reload(cluster).status, self.worker(cluster).node_count))
        self.assertEqual([], self.operations())
        self.assertIsNone(self.context.operation)

    def test_process_that_ends_in_between_leaves_it_to_the_sweeper(self):
        cluster = self.make_cluster(workers=2)

        def request():
            with decisions.resize_cluster(self.context, cluster, 5, [], self.worker(cluster)):
                raise SystemExit

        self.assertRaises(SystemExit, request)
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)
        self.expire()
        sweeper.Sweeper().sweep()
        stored = self.reload(cluster)
        self.assertEqual((S.UPDATE_FAILED, sweeper.UNCLAIMED, 2),
                         (stored.status, stored.status_reason, self.worker(cluster).node_count))

    def test_conductor_that_begins_to_stop_just_now_sends_the_message_on(self):
        sent = []
        self.patch_object('magnum_ng.conductor.intake.send_on',
                          lambda context, message: sent.append(message))
        cluster = self.make_cluster()
        with decisions.delete_cluster(self.context, cluster) as operation:
            pass
        dispatcher.current().stop(0)
        intake.take(self.message_context(operation), states.DELETE, None, cluster, ('m', {}))
        self.assertEqual([('m', {})], sent)
        left, = self.operations()
        self.assertEqual((None, records.QUEUED), (left.owner, left.state))


class TestQueues(test_operations.HandlerTestCase):

    def _hold(self, failing=()):
        """The resizes to some sizes fail; all wait for the gate."""
        gate = base.Gate()

        def resize(*args):
            gate()
            if args[3] in failing:
                raise RuntimeError(f'no {args[3]}')

        self.driver.behaviour['resize_cluster'] = resize
        return gate

    def test_failure_does_not_look_like_the_end_of_a_later_operation(self):
        cluster = self.make_cluster(workers=1)
        gates = {5: base.Gate(), 6: base.Gate()}

        def resize(*args):
            gates[args[3]]()
            if args[3] == 5:
                raise RuntimeError('no room')

        self.driver.behaviour['resize_cluster'] = resize
        self.resize(cluster, 5)
        gates[5].entered.wait(5)
        self.resize(cluster, 6)
        gates[5].open()
        gates[6].entered.wait(5)
        stored = self.reload(cluster)
        self.assertEqual((S.UPDATE_IN_PROGRESS, outcome.EARLIER + 'no room'),
                         (stored.status, stored.status_reason))
        gates[6].open()
        self.settle()
        self.assertEqual((S.UPDATE_IN_PROGRESS, 6), (self.reload(cluster).status,
                                                     self.worker(cluster).node_count))

    def test_undo_of_the_later_one_shows_the_failure_of_the_earlier(self):
        cluster = self.make_cluster(workers=1)
        gate = self._hold(failing={5})
        self.resize(cluster, 5)
        gate.entered.wait(5)

        def request():
            with decisions.resize_cluster(self.context, cluster, 6, [], self.worker(cluster)):
                gate.open()
                base.wait_until(lambda: len(self.operations()) == 1)
                raise OSError('no broker')

        self.assertRaises(exception.ConductorUnavailable, request)
        stored = self.reload(cluster)
        self.assertEqual((S.UPDATE_FAILED, 'no 5', 1),
                         (stored.status, stored.status_reason, self.worker(cluster).node_count))

    def test_three_queued_resizes_restore_what_the_driver_did_last(self):
        for failing, expected in (({5, 6, 7}, 1), ({6, 7}, 5), ({7}, 6), ({5, 7}, 6), ({5}, 7)):
            cluster = self.make_cluster(workers=1)
            gate = self._hold(failing)
            self.resize(cluster, 5)
            gate.entered.wait(5)
            self.resize(cluster, 6)
            self.resize(cluster, 7)
            gate.open()
            self.settle()
            self.assertEqual(expected, self.worker(cluster).node_count, failing)

    def test_sizes_that_a_deletion_has_overtaken_have_never_been(self):
        self.driver.behaviour['delete_cluster'] = RuntimeError('no')
        cluster = self.make_cluster(workers=1)
        gate = self._hold()
        self.resize(cluster, 5)
        gate.entered.wait(5)
        self.resize(cluster, 6)
        with decisions.resize_cluster(self.context, cluster, 7, [],
                                      self.worker(cluster)) as other:
            records.claim(other.uuid, 'another', 60)
        self.delete(cluster)
        gate.open()
        self.settle()
        self.assertEqual(S.DELETE_FAILED, self.reload(cluster).status)
        self.assertEqual(5, self.worker(cluster).node_count)

    def test_driver_sees_its_own_size_and_not_that_of_a_poll_or_of_a_later_request(self):
        cluster = self.make_cluster(workers=1)
        seen = []
        gate = base.Gate()

        def resize(*args):
            seen.append((args[3], args[5].node_count))
            gate()

        self.driver.behaviour['resize_cluster'] = resize
        self.resize(cluster, 5)
        gate.entered.wait(5)
        self.resize(cluster, 6)
        self.resize(cluster, 7)
        gate.open()
        self.settle()
        with decisions.resize_cluster(self.context, cluster, 8, [],
                                      self.worker(cluster)) as operation:
            group = self.worker(cluster)
            group.node_count = 3
            group.save()
            self.clusters.cluster_resize(self.message_context(operation), cluster, 8, [], group)
        self.settle()
        self.assertEqual([(5, 5), (6, 6), (7, 7), (8, 8)], seen)
        self.assertEqual(8, self.worker(cluster).node_count)


class TestDriversThatHang(test_operations.HandlerTestCase):

    def setUp(self):
        super().setUp()
        self.patch_object('magnum_ng.conductor.dispatcher._WATCH', 0.05)

    def _hang(self, cluster):
        gate = base.Gate()
        self.addCleanup(gate.open)
        self.driver.behaviour['resize_cluster'] = gate
        self.resize(cluster, 5)
        gate.entered.wait(5)
        self.config('conductor', operation_timeout=1)
        return gate

    def test_operation_fails_and_the_cluster_can_be_deleted(self):
        cluster = self.make_cluster(workers=2)
        gate = self._hang(cluster)
        base.wait_until(lambda: not self.operations())
        stored = self.reload(cluster)
        self.assertEqual((S.UPDATE_FAILED, dispatcher.OVERDUE % 1, 2),
                         (stored.status, stored.status_reason, self.worker(cluster).node_count))
        self.delete(cluster)
        self.settle()
        self.assertEqual(['resize_cluster', 'delete_cluster'], self.called())
        # What it says when it comes back after all changes nothing.
        gate.open()
        base.wait_until(lambda: not dispatcher.current()._lost_threads)
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(cluster).status)

    def test_others_are_carried_out_in_the_meantime(self):
        worker = dispatcher.Dispatcher(leases.Leases('one'), threads=1)
        self.addCleanup(worker.stop, 0)
        gate = base.Gate()
        self.addCleanup(gate.open)
        self.driver.behaviour['resize_cluster'] = gate
        self.config('conductor', operation_timeout=1)
        for number in range(2):
            cluster = self.make_cluster()
            with decisions.resize_cluster(self.context, cluster, 5 + number, [],
                                          self.worker(cluster)) as operation:
                worker.submit(self.message_context(operation),
                              records.claim(operation.uuid, worker.owner, 60))
        base.wait_until(lambda: len(self.driver.calls) == 2)
        base.wait_until(lambda: worker._lost_threads == 2)
        # As many threads hang as may: the next has to wait until one of them comes back.
        with decisions.delete_cluster(self.context, cluster) as operation:
            worker.submit(self.message_context(operation),
                          records.claim(operation.uuid, worker.owner, 60))
        time.sleep(0.3)
        self.assertNotIn('delete_cluster', self.called())
        gate.open()
        self.settle()
        self.assertIn('delete_cluster', self.called())

    def test_lock_of_a_poll_that_hangs_is_given_up(self):
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        mine = leases.Leases('poller')
        mine.lock_many([cluster.uuid], records.FOR_POLL)
        self.config('conductor', operation_timeout=0)
        mine._locks[cluster.uuid] -= 10000
        mine.renew()
        self.assertIn(cluster.uuid, mine._locks)
        self.config('conductor', operation_timeout=60)
        mine.renew()
        self.assertNotIn(cluster.uuid, mine._locks)
        self.expire(ng_models.ClusterLock)
        self.assertEqual(1, records.remove_expired_locks())
        mine.stop()

    def test_nobody_holds_a_thread_for_a_caller_that_has_given_up(self):
        future = concurrent.futures.Future()
        self.config(rpc_response_timeout=1)
        self.assertIsNone(intake._result(future))

    def test_timeout_of_the_driver_is_an_error_like_any_other(self):
        future = concurrent.futures.Future()
        future.set_exception(TimeoutError('the cloud'))
        error = self.assertRaises(exception.MagnumException, intake._result, future)
        self.assertEqual('the cloud', str(error))

    def test_polls_that_hang_are_bounded(self):
        pool = polling.PollPool(lambda: 1, 'test')
        gate = threading.Event()
        self.addCleanup(gate.set)
        for number in range(polling.CROWD):
            self.assertEqual({f'hangs-{number}'},
                             pool.run({f'hangs-{number}': gate.wait}, 0.01))
        ran = []
        pool.run({'next': lambda: ran.append(1)}, 0.01)
        self.assertEqual([], ran)
        gate.set()
        base.wait_until(lambda: not pool.busy())
        pool.run({'next': lambda: ran.append(1)}, 5)
        self.assertEqual([1], ran)


class TestDatabaseThatIsAway(test_operations.HandlerTestCase):

    def test_outcome_is_recorded_when_it_is_back(self):
        self.patch_object('magnum_ng.conductor.operations._AGAIN', 0.01)
        left = [db_exc.DBConnectionError(), db_exc.DBConnectionError()]
        real = outcome.succeed

        def succeed(*args):
            if left:
                raise left.pop()
            return real(*args)

        self.patch_object('magnum_ng.conductor.outcome.succeed', succeed)
        cluster = self.make_cluster(workers=1)
        self.resize(cluster, 5)
        self.settle()
        self.assertEqual((S.UPDATE_IN_PROGRESS, 5),
                         (self.reload(cluster).status, self.worker(cluster).node_count))

    def test_not_for_ever(self):
        self.patch_object('magnum_ng.conductor.operations._AGAIN', 0.01)
        self.config('conductor', operation_lease=5)
        later = iter([0, 9, 11])
        self.patch_object('magnum_ng.conductor.operations.time', types.SimpleNamespace(
            monotonic=lambda: next(later), sleep=lambda seconds: None))

        def ending():
            raise db_exc.DBConnectionError()

        self.assertRaises(db_exc.DBConnectionError, work_operations._record, ending)


class TestRotationCutShort(test_operations.HandlerTestCase):

    def _cluster(self):
        references = {name: f'old-{name}' for name in cert_manager.REFERENCES}
        self.certificates.update(references.values())
        return self.make_cluster(**references)

    def test_driver_that_saves_the_cluster_in_the_middle_stores_no_references(self):
        cluster = self._cluster()

        def save_and_fail(context, given):
            given.status_reason = 'rotating'
            given.save()
            raise RuntimeError('no')

        self.driver.behaviour['rotate_ca_certificate'] = save_and_fail
        self.assertRaises(exception.MagnumException, self.rotate_ca, cluster)
        stored = self.reload(cluster)
        for name in cert_manager.REFERENCES:
            self.assertEqual(f'old-{name}', getattr(stored, name))
            self.assertIn(f'old-{name}', self.certificates)

    def test_new_set_that_could_not_be_deleted_at_once_is_deleted_later(self):
        cluster = self._cluster()
        self.driver.behaviour['rotate_ca_certificate'] = RuntimeError('no')
        with contextlib.ExitStack() as stack:
            import fixtures

            stack.enter_context(fixtures.MonkeyPatch(
                'magnum_ng.conductor.removal.delete_retired', lambda *args: 1 / 0))
            self.assertRaises(exception.MagnumException, self.rotate_ca, cluster)
        self.assertEqual(8, len(self.certificates))
        removal.delete_retired(self.context, self.reload(cluster))
        self.assertEqual({f'old-{name}' for name in cert_manager.REFERENCES}, self.certificates)

    def test_what_two_rotations_have_left_is_all_remembered(self):
        cluster = self.make_cluster()
        with db_session.writer() as session:
            records.note_retired(session, cluster.uuid, ['a', 'b'])
            records.note_retired(session, cluster.uuid, ['c', 'd'])
            self.assertEqual({'a', 'b', 'c', 'd'},
                             set(records.retired(session, cluster.uuid).values()))


class TestKeysInTheDatabase(base.ConductorTestCase):
    DATABASE_IN_FILE = True
    REAL_CERTIFICATES = True

    def setUp(self):
        super().setUp()
        self.config('certificates', cert_manager_type='x509keypair')
        self.config('cluster', temp_cache_dir='/nonexistent')

    def test_cluster_and_keys_go_in_one_transaction(self):
        cluster = self.make_cluster(S.DELETE_COMPLETE)
        for name in cert_manager.REFERENCES:
            pair = objects.X509KeyPair(
                self.context, certificate='c', private_key='k', private_key_passphrase='p',
                project_id=self.context.project_id, user_id=self.context.user_id)
            pair.create()
            setattr(cluster, name, pair.uuid)
        cluster.save()
        real = removal.delete_rows

        def cut(session, uuid):
            raise db_exc.DBError(Exception('connection lost'))

        self.patch_object('magnum_ng.conductor.removal.delete_rows', cut)
        self.assertRaises(db_exc.DBError, removal.complete, self.context, cluster)
        self.assertEqual(4, self.count('x509keypair'))
        self.assertTrue(self.exists(cluster))
        self.patch_object('magnum_ng.conductor.removal.delete_rows', real)
        self.assertEqual([], removal.complete(self.context, cluster))
        self.assertEqual(0, self.count('x509keypair'))
        self.assertFalse(self.exists(cluster))

    def test_life_of_a_cluster_leaves_no_keys(self):
        conductor = test_operations.HandlerTestCase
        self.clusters = test_operations.cluster_conductor.Handler()
        self.certificates_ = test_operations.ca_conductor.Handler()
        new = self.new_cluster()
        conductor.create(self, new)
        conductor.settle(self)
        self.assertEqual(4, self.count('x509keypair'))
        new = self.reload(new)
        new.status = S.CREATE_COMPLETE
        new.save()
        conductor.rotate_ca(self, new)
        self.assertEqual(4, self.count('x509keypair'))
        self.assertNotEqual(new.ca_cert_ref, self.reload(new).ca_cert_ref)
        conductor.delete(self, new)
        conductor.settle(self)
        removal.complete(self.context, self.reload(new))
        self.assertEqual(0, self.count('x509keypair'))

    def test_rotation_that_has_lost_its_lease_stores_no_keys(self):
        self.certificates_ = test_operations.ca_conductor.Handler()
        real = cert_manager.generate_certificates
        cluster = self.make_cluster()

        def slow(*args, **kwargs):
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                # Somebody else finds the lease expired in the meantime.
                pool.submit(self.expire).result()
                pool.submit(sweeper.Sweeper().sweep).result()
            return real(*args, **kwargs)

        self.patch_object('magnum_ng.conductor.handlers.common.cert_manager.'
                          'generate_certificates', slow)
        self.assertRaises(exception.MagnumException,
                          test_operations.HandlerTestCase.rotate_ca, self, cluster)
        self.assertEqual([], self.called())
        self.assertEqual(0, self.count('x509keypair'))
        self.assertEqual((S.UPDATE_FAILED, sweeper.ABANDONED),
                         (self.reload(cluster).status, self.reload(cluster).status_reason))

    def test_creation_whose_cluster_is_gone_stores_no_keys(self):
        self.clusters = test_operations.cluster_conductor.Handler()
        real = cert_manager.generate_certificates
        new = self.new_cluster()

        def slow(*args, **kwargs):
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                pool.submit(removal.complete, self.context, self.reload(new)).result()
            return real(*args, **kwargs)

        self.patch_object('magnum_ng.conductor.handlers.common.cert_manager.'
                          'generate_certificates', slow)
        test_operations.HandlerTestCase.create(self, new)
        base.wait_until(lambda: not dispatcher.current()._running)
        self.assertEqual([], self.called())
        self.assertEqual(0, self.count('x509keypair'))

    def test_reason_has_no_sql(self):
        self.assertEqual('The database has failed (DBError).', reasons.of(db_exc.DBError(
            Exception('[SQL: INSERT INTO x509keypair] [parameters: secret]'))))


class TestHalfFailed(base.ConductorTestCase):
    """One operation has failed while the work of another was still going on in the cloud."""

    def setUp(self):
        super().setUp()
        self._make()

    def _make(self):
        self.cluster = self.make_cluster(S.UPDATE_FAILED, status_reason='no room')
        self.group = self.make_nodegroup(self.cluster, 'extra', S.UPDATE_IN_PROGRESS)
        self.going = self.make_nodegroup(self.cluster, 'going', S.DELETE_IN_PROGRESS)

    def _poll(self):
        row = records.half_failed()[0]
        cluster = polling.load(self.admin_context, row, self.template)
        status.poll(self.admin_context, cluster, polling.Drivers())

    def _report(self, verdict, save=True):
        def update(context, cluster):
            self.assertEqual(S.UPDATE_IN_PROGRESS, cluster.status)
            cluster.status = verdict
            if save:
                cluster.save()

        self.driver.behaviour['update_cluster_status'] = update

    def test_what_went_on_comes_to_its_end_and_the_failure_stays(self):
        for save in (True, False):
            self._make()
            self._report(S.UPDATE_COMPLETE, save)
            while records.half_failed():
                self._poll()
            stored = self.reload(self.cluster)
            self.assertEqual((S.UPDATE_FAILED, 'no room'), (stored.status, stored.status_reason))
            self.assertEqual([S.CREATE_COMPLETE, S.CREATE_COMPLETE, S.UPDATE_COMPLETE],
                             [group.status for group in stored.nodegroups])
            self.assertEqual([], records.half_failed())

    def test_while_nothing_is_known_nothing_changes(self):
        self._poll()
        self.assertEqual(1, len(records.half_failed()))

    def test_upgrade_that_comes_to_its_end_switches_the_template(self):
        with db_session.writer() as session:
            records.note(session, self.cluster.uuid, records.UPGRADE, 'the-new-template')
        sweeper.Sweeper().sweep()
        self._report(S.UPDATE_COMPLETE)
        self._poll()
        self.assertEqual('the-new-template', self.reload(self.cluster).cluster_template_id)
        self.assertEqual(0, self.count('ng_cluster_note'))

    def test_the_poll_finds_them(self):
        from magnum_ng.service import periodic
        from magnum_ng.servicegroup import ownership

        self._report(S.UPDATE_COMPLETE)
        tasks = periodic.MagnumPeriodicTasks(
            CONF, ownership.Ownership('host'), leases.Leases('host'))
        for _ in range(6):
            tasks.sync_cluster_status(None)
        self.assertEqual([], records.half_failed())


class TestApiOfTheOriginal(base.ConductorTestCase):

    def _answer(self, error, operation=None):
        """The error as it is put into the answer to a message."""
        class Handler:
            def method(self, context):
                raise error

        context = magnum_context.RequestContext.from_dict(
            dict(self.context.to_dict(), operation=operation))
        raised = self.assertRaises(messaging.ExpectedException,
                                   server.Endpoint(Handler()).method, context)
        return raised.exc_info[1]

    def test_gets_no_class_that_it_does_not_know(self):
        path = pathlib.Path(__file__).resolve().parents[1] / 'contract/data/exceptions.json'
        known = {entry['class'] for entry in json.loads(path.read_text())}
        classes = [cls for cls in vars(exception).values() if isinstance(cls, type)
                   and issubclass(cls, exception.MagnumException)]
        unknown = {cls for cls in classes if cls.__name__ not in known}
        self.assertIn(exception.OperationNotAllowed, unknown)
        for cls in classes:
            answered = self._answer(cls('text'))
            self.assertIn(type(answered).__name__, known)
            self.assertEqual('text', answered.message)
            if cls not in unknown:
                self.assertIs(cls, type(answered))

    def test_refusal_is_the_plain_one_that_it_knows(self):
        answered = self._answer(exception.OperationNotAllowed(operation='X', status='Y'))
        self.assertIs(exception.NotSupported, type(answered))
        self.assertEqual(400, answered.code)

    def test_ours_gets_them_as_they_are(self):
        answered = self._answer(exception.OperationNotAllowed(operation='X', status='Y'),
                                'an-operation')
        self.assertIs(exception.OperationNotAllowed, type(answered))
        self.assertEqual(409, answered.code)

    def test_operation_that_a_deletion_has_overtaken(self):
        entry = dispatcher.Entry('u', states.RESIZE, 'c', None, None)
        self.assertIs(exception.NotSupported, type(self._answer(dispatcher._dropped(entry))))


class TestLostLease(base.ConductorTestCase):

    def test_operation_of_another_owner_is_not_begun(self):
        cluster = self.make_cluster()
        with decisions.delete_cluster(self.context, cluster) as operation:
            records.claim(operation.uuid, 'other', 60)
        self.assertRaises(work_operations.Lost, work_operations.begin, self.context,
                          operation.uuid, cluster.uuid, 'me', 60)


class TestLook(test_operations.HandlerTestCase):

    def test_what_comes_while_the_queue_is_read_is_not_taken_for_gone(self):
        cluster = self.make_cluster()
        real = records.turns

        def slow(uuids):
            found = real(uuids)
            if len(self.operations()) == 1:
                self.patch_object('magnum_ng.db.sqlalchemy.operations.turns', real)
                self.resize(cluster, 6)
            return found

        self.patch_object('magnum_ng.db.sqlalchemy.operations.turns', slow)
        self.resize(cluster, 5)
        self.settle()
        self.assertEqual([5, 6], [args[3] for _name, args in self.driver.calls])

    def test_nothing_is_dropped_that_nothing_has_overtaken(self):
        cluster = self.make_cluster()
        with decisions.resize_cluster(self.context, cluster, 5, [],
                                      self.worker(cluster)) as operation:
            records.claim(operation.uuid, 'me', 60)
        self.assertFalse(outcome.drop(operation.uuid, cluster.uuid, 'me'))
        with decisions.delete_cluster(self.context, cluster) as deletion:
            self.assertFalse(outcome.drop(operation.uuid, cluster.uuid, 'me'))
            records.claim(deletion.uuid, 'me', 60)
        self.assertTrue(outcome.drop(operation.uuid, cluster.uuid, 'me'))
        self.assertTrue(outcome.drop(operation.uuid, cluster.uuid, 'me'))
        self.assertEqual([states.DELETE], [left.action for left in self.operations()])
        self.assertEqual(1, self.worker(cluster).node_count)
