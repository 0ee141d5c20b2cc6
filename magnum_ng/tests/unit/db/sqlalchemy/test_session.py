# SPDX-License-Identifier: Apache-2.0

import pathlib
import threading
import time

import fixtures
import sqlalchemy as sa
from oslo_config import cfg
from oslo_db import exception as db_exc

from magnum_ng.common import exception
from magnum_ng.db.sqlalchemy import models, session
from magnum_ng.tests import base as tests_base
from magnum_ng.tests.unit.db import base, counting

CONF = cfg.CONF


def names():
    with session.reader() as db:
        return list(db.scalars(sa.select(models.Quota.project_id).order_by(models.Quota.id)))


def add(name):
    with session.writer() as db:
        db.add(models.Quota(project_id=name, resource='Cluster', hard_limit=1))


class NestingTest(base.DbTestCase):

    DATABASE_IN_FILE = True

    def test_an_inner_block_joins_the_outer_one(self):
        for outer in (session.reader, session.writer):
            with outer() as first, session.reader() as second:
                self.assertIs(first, second)
        with session.writer() as first, session.writer() as second:
            self.assertIs(first, second)

    def test_blocks_in_one_block_take_one_connection(self):
        with counting.connections() as count:
            with session.reader():
                names()
                names()
                self.dbapi.get_quota_list(self.context)
        self.assertEqual({'checkout': 1, 'checkin': 1}, count)

    def test_a_block_that_sends_nothing_takes_no_connection(self):
        with counting.connections() as count:
            with session.reader():
                pass
            with session.writer():
                pass
        self.assertEqual({'checkout': 0, 'checkin': 0}, count)

    def test_nothing_of_a_writer_that_fails_stays(self):
        def fail():
            with session.writer():
                add('a')
                self.assertEqual(['a'], names())
                raise ValueError

        self.assertRaises(ValueError, fail)
        self.assertEqual([], names())
        self.assertFalse(session.in_transaction())

    def test_a_writer_in_a_reader_commits_by_itself(self):
        def fail():
            with session.reader() as db:
                self.assertEqual([], names())
                add('a')
                self.assertEqual(['a'], names())
                with session.writer():
                    add('b')
                self.assertEqual(['a', 'b'], list(db.scalars(sa.select(models.Quota.project_id))))
                raise ValueError

        self.assertRaises(ValueError, fail)
        self.assertEqual(['a', 'b'], names())

    def test_what_a_reader_has_read_survives_a_writer_in_it(self):
        add('a')
        with session.reader() as db:
            row = db.scalars(sa.select(models.Quota)).one()
            add('b')
            self.assertEqual('a', row.project_id)
        self.assertEqual(1, row.hard_limit)

    def test_a_writer_that_fails_in_a_reader_undoes_only_itself(self):
        with session.reader():
            add('a')
            try:
                with session.writer():
                    add('b')
                    raise ValueError
            except ValueError:
                pass
            self.assertEqual(['a'], names())

    def test_an_error_that_ended_the_transaction_cannot_be_committed_away(self):
        add('taken')

        def swallow():
            with session.writer():
                add('lost')
                try:
                    self.dbapi.create_quota({'project_id': 'taken', 'resource': 'Cluster',
                                             'hard_limit': 1})
                except exception.QuotaAlreadyExists:
                    pass

        self.assertRaises(sa.exc.PendingRollbackError, swallow)
        self.assertEqual(['taken'], names())

    def test_rows_are_usable_after_the_block(self):
        add('a')
        with session.reader() as db:
            row = db.scalars(sa.select(models.Quota)).one()
        self.assertEqual('a', row.project_id)
        with session.writer() as db:
            changed = db.get(models.Quota, row.id)
            changed.hard_limit = 7
        self.assertEqual(7, changed.hard_limit)


class PoolTest(base.DbTestCase):
    """Every connection is back in the pool after every call, the failing ones included."""

    DATABASE_IN_FILE = True

    def test_no_method_keeps_a_connection(self):
        cluster = self.dbapi.create_cluster({'name': 'c', 'project_id': 'p'})
        for call in (
                lambda: self.dbapi.get_cluster_list(self.context),
                lambda: self.dbapi.get_cluster_template_list(self.context),
                lambda: self.dbapi.get_cluster_stats(self.context),
                lambda: self.dbapi.get_cluster_count_all(self.context),
                lambda: self.dbapi.get_nodegroups_of_clusters(self.context, ['c']),
                lambda: self.dbapi.create_cluster({'uuid': cluster.uuid}),
                lambda: self.dbapi.update_cluster(cluster.id, {'name': 'n'}),
                lambda: self.dbapi.get_cluster_by_id(self.context, 999),
                lambda: self.dbapi.get_magnum_service_by_host_and_binary('h', 'b'),
                lambda: self.dbapi.destroy_cluster(999)):
            with counting.connections() as count:
                try:
                    call()
                except exception.MagnumException:
                    pass
            self.assertEqual({'checkout': 1, 'checkin': 1}, count)


class ThreadsTest(base.DbTestCase):

    def run_threads(self, *functions):
        errors = []

        def run(function):
            try:
                function()
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=run, args=(function,)) for function in functions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual([], errors)

    def count_up(self):
        with session.writer() as db:
            row = db.scalars(sa.select(models.Quota)).one()
            seen = row.hard_limit
            time.sleep(0.02)
            row.hard_limit = seen + 1

    def test_threads_share_a_database_in_memory_in_turn(self):
        add('a')
        self.run_threads(*[self.count_up] * 8)
        self.assertEqual(9, self.dbapi.get_quota_list(self.context)[0].hard_limit)


class FileThreadsTest(ThreadsTest):

    DATABASE_IN_FILE = True

    def test_threads_share_a_database_in_memory_in_turn(self):
        # The same with a connection each: the second writer waits before it reads.
        super().test_threads_share_a_database_in_memory_in_turn()

    def test_a_reader_does_not_keep_writers_out(self):
        add('a')
        with session.reader() as db:
            self.assertEqual(1, len(list(db.scalars(sa.select(models.Quota)))))
            self.run_threads(self.count_up)
            self.assertEqual(2, db.scalar(sa.select(models.Quota.hard_limit)))


class RetryTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch('time.sleep', lambda seconds: None))
        self.calls = 0

    def failing(self, *errors):
        left = list(errors)

        def function():
            self.calls += 1
            if left:
                raise left.pop(0)
            return 'done'

        return function

    def test_a_deadlock_is_tried_again(self):
        function = session.retrying(self.failing(db_exc.DBDeadlock(), db_exc.DBDeadlock()))
        self.assertEqual('done', function())
        self.assertEqual(3, self.calls)

    def test_a_lost_connection_is_tried_again(self):
        for decorate in (session.retrying, session.retrying_read):
            self.assertEqual('done', decorate(self.failing(db_exc.DBConnectionError()))())

    def test_a_commit_of_unknown_outcome_is_not_repeated(self):
        error = db_exc.DBConnectionError()

        class Transaction:
            def commit(self):
                raise error

        self.assertRaises(db_exc.DBConnectionError, session._commit, Transaction())
        function = session.retrying(self.failing(error))
        self.assertRaises(db_exc.DBConnectionError, function)
        self.assertEqual(1, self.calls)

    def test_an_inner_call_leaves_it_to_the_outer_one(self):
        function = session.retrying(self.failing(db_exc.DBDeadlock()))

        @session.retrying
        def outer():
            with session.writer():
                return function()

        self.assertEqual('done', outer())
        self.assertEqual(2, self.calls)

    def test_a_database_that_stays_away_is_reported(self):
        function = session.retrying_read(self.failing(*[db_exc.DBConnectionError()] * 9))
        self.assertRaises(db_exc.DBConnectionError, function)
        self.assertEqual(2, self.calls)

    def test_other_errors_are_not_repeated(self):
        function = session.retrying(self.failing(db_exc.DBDataError()))
        self.assertRaises(db_exc.DBDataError, function)
        self.assertEqual(1, self.calls)


class PoolSettingsTest(tests_base.TestCase):

    def _settings(self, text):
        path = pathlib.Path(self.useFixture(fixtures.TempDir()).path, 'magnum.conf')
        path.write_text(f'[database]\n{text}\n')
        CONF([], project='magnum', default_config_files=[str(path)], default_config_dirs=[])
        return session.pool_settings(CONF)

    def test_every_connection_is_kept(self):
        self.assertEqual({'max_pool_size': 55, 'max_overflow': 0}, self._settings(''))
        self.assertEqual({'max_pool_size': 15, 'max_overflow': 0},
                         self._settings('max_overflow = 10'))

    def test_unless_the_operator_decides(self):
        self.assertEqual({}, self._settings('max_pool_size = 5'))
        self.assertEqual({}, self._settings('max_overflow = -1'))


class TurnsTest(base.DbTestCase):

    DATABASE_IN_FILE = True

    def setUp(self):
        super().setUp()
        self.leave = threading.Event()
        arrived = [threading.Event() for _ in range(session.READERS)]
        for inside in arrived:
            self._start(self._read, inside)
        # Before the threads are waited for.
        self.addCleanup(self.leave.set)
        for inside in arrived:
            self.assertTrue(inside.wait(10))

    def _start(self, function, *args):
        thread = threading.Thread(target=function, args=args)
        self.addCleanup(thread.join, 10)
        thread.start()

    def _read(self, inside):
        with session.reader():
            inside.set()
            self.leave.wait(10)

    def test_one_reader_more_waits_for_another_to_end(self):
        self.useFixture(fixtures.MonkeyPatch(
            'magnum_ng.db.sqlalchemy.session.PATIENCE', 10))
        late = threading.Event()
        self._start(self._read, late)
        self.assertFalse(late.wait(0.2))
        self.leave.set()
        self.assertTrue(late.wait(10))

    def test_and_goes_on_if_none_does(self):
        self.useFixture(fixtures.MonkeyPatch(
            'magnum_ng.db.sqlalchemy.session.PATIENCE', 0.05))
        self.assertEqual([], names())

    def test_writers_do_not_wait(self):
        self.useFixture(fixtures.MonkeyPatch(
            'magnum_ng.db.sqlalchemy.session.PATIENCE', 10))
        began = time.monotonic()
        add('one')
        self.assertLess(time.monotonic() - began, 5)
