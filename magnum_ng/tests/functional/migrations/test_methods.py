# SPDX-License-Identifier: Apache-2.0
"""What only a server shows of the database layer: character sets, locks, round trips."""

import threading

import fixtures
import pymysql
import sqlalchemy as sa
from oslo_db.sqlalchemy import engines

from magnum_ng.common import exception
from magnum_ng.db import api as db_api
from magnum_ng.db.sqlalchemy import models, session
from magnum_ng.tests.functional.migrations import base

WIDE = 'a\U0001f600b'


class ServerMethodsTestCase(base.ServerTestCase):

    def setUp(self):
        super().setUp()
        self.upgrade()
        self.dbapi = db_api.get_instance()
        self.context = self.make_context(project_id='p')

    def use_url(self, **query):
        url = self.engine.url.update_query_dict(query)
        engine = engines.create_engine(url.render_as_string(hide_password=False))
        self.addCleanup(engine.dispose)
        self.restore()
        self.restore = session.context_manager.patch_engine(engine)


class CommonTests:
    """For both servers."""

    def test_pages_have_a_total_order(self):
        for name, health in (('b', None), ('a', 'UNKNOWN'), ('d', None), ('c', 'HEALTHY')):
            self.dbapi.create_cluster({'name': name, 'project_id': 'p', 'health_status': health})
        for sort_key, sort_dir, expected in (
                ('health_status', 'asc', 'bdca'), ('health_status', 'desc', 'acdb'),
                ('name', 'desc', 'dcba'), ('master_lb_enabled', 'asc', 'badc')):
            names, marker = '', None
            while page := self.dbapi.get_cluster_list(
                    self.context, limit=1, marker=marker, sort_key=sort_key, sort_dir=sort_dir):
                names += page[0].name
                marker = page[0]
            self.assertEqual(expected, names, (sort_key, sort_dir))

    def test_changes_that_depend_on_the_status_exclude_each_other(self):
        cluster = self.dbapi.create_cluster({'status': 'A', 'project_id': 'p'})
        changed, ready = [], threading.Barrier(4)

        def change(number):
            ready.wait()
            if self.dbapi.update_cluster(cluster.id, {'status': 'B', 'name': str(number)},
                                         expect_status='A') is not None:
                changed.append(str(number))

        threads = [threading.Thread(target=change, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(1, len(changed))
        self.assertEqual(changed[0], self.dbapi.get_cluster_by_id(self.context, cluster.id).name)

    def test_only_one_of_several_gets_a_unique_value(self):
        created, refused, ready = [], [], threading.Barrier(4)

        def create():
            ready.wait()
            try:
                created.append(self.dbapi.create_quota(
                    {'project_id': 'p', 'resource': 'Cluster', 'hard_limit': 1}))
            except exception.QuotaAlreadyExists:
                refused.append(1)

        threads = [threading.Thread(target=create) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((1, 3), (len(created), len(refused)))

    def test_what_the_server_refuses_is_the_caller_s_mistake(self):
        for values in ({'name': 'a\x00'}, {'docker_volume_size': 2 ** 40}, {'status': 'x' * 21}):
            self.assertRaises(exception.InvalidParameterValue, self.dbapi.create_cluster, values)
        self.assertRaises(exception.ClusterNotFound, self.dbapi.get_cluster_by_id,
                          self.context, 2 ** 70)
        self.assertRaises(exception.ClusterNotFound, self.dbapi.get_cluster_by_name,
                          self.context, 'a\x00')

    def test_every_connection_goes_back(self):
        self.test_what_the_server_refuses_is_the_caller_s_mistake()
        self.dbapi.get_cluster_template_list(self.context)
        self.dbapi.get_cluster_stats(self.context)
        self.assertEqual(0, session.get_engine().pool.checkedout())


class MariaDbMethodsTest(CommonTests, ServerMethodsTestCase):

    def assertWideTextIsHandled(self):
        error = self.assertRaises(exception.InvalidParameterValue, self.dbapi.create_cluster,
                                  {'name': WIDE, 'project_id': 'p'})
        self.assertNotIn('INSERT', str(error))
        self.assertRaises(exception.ClusterNotFound, self.dbapi.get_cluster_by_name,
                          self.context, WIDE)
        for filters in ({'name': WIDE}, {'status': [WIDE, 'a\x00']}):
            self.assertEqual([], self.dbapi.get_cluster_list(self.context, filters))
        row = self.dbapi.create_cluster(
            {'project_id': 'p', 'labels': {'k': WIDE}, 'status_reason': WIDE})
        found = self.dbapi.get_cluster_by_id(self.context, row.id)
        self.assertEqual(({'k': WIDE}, 'a\ufffdb'), (found.labels, found.status_reason))
        self.assertRaises(exception.InvalidParameterValue, self.dbapi.update_cluster,
                          row.id, {'name': WIDE})

    def test_wide_characters_over_a_connection_of_three_bytes(self):
        self.assertWideTextIsHandled()

    def test_wide_characters_over_a_connection_of_four_bytes(self):
        self.use_url(charset='utf8mb4')
        self.assertWideTextIsHandled()
        # This table has always had the character set of the database.
        row = self.dbapi.create_nodegroup({'name': WIDE, 'cluster_id': 'c', 'project_id': 'p'})
        self.assertEqual(row.id, self.dbapi.get_nodegroup_by_name(self.context, 'c', WIDE).id)

    def test_labels_larger_than_the_column_are_refused(self):
        self.assertRaises(exception.InvalidParameterValue, self.dbapi.create_cluster,
                          {'labels': {'k': 'x' * 70000}})

    def test_reads_of_one_block_cost_a_check_their_statements_and_a_rollback(self):
        with session.reader():
            self.dbapi.get_cluster_list(self.context)
        sent = []
        send = pymysql.connections.Connection._execute_command

        def record(connection, command, sql):
            sent.append(sql if isinstance(sql, str) else sql.decode())
            return send(connection, command, sql)

        self.useFixture(fixtures.MonkeyPatch(
            'pymysql.connections.Connection._execute_command', record))
        with session.reader():
            for _ in range(3):
                self.dbapi.get_cluster_list(self.context)
        self.assertEqual(['', 'SELECT', 'SELECT', 'SELECT', 'ROLLBACK'],
                         [sql.partition(' ')[0] for sql in sent])

    def test_a_lost_connection_is_replaced(self):
        self.dbapi.create_cluster({'name': 'c', 'project_id': 'p'})
        with self.engine.connect() as connection:
            number = connection.scalar(sa.select(sa.func.connection_id()))
        with sa.create_engine(self.engine.url).connect() as other:
            other.exec_driver_sql(f'KILL {number}')
        self.assertEqual('c', self.dbapi.get_cluster_by_name(self.context, 'c').name)

    def test_a_deadlock_ends_well(self):
        first, second = (self.dbapi.create_cluster({'project_id': 'p'}) for _ in range(2))
        ready = threading.Barrier(2)
        errors = []

        def work(one, other):
            waited = []

            @session.retrying
            def both():
                with session.writer() as db:
                    db.get(models.Cluster, one, with_for_update=True).stack_id = 'x'
                    db.flush()
                    if not waited:
                        waited.append(ready.wait(10))
                    db.get(models.Cluster, other, with_for_update=True).stack_id = 'x'

            try:
                both()
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=ids)
                   for ids in ((first.id, second.id), (second.id, first.id))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], errors)


class PostgreSqlMethodsTest(CommonTests, ServerMethodsTestCase):

    SERVER = base.POSTGRESQL
    CREATE = 'CREATE DATABASE {}'

    def test_wide_characters_are_stored(self):
        row = self.dbapi.create_cluster({'name': WIDE, 'project_id': 'p', 'status_reason': WIDE})
        found = self.dbapi.get_cluster_by_name(self.context, WIDE)
        self.assertEqual((row.id, WIDE), (found.id, found.status_reason))
