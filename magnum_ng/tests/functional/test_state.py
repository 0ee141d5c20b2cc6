# SPDX-License-Identifier: Apache-2.0
"""What is decided at the same time, on the databases that it is decided on in earnest."""

import collections
import concurrent.futures
import contextlib
import json
import threading
import time

import fixtures
from oslo_db.sqlalchemy import engines
import sqlalchemy as sa

from magnum_ng.common import exception
from magnum_ng.conductor import acceptance
from magnum_ng.conductor import decisions
from magnum_ng.conductor import dispatcher
from magnum_ng.conductor import leases
from magnum_ng.conductor import operations as work_operations
from magnum_ng.conductor import outcome
from magnum_ng.conductor import states
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations as records
from magnum_ng.db.sqlalchemy import session as db_session
import magnum_ng.conf
from magnum_ng.service import periodic
from magnum_ng.servicegroup import ownership
from magnum_ng.tests.functional import base
from magnum_ng.tests.unit.conductor import base as conductor_base
from magnum_ng.tests.unit.db import base as db_base
from magnum_ng.tests.unit.objects import utils as object_utils

CONF = magnum_ng.conf.CONF
S = states.S


class ServerDatabase(db_base.Database):
    """An empty database on a server, with today's schema."""

    def __init__(self, make):
        super().__init__()
        self._make = make

    def _setUp(self):
        url = self.useFixture(self._make()).url
        self.engine = engines.create_engine(url, max_pool_size=30, max_retries=0)
        self.addCleanup(self.engine.dispose)
        models.Base.metadata.create_all(self.engine)
        self.addCleanup(db_session.context_manager.patch_engine(self.engine))


class Shared:

    def setUp(self):
        make = self.MAKE
        # Here, not in a fixture: that would make a failure of the wish to skip the test.
        make().find_server()
        self.useFixture(fixtures.MonkeyPatch(
            'magnum_ng.tests.unit.db.base.Database', lambda **how: ServerDatabase(make)))
        super().setUp()

    def _running_resize(self, cluster, count):
        with decisions.resize_cluster(self.context, cluster, count, [],
                                      self.worker(cluster)) as operation:
            records.claim(operation.uuid, 'me', 60)
        records.take_lock(cluster.uuid, 'me', records.FOR_OPERATION, 60)
        work_operations.begin(self.context, operation.uuid, cluster.uuid, 'me', 60)
        return operation

    def _while_another_is_accepted(self, cluster, function, *args):
        """Call the function while a resize to 6 has the cluster's lock."""
        entered, go_on = threading.Event(), threading.Event()

        def accept():
            with db_session.writer():
                acceptance.resize_cluster(self.make_context(), cluster, 6, [],
                                          self.worker(cluster))
                entered.set()
                go_on.wait(10)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            accepting = pool.submit(accept)
            self.assertTrue(entered.wait(10))
            ending = pool.submit(function, *args)
            time.sleep(0.7)
            self.assertFalse(ending.done())
            go_on.set()
            accepting.result(10)
            self.assertTrue(ending.result(10))

    def _assert_the_later_one_is_left(self, cluster):
        stored, worker = self.reload(cluster), self.worker(cluster)
        self.assertEqual((S.UPDATE_IN_PROGRESS, S.UPDATE_IN_PROGRESS, 6),
                         (stored.status, worker.status, worker.node_count))
        left, = self.operations()
        self.assertEqual(1, json.loads(left.before)['nodegroups'][worker.uuid]['node_count'])

    def test_failure_sees_what_was_accepted_while_it_waited_for_the_lock(self):
        cluster = self.make_cluster(workers=1)
        first = self._running_resize(cluster, 5)
        self._while_another_is_accepted(
            cluster, outcome.fail, first.uuid, cluster.uuid, 'me', 'no')
        self._assert_the_later_one_is_left(cluster)

    def test_undo_sees_what_was_accepted_while_it_waited_for_the_lock(self):
        cluster = self.make_cluster(workers=1)
        with decisions.resize_cluster(self.context, cluster, 5, [],
                                      self.worker(cluster)) as first:
            pass
        self._while_another_is_accepted(cluster, outcome.undo, first.uuid, cluster.uuid, None)
        self._assert_the_later_one_is_left(cluster)

    def test_parallel_requests_do_not_exceed_the_quota(self):
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
            self.assertEqual(3, list(pool.map(request, range(8))).count(True))
        self.assertEqual(3, self.count('cluster'))
        self.assertEqual(6, self.count('nodegroup'))

    def test_connections_of_a_rush_are_kept_for_the_next(self):
        engine = engines.create_engine(
            self.database.engine.url.render_as_string(hide_password=False), max_retries=0,
            **db_session.pool_settings(CONF))
        self.addCleanup(engine.dispose)
        made = []
        sa.event.listen(engine, 'connect', lambda *unused: made.append(1))
        for _ in range(3):
            with contextlib.ExitStack() as rush:
                for _ in range(12):
                    rush.enter_context(engine.connect())
        self.assertEqual(12, len(made))

    def test_more_polls_than_connections(self):
        small = engines.create_engine(
            self.database.engine.url.render_as_string(hide_password=False), max_pool_size=2,
            max_overflow=0, pool_timeout=20, max_retries=0)
        self.addCleanup(small.dispose)
        self.useFixture(fixtures.MonkeyPatch(
            'magnum_ng.db.sqlalchemy.session.get_engine', lambda: small))
        clusters = [self.make_cluster(S.UPDATE_IN_PROGRESS) for _ in range(30)]

        def report(context, cluster):
            cluster.status = S.UPDATE_COMPLETE
            cluster.save()

        self.driver.behaviour['update_cluster_status'] = report
        tasks = periodic.MagnumPeriodicTasks(
            CONF, ownership.Ownership('host'), leases.Leases('host'))
        for _ in range(3):
            tasks.sync_cluster_status(None)
            tasks.sync_cluster_health_status(None)
        self.assertEqual({S.UPDATE_COMPLETE}, {self.reload(c).status for c in clusters})
        self.assertEqual(0, small.pool.checkedout())

    def test_two_conductors_polls_and_requests_at_once(self):
        busy, seen = collections.Counter(), collections.defaultdict(list)
        guard = threading.Lock()

        def resize(context, cluster, manager, count, remove, group):
            with guard:
                busy[cluster.uuid] += 1
                self.assertEqual(1, busy[cluster.uuid])
                seen[cluster.uuid].append(count)
            time.sleep(0.01)
            with guard:
                busy[cluster.uuid] -= 1
            if count % 5 == 4:
                raise RuntimeError('no')

        self.driver.behaviour['resize_cluster'] = resize
        conductors = [dispatcher.Dispatcher(leases.Leases(f'host-{number}'), threads=4)
                      for number in range(2)]
        clusters = [self.make_cluster(workers=1) for _ in range(4)]
        over = threading.Event()

        def poll():
            mine = leases.Leases('poller')
            while not over.is_set():
                mine.unlock(mine.lock_many([cluster.uuid for cluster in clusters],
                                           records.FOR_POLL))
                records.expired()
                records.remove_expired_locks()
                time.sleep(0.02)
            mine.stop()

        def request(number):
            accepted = []
            for count in range(12):
                cluster, context = clusters[number], self.make_context()
                try:
                    with decisions.resize_cluster(context, cluster, count, [],
                                                  self.worker(cluster)) as operation:
                        if count % 6 == 5:
                            raise OSError('no broker')
                        conductor = conductors[count % 2]
                        conductor.submit(
                            self.message_context(operation),
                            records.claim(operation.uuid, conductor.owner, 60))
                except exception.ConductorUnavailable:
                    continue
                accepted.append(count)
            return accepted

        with concurrent.futures.ThreadPoolExecutor(5) as pool:
            polling = pool.submit(poll)
            accepted = list(pool.map(request, range(4)))
            conductor_base.wait_until(lambda: not self.operations(), 60)
            over.set()
            polling.result(10)
        for conductor in conductors:
            conductor.stop(5)
        for cluster, counts in zip(clusters, accepted, strict=True):
            self.assertEqual([count for count in range(12) if count % 6 != 5], counts)
            self.assertEqual(counts, seen[cluster.uuid])
            # 11 was never handed over, 10 was done.
            self.assertEqual(10, self.worker(cluster).node_count)
        self.assertEqual(0, self.count('ng_cluster_lock'))


class TestMariaDB(Shared, conductor_base.ConductorTestCase):
    MAKE = staticmethod(base.new_mariadb)


class TestPostgreSQL(Shared, conductor_base.ConductorTestCase):
    MAKE = staticmethod(base.new_postgresql)
