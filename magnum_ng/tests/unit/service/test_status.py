# SPDX-License-Identifier: Apache-2.0

import datetime
import threading
import time
import types

from oslo_utils import timeutils
import sqlalchemy as sa

from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.conductor import decisions
from magnum_ng.conductor import leases
from magnum_ng.conductor import states
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import ng_models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng import objects
from magnum_ng.servicegroup import ownership
from magnum_ng.service import periodic
import magnum_ng.conf
from magnum_ng.tests.unit.conductor import base

CONF = magnum_ng.conf.CONF
S = states.S


class PollTestCase(base.ConductorTestCase):
    DATABASE_IN_FILE = True

    def setUp(self):
        super().setUp()
        self.ownership = ownership.Ownership('here')
        self.tasks = periodic.MagnumPeriodicTasks(CONF, self.ownership)

    def tick(self):
        self.tasks.sync_cluster_status(None)
        self.assertEqual(0, self.count('ng_cluster_lock'))

    def ends(self, status, reason=None, **nodegroups):
        """Let the driver report a status, and statuses of nodegroups by name."""
        def report(context, cluster):
            for group in cluster.nodegroups:
                if group.name in nodegroups:
                    group.status = nodegroups[group.name]
                    group.save()
            cluster.status, cluster.status_reason = status, reason
            cluster.save()

        self.driver.behaviour['update_cluster_status'] = report

    def groups(self, cluster):
        return {group.name: (group.status, group.status_reason)
                for group in self.reload(cluster).nodegroups}


class TestEnds(PollTestCase):

    def test_success(self):
        self.ends(S.CREATE_COMPLETE)
        cluster = self.make_cluster(S.CREATE_IN_PROGRESS)
        self.tick()
        self.assertEqual(S.CREATE_COMPLETE, self.reload(cluster).status)
        self.assertEqual([('create', 'success')], self.notifications)
        self.tick()
        self.assertEqual(['update_cluster_status'], self.called())

    def test_failure_reaches_the_nodegroups_and_is_masked(self):
        self.ends(S.UPDATE_FAILED, 'http://u:hunter2@host is broken')
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.make_nodegroup(cluster, 'extra', S.CREATE_IN_PROGRESS)
        self.tick()
        reason = 'http://***@host is broken'
        self.assertEqual((S.UPDATE_FAILED, reason), (self.reload(cluster).status,
                                                     self.reload(cluster).status_reason))
        self.assertEqual((S.CREATE_FAILED, reason), self.groups(cluster)['extra'])
        self.assertEqual((S.CREATE_COMPLETE, None), self.groups(cluster)['default-worker'])
        self.assertEqual([('update', 'failure')], self.notifications)

    def test_status_that_nobody_expects_is_no_accident(self):
        self.ends(S.RESUME_COMPLETE)
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.tick()
        self.assertEqual(S.RESUME_COMPLETE, self.reload(cluster).status)

    def test_change_that_the_driver_does_not_save_is_saved(self):
        def report(context, cluster):
            cluster.status = S.UPDATE_COMPLETE
            cluster.api_address = 'https://10.0.0.9'

        self.driver.behaviour['update_cluster_status'] = report
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.tick()
        self.assertEqual((S.UPDATE_COMPLETE, 'https://10.0.0.9'),
                         (self.reload(cluster).status, self.reload(cluster).api_address))

    def test_size_that_the_driver_reports_is_kept(self):
        def report(context, cluster):
            group = cluster.default_ng_worker
            group.node_count = 7
            group.save()

        self.driver.behaviour['update_cluster_status'] = report
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.tick()
        self.assertEqual((7, S.UPDATE_IN_PROGRESS), (self.worker(cluster).node_count,
                                                     self.reload(cluster).status))

    def test_deleted_nodegroups_go(self):
        self.ends(S.UPDATE_COMPLETE, done=S.DELETE_COMPLETE)
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.make_nodegroup(cluster, 'done', S.DELETE_IN_PROGRESS)
        self.make_nodegroup(cluster, 'forgotten', S.DELETE_IN_PROGRESS)
        self.make_nodegroup(cluster, 'kept', S.UPDATE_IN_PROGRESS)
        self.tick()
        self.assertEqual({'default-master', 'default-worker', 'kept'},
                         set(self.groups(cluster)))
        self.assertEqual((S.UPDATE_COMPLETE, None), self.groups(cluster)['kept'])

    def test_deleted_cluster_goes_with_all_that_belongs_to_it(self):
        references = {name: name for name in cert_manager.REFERENCES}
        self.certificates.update(references)
        self.ends(S.DELETE_COMPLETE)
        cluster = self.make_cluster(S.DELETE_IN_PROGRESS, **references)
        self.tick()
        self.assertFalse(self.exists(cluster))
        self.assertEqual((0, set()), (self.count('nodegroup'), self.certificates))
        self.assertEqual([('delete', 'success')], self.notifications)

    def test_removal_that_was_interrupted_goes_on(self):
        cluster = self.make_cluster(S.DELETE_COMPLETE)
        self.tick()
        self.assertFalse(self.exists(cluster))
        self.assertEqual([], self.called())

    def test_template_is_switched_when_the_upgrade_is_complete(self):
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        with db_session.writer() as session:
            operations.note(session, cluster.uuid, operations.UPGRADE, 'new')
        self.ends(S.UPDATE_COMPLETE)
        self.tick()
        self.assertEqual('new', self.reload(cluster).cluster_template_id)
        self.assertEqual(0, self.count('ng_cluster_note'))

    def test_template_stays_when_the_upgrade_has_failed(self):
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        with db_session.writer() as session:
            operations.note(session, cluster.uuid, operations.UPGRADE, 'new')
        self.ends(S.UPDATE_FAILED)
        self.tick()
        self.assertEqual(self.template.uuid, self.reload(cluster).cluster_template_id)
        self.assertEqual(0, self.count('ng_cluster_note'))


class TestTrouble(PollTestCase):

    def test_last_error_is_shown_until_it_is_over(self):
        self.driver.behaviour['update_cluster_status'] = RuntimeError('password=hunter2 is wrong')
        cluster = self.make_cluster(S.CREATE_IN_PROGRESS)
        self.tick()
        stored = self.reload(cluster)
        self.assertEqual(S.CREATE_IN_PROGRESS, stored.status)
        self.assertIn('is wrong', stored.status_reason)
        self.assertNotIn('hunter2', stored.status_reason)
        self.driver.behaviour.clear()
        self.tick()
        self.assertIsNone(self.reload(cluster).status_reason)

    def test_driver_that_is_missing_stops_nobody_else(self):
        other = objects.ClusterTemplate(
            self.context, name='other', uuid='0aec6d6d-40b4-4c47-8b75-9b4f5a1f1ec3',
            project_id='fake_project', server_type='vm', cluster_distro='ubuntu',
            coe='kubernetes', driver='not-installed')
        other.create()
        stuck = self.make_cluster(S.DELETE_IN_PROGRESS, cluster_template_id=other.uuid)
        fine = self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.ends(S.UPDATE_COMPLETE)
        self.tick()
        self.assertEqual(S.UPDATE_COMPLETE, self.reload(fine).status)
        self.assertIn('not-installed', self.reload(stuck).status_reason)
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(stuck).status)

    def test_template_that_is_gone_blocks_nothing(self):
        self.ends(S.UPDATE_COMPLETE)
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS,
                                    cluster_template_id='0aec6d6d-40b4-4c47-8b75-9b4f5a1f1ec3')
        self.tick()
        self.assertEqual(S.UPDATE_COMPLETE, self.reload(cluster).status)

    def test_driver_that_hangs_holds_up_nobody_and_is_not_asked_twice(self):
        self.patch_object('magnum_ng.service.status.PATIENCE', 0.3)
        hanging = self.make_cluster(S.UPDATE_IN_PROGRESS, name='hanging')
        gate = base.Gate()

        def report(context, cluster):
            if cluster.uuid == hanging.uuid:
                gate()
            cluster.status = S.UPDATE_COMPLETE
            cluster.save()

        self.driver.behaviour['update_cluster_status'] = report
        first = self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.tasks.sync_cluster_status(None)
        second = self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.tasks.sync_cluster_status(None)
        self.assertEqual({S.UPDATE_COMPLETE}, {self.reload(c).status for c in (first, second)})
        self.assertEqual(1, self.count('ng_cluster_lock', cluster_uuid=hanging.uuid))
        self.assertEqual(1, [args[1].uuid for _name, args in self.driver.calls]
                         .count(hanging.uuid))
        gate.open()
        base.wait_until(lambda: self.reload(hanging).status == S.UPDATE_COMPLETE)
        base.wait_until(lambda: self.count('ng_cluster_lock') == 0)


class TestTimeout(PollTestCase):

    def _old(self, minutes, **values):
        cluster = self.make_cluster(S.CREATE_IN_PROGRESS, **values)
        for group in cluster.nodegroups:
            group.status = S.CREATE_IN_PROGRESS
            group.save()
        with db_session.writer() as session:
            session.execute(sa.update(models.Cluster)
                            .where(models.Cluster.uuid == cluster.uuid).values(
                created_at=timeutils.utcnow() - datetime.timedelta(minutes=minutes)))
        return cluster

    def test_creation_that_takes_too_long_is_given_up(self):
        cluster = self._old(61, create_timeout=60)
        young = self._old(59, create_timeout=60)
        self.tick()
        stored = self.reload(cluster)
        self.assertEqual((S.CREATE_FAILED, 'The cluster was not created within 60 minutes.'),
                         (stored.status, stored.status_reason))
        self.assertEqual({S.CREATE_FAILED}, {status for status, _ in
                                             self.groups(cluster).values()})
        self.assertEqual([('create', 'failure')], self.notifications)
        self.assertEqual(S.CREATE_IN_PROGRESS, self.reload(young).status)

    def test_reason_tells_the_trouble_too(self):
        self.driver.behaviour['update_cluster_status'] = RuntimeError('no quota')
        cluster = self._old(61, create_timeout=60)
        self.tick()
        self.assertEqual('The cluster was not created within 60 minutes. no quota',
                         self.reload(cluster).status_reason)

    def test_without_a_timeout_it_may_take_for_ever(self):
        clusters = [self._old(10 ** 6, create_timeout=value) for value in (0, None)]
        self.tick()
        self.assertEqual({S.CREATE_IN_PROGRESS}, {self.reload(c).status for c in clusters})

    def test_driver_that_completes_it_after_all_is_believed(self):
        cluster = self._old(61, create_timeout=60)
        self.tick()
        seen = []

        def report(context, given):
            seen.append(given.status)
            given.status = S.CREATE_COMPLETE
            given.save()

        self.driver.behaviour['update_cluster_status'] = report
        for _ in range(6):
            self.tick()
        self.assertEqual([S.CREATE_IN_PROGRESS], seen)
        self.assertEqual(S.CREATE_COMPLETE, self.reload(cluster).status)
        self.assertEqual({S.CREATE_COMPLETE}, {status for status, _ in
                                               self.groups(cluster).values()})
        self.assertEqual(0, self.count('ng_cluster_note'))

    def test_it_is_asked_about_at_every_tick_for_an_hour(self):
        cluster = self._old(61, create_timeout=60)
        self.tick()
        asked = []
        self.driver.behaviour['update_cluster_status'] = lambda context, given: asked.append(given)
        self.tick()
        self.tick()
        self.assertEqual(2, len(asked))
        with db_session.writer() as session:
            session.execute(sa.update(ng_models.ClusterNote).values(
                created_at=timeutils.utcnow() - datetime.timedelta(minutes=61)))
        for _ in range(6):
            self.tick()
        self.assertEqual(3, len(asked))
        self.assertEqual(S.CREATE_FAILED, self.reload(cluster).status)

    def test_it_can_be_deleted(self):
        cluster = self._old(61, create_timeout=60)
        self.tick()
        with decisions.delete_cluster(self.context, cluster) as operation:
            self.assertIsNotNone(operation)


class TestNewerDecisions(PollTestCase):

    def test_poll_does_not_overwrite_a_deletion(self):
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)

        def report(context, given):
            with decisions.delete_cluster(self.context, self.reload(cluster)):
                pass
            given.status = S.UPDATE_COMPLETE
            given.save()

        self.driver.behaviour['update_cluster_status'] = report
        self.tick()
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(cluster).status)
        self.assertEqual([], self.notifications)

    def test_poll_does_not_end_an_update_that_was_accepted_meanwhile(self):
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)

        def report(context, given):
            with decisions.resize_cluster(self.context, self.reload(cluster), 5, [],
                                          self.worker(cluster)):
                pass
            given.refresh()
            given.status = S.UPDATE_COMPLETE
            given.save()

        self.driver.behaviour['update_cluster_status'] = report
        self.tick()
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)

    def test_cluster_with_an_operation_is_not_polled(self):
        cluster = self.make_cluster()
        with decisions.resize_cluster(self.context, cluster, 5, [], self.worker(cluster)):
            pass
        self.tick()
        self.assertEqual([], self.called())

    def test_cluster_locked_by_another_conductor_is_not_polled(self):
        cluster = self.make_cluster(S.UPDATE_IN_PROGRESS)
        leases.Leases('other').lock(cluster.uuid, operations.FOR_POLL)
        self.tasks.sync_cluster_status(None)
        self.assertEqual([], self.called())


class TestShares(PollTestCase):

    def test_each_cluster_has_one_owner(self):
        self.ownership._hosts = frozenset({'here', 'there'})
        uuids = {self.make_cluster(S.UPDATE_IN_PROGRESS).uuid for _ in range(12)}
        self.tick()
        mine = {args[1].uuid for _name, args in self.driver.calls}
        self.assertEqual(set(self.ownership.mine(uuids)), mine)
        there = ownership.Ownership('there')
        there._hosts = frozenset({'here', 'there'})
        self.assertEqual(uuids - mine, set(there.mine(uuids)))

    def test_threads_are_bounded(self):
        self.config('conductor', status_poll_threads=3)
        running, most, guard = [0], [0], threading.Lock()

        def slow(context, cluster):
            with guard:
                running[0] += 1
                most[0] = max(most[0], running[0])
            time.sleep(0.03)
            with guard:
                running[0] -= 1

        self.driver.behaviour['update_cluster_status'] = slow
        for _ in range(12):
            self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.tick()
        self.assertEqual((3, 12), (most[0], len(self.driver.calls)))

    def test_ticks_do_not_overlap(self):
        gate = base.Gate()
        self.driver.behaviour['update_cluster_status'] = gate
        self.make_cluster(S.UPDATE_IN_PROGRESS)
        first = threading.Thread(target=self.tasks.sync_cluster_status)
        first.start()
        gate.entered.wait(5)
        self.tasks.sync_cluster_status()
        self.assertEqual(1, len(self.driver.calls))
        gate.open()
        first.join()


class TestCost(PollTestCase):

    def _statements(self, number):
        for _ in range(number):
            self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.tick()
        _none, statements = self.database.count_statements(self.tasks.sync_cluster_status)
        return [statement for statement in statements if not statement.startswith('BEGIN')]

    def test_statements_of_a_tick_in_which_nothing_changes(self):
        self.assertEqual(3, len(self._statements(1)))
        self.assertEqual(3, len(self._statements(40)))

    def test_no_clusters_cost_one_statement(self):
        self.assertEqual(1, len(self._statements(0)))

    def test_driver_is_looked_up_once_for_each_kind(self):
        looked_up = []
        resolve = base.driver.resolve

        def spy(template, existing=False):
            looked_up.append(template.uuid)
            return resolve(template, existing)

        self.patch_object('magnum_ng.drivers.common.driver.resolve', spy)
        for _ in range(10):
            self.make_cluster(S.UPDATE_IN_PROGRESS)
        self.tick()
        self.assertEqual(10, len(self.driver.calls))
        self.assertIn(len(looked_up), range(1, 4))


class TestOwnership(base.ConductorTestCase):

    def _service(self, host, seconds_ago, **values):
        from magnum_ng.tests.unit.objects import utils as object_utils

        self._id = getattr(self, '_id', 100) + 1
        object_utils.create_test_magnum_service(
            self.context, id=self._id, host=host, **{
                'binary': 'magnum-conductor',
                'last_seen_up': datetime.datetime.now(datetime.UTC)
                - datetime.timedelta(seconds=seconds_ago), **values})

    def test_who_is_alive(self):
        self._service('fresh', 5)
        self._service('silent', 2 * ownership.HEARTBEAT + 5)
        self._service('down', 5, forced_down=True)
        self._service('api', 5, binary='magnum-api')
        shares = ownership.Ownership('me')
        shares.refresh()
        self.assertEqual({'me', 'fresh'}, shares.hosts)

    def test_clusters_of_the_dead_are_shared_out_and_the_others_stay(self):
        uuids = [str(number) for number in range(300)]
        before = {uuid: ownership.owner(uuid, ['a', 'b', 'c']) for uuid in uuids}
        after = {uuid: ownership.owner(uuid, ['a', 'b']) for uuid in uuids}
        for uuid in uuids:
            if before[uuid] != 'c':
                self.assertEqual(before[uuid], after[uuid])
        for host in 'abc':
            self.assertGreater(list(before.values()).count(host), 60)

    def test_heartbeat_makes_and_keeps_a_row(self):
        from magnum_ng.servicegroup import magnum_service_periodic

        beat = magnum_service_periodic.MagnumServicePeriodicTasks(CONF, 'magnum-conductor')
        beat.update_magnum_service(None)
        beat.update_magnum_service(None)
        row, = self.dbapi.get_magnum_service_list()
        self.assertEqual(('fake-host', 'magnum-conductor', 2),
                         (row.host, row.binary, row.report_count))
        self.assertIsNotNone(row.last_seen_up)
        self.dbapi.destroy_magnum_service(row.id)
        beat.update_magnum_service(None)
        self.assertEqual(1, len(self.dbapi.get_magnum_service_list()))

    def test_host_that_is_not_configured_is_the_host_name(self):
        import socket

        self.config(host=None)
        self.assertEqual(socket.gethostname(), ownership.Ownership().host)


class TestTimers(base.ConductorTestCase):

    def _names(self):
        return [timer.name for timer in periodic.timers(CONF)]

    def test_all_of_them(self):
        self.assertEqual(['heartbeat', 'sweeper', 'sync_cluster_status',
                          'sync_cluster_health_status'], self._names())

    def test_heartbeat_is_never_off(self):
        self.config(periodic_enable=False)
        self.assertEqual(['heartbeat', 'sweeper'], self._names())

    def test_health_interval_is_honoured(self):
        self.config('kubernetes', health_polling_interval=7)
        timer, = (timer for timer in periodic.timers(CONF)
                  if timer.name == 'sync_cluster_health_status')
        self.assertEqual(7, timer.interval)
        self.config('kubernetes', health_polling_interval=-1)
        self.assertNotIn('sync_cluster_health_status', self._names())

    def test_timer_survives_an_error(self):
        runs = []

        def function():
            runs.append(1)
            raise RuntimeError('no')

        timer = periodic.Timer('test', 0.01, function)
        timer.start()
        self.addCleanup(timer.stop)
        base.wait_until(lambda: len(runs) > 1)


class TestHealth(PollTestCase):

    def setUp(self):
        super().setUp()
        self.config('kubernetes', monitor_timeout=0.5)

    def monitor(self, function):
        def make(context, cluster):
            made = types.SimpleNamespace(data={})
            made.poll_health_status = lambda: function(made, cluster)
            return made

        self.driver.behaviour['get_monitor'] = make

    def health(self, cluster):
        stored = self.reload(cluster)
        return stored.health_status, stored.health_status_reason

    def poll(self):
        self.tasks.sync_cluster_health_status(None)
        self.assertEqual(0, self.count('ng_cluster_lock'))

    def test_what_a_monitor_says_is_told_without_credentials(self):
        def look(monitor, cluster):
            monitor.data.update(health_status='UNHEALTHY', health_status_reason={
                'api': 'GET https://me:hunter2@10.0.0.1/healthz X-Auth-Token: abcdef',
                'n': 'x' * 9000})

        self.monitor(look)
        cluster = self.make_cluster()
        self.poll()
        status, reason = self.health(cluster)
        self.assertEqual('UNHEALTHY', status)
        self.assertNotIn('hunter2', reason['api'])
        self.assertNotIn('abcdef', reason['api'])
        self.assertLessEqual(len(reason['n']), 2000)

    def test_result_is_stored_as_text(self):
        def look(monitor, cluster):
            monitor.data.update(health_status='HEALTHY',
                                health_status_reason={'api': 'ok', 'n.Ready': True})

        self.monitor(look)
        cluster = self.make_cluster()
        self.poll()
        self.assertEqual(('HEALTHY', {'api': 'ok', 'n.Ready': 'True'}), self.health(cluster))

    def test_what_cannot_be_known_is_unknown_with_the_reason(self):
        def look(monitor, cluster):
            raise ConnectionError('https://u:pw@10.0.0.1 does not answer')

        self.monitor(look)
        cluster = self.make_cluster(health_status='HEALTHY')
        self.poll()
        self.assertEqual(('UNKNOWN', {'api': 'https://***@10.0.0.1 does not answer'}),
                         self.health(cluster))

    def test_monitor_that_hangs_blocks_nobody(self):
        hanging = self.make_cluster()
        gate = base.Gate()
        self.addCleanup(gate.open)

        def look(monitor, cluster):
            if cluster.uuid == hanging.uuid:
                gate()
            monitor.data.update(health_status='HEALTHY', health_status_reason={})

        self.monitor(look)
        fine = self.make_cluster()
        self.poll()
        self.assertEqual('HEALTHY', self.health(fine)[0])
        self.assertEqual(('UNKNOWN', {'api': 'No answer within 2 seconds.'}),
                         self.health(hanging))

    def test_only_changes_are_written(self):
        def look(monitor, cluster):
            monitor.data.update(health_status='HEALTHY', health_status_reason={'api': 'ok'})

        self.monitor(look)
        cluster = self.make_cluster(health_status='HEALTHY',
                                    health_status_reason={'api': 'ok'})
        before = self.reload(cluster).updated_at
        _none, statements = self.database.count_statements(self.poll)
        self.assertFalse([text for text in statements if text.startswith('UPDATE cluster')])
        self.assertEqual(before, self.reload(cluster).updated_at)

    def test_driver_without_monitor_is_left_alone(self):
        self.driver.get_monitor = base.driver.Driver.get_monitor
        cluster = self.make_cluster()
        self.poll()
        self.assertIsNone(self.health(cluster)[0])

    def test_missing_driver_is_unknown(self):
        self.install_drivers([])
        cluster = self.make_cluster()
        self.poll()
        self.assertEqual('UNKNOWN', self.health(cluster)[0])

    def test_statuses_that_are_polled(self):
        seen = []
        self.monitor(lambda monitor, cluster: seen.append(cluster.status))
        for status in S.ALL:
            self.make_cluster(status)
        self.poll()
        self.assertEqual(sorted(states.HEALTH_POLLED), sorted(seen))
