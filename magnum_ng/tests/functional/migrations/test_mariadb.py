# SPDX-License-Identifier: Apache-2.0

import os
import re
import threading
import unittest

import fixtures
import sqlalchemy as sa
from oslo_utils import timeutils

from magnum_ng.db.sqlalchemy import migration, models, operations
from magnum_ng.servicegroup import fleet
from magnum_ng.tests.functional.migrations import base

RECORDED = base.load('mariadb.json')
HEAD = 'b3e1cf4a2d5e'
# Heads of releases, and those before and after what moves data.
SELECTION = (
    '2581ebaf0cb2', '4956f03cabad', '592131657ca1', '1481f5b560dd', '417917e778f5',
    'd072f58ab240', '720f640f43d1', '52bcaf58fecb', 'ac92cbae311c', '461d798132c7',
    '47380964133d', 'c04e925e65c2', '7da8489d6a68', 'c0f832afc4fd', HEAD)
EVERYTHING = 'MAGNUM_TEST_ALL_MIGRATIONS'


def recorded_schema(revision: str) -> dict[str, str]:
    """Return the statements that create the tables of a revision, by table."""
    record, = (r for r in RECORDED['revisions'] if r['revision'] == revision)
    statements = [RECORDED['statements'][number] for number in record['tables']]
    return {table_of(statement): statement for statement in statements}


def table_of(statement: str) -> str:
    return re.match('CREATE TABLE `(.+?)`', statement).group(1)


class MariaDbTestCase(base.ServerTestCase):

    def setUp(self):
        super().setUp()
        with self.engine.connect() as connection:
            version = connection.scalar(sa.text('SELECT version()'))
        if 'mariadb' not in version.lower():
            self.skipTest(f'Recorded from MariaDB, this is {version}')

    def load(self, revision: str) -> None:
        """Make the database what the original has at a revision."""
        self.execute(self.engine, *recorded_schema(revision).values(),
                     f"INSERT INTO alembic_version VALUES ('{revision}')")

    def schema(self) -> dict[str, str]:
        """Return how the original's tables would be created, without our indexes."""
        with self.engine.connect() as connection:
            names = connection.scalars(sa.text('SHOW TABLES')).all()
            statements = [connection.exec_driver_sql(f'SHOW CREATE TABLE `{name}`').one()[1]
                          for name in names if not name.startswith('ng_')]
        return {table_of(statement): self.plain(statement) for statement in statements}

    @staticmethod
    def plain(statement: str) -> str:
        statement = re.sub(r',\n  KEY `ng_ix_\w+` \(.*?\)(?=,?\n)', '', statement)
        return re.sub(r' AUTO_INCREMENT=\d+', '', statement)

    def assertIsHead(self):
        self.assertEqual(recorded_schema(HEAD), self.schema())
        self.assertEqual((HEAD, migration.head(migration.OWN)), migration.versions())


class UpgradeTest(MariaDbTestCase):

    def test_an_empty_database_gets_the_schema_of_the_original(self):
        self.upgrade()
        self.assertIsHead()

    def test_every_revision_leaves_the_schema_that_the_original_leaves(self):
        if not os.environ.get(EVERYTHING):
            self.skipTest(f'{EVERYTHING} is not set')
        for record in RECORDED['revisions']:
            self.upgrade(record['revision'])
            self.assertEqual(recorded_schema(record['revision']), self.schema(),
                             record['revision'])

    def test_a_second_run_changes_nothing(self):
        self.upgrade()
        before = self.schema()
        statements = []
        sa.event.listen(self.engine, 'before_cursor_execute',
                        lambda *args: statements.append(args[2]))
        self.upgrade()
        self.assertEqual(before, self.schema())
        changing = [s for s in statements if re.match('(CREATE|ALTER|UPDATE|INSERT|DROP)', s)]
        self.assertEqual([], changing)

    def test_two_runs_at_once_take_turns(self):
        failures = []

        def run():
            try:
                migration.upgrade('head')
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], failures)
        self.assertIsHead()

    def test_a_server_that_refuses_locks_is_migrated_without(self):
        @sa.event.listens_for(self.engine, 'before_cursor_execute', retval=True)
        def refuse(connection, cursor, statement, parameters, context, many):
            return statement.replace('get_lock(', 'no_such_function('), parameters

        log = self.useFixture(fixtures.FakeLogger('magnum.db.sqlalchemy.migration'))
        self.upgrade()
        self.assertIsHead()
        self.assertIn('has no locks', log.output)

    def test_own_tables_are_those_of_the_models(self):
        self.upgrade()
        migrated = {name: ddl for name, ddl in self.all_tables().items()
                    if name.startswith('ng_') and name != 'ng_alembic_version'}
        engine, self.engine = self.engine, self.new_database()
        models.Base.metadata.create_all(self.engine)
        self.assertNotEqual(engine.url, self.engine.url)
        self.assertEqual({name: ddl for name, ddl in self.all_tables().items()
                          if name.startswith('ng_')}, migrated)

    def all_tables(self):
        with self.engine.connect() as connection:
            return {name: connection.exec_driver_sql(f'SHOW CREATE TABLE `{name}`').one()[1]
                    for name in connection.scalars(sa.text('SHOW TABLES')).all()}

    def test_indexes_serve_the_usual_queries(self):
        self.upgrade()
        with self.engine.connect() as connection:
            for query, index in (
                    ("SELECT count(id) FROM cluster WHERE project_id = 'p'",
                     'ng_ix_cluster_project_id'),
                    ("SELECT * FROM cluster WHERE name = 'n' AND project_id = 'p'",
                     'ng_ix_cluster_name'),
                    ("SELECT id FROM cluster WHERE cluster_template_id = 't' LIMIT 1",
                     'ng_ix_cluster_template_id'),
                    ("SELECT * FROM cluster WHERE status = 'CREATE_IN_PROGRESS'",
                     'ng_ix_cluster_status'),
                    ("SELECT sum(node_count) FROM nodegroup WHERE project_id = 'p' "
                     "AND coalesce(status, '') != 'DELETE_COMPLETE'",
                     'ng_ix_nodegroup_project_id')):
                plan = connection.exec_driver_sql('EXPLAIN ' + query.replace('%', '%%')).one()
                self.assertIn(index, plan._mapping['possible_keys'], query)


class CollationTest(MariaDbTestCase):
    """The database has another collation than a table gets that names a character set."""

    CREATE = 'CREATE DATABASE {} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci'

    def collations(self):
        with self.engine.connect() as connection:
            return dict(connection.execute(sa.text(
                'SELECT table_name, table_collation FROM information_schema.tables '
                'WHERE table_schema = DATABASE()')).all())

    def use(self):
        """The statements that compare columns of tables of both."""
        now = timeutils.utcnow()
        self.execute(self.engine, "INSERT INTO magnum_service (report_count, host, `binary`, "
                     f"last_seen_up) VALUES (1, 'h', 'magnum-conductor', '{now:%F %T}')")
        self.assertEqual(['h'], fleet.foreign())
        self.assertEqual([], operations.forgotten_upgrades())
        self.assertEqual([], operations.to_poll(['CREATE_IN_PROGRESS'], now))
        self.assertEqual([], operations.half_failed())

    def test_our_tables_have_that_of_the_database(self):
        self.upgrade()
        found = self.collations()
        self.assertEqual({'utf8mb4_unicode_ci'}, {
            found[name] for name in found if name.startswith('ng_')})
        self.use()

    def test_a_database_whose_tables_were_converted(self):
        self.upgrade('d7e6a4d39fe4')
        for table in ('cluster', 'nodegroup'):
            self.execute(self.engine, f'ALTER TABLE {table} CONVERT TO CHARACTER SET utf8mb4 '
                         'COLLATE utf8mb4_unicode_520_ci')
        self.upgrade()
        self.assertEqual('utf8mb4_unicode_520_ci', self.collations()['ng_operation'])
        self.use()


class DataTest(MariaDbTestCase):
    """The rows of the recorded check move as the original moved them."""

    STEPS = {step['at'].partition(',')[0]: step['rows']
             for step in base.load('data_check.json')['steps']}

    def assertRows(self, at: str):
        for table, expected in self.STEPS[at].items():
            found = self.rows(table)
            self.assertEqual(len(expected), len(found), (at, table))
            for recorded, row in zip(expected, found, strict=True):
                for column, value in recorded.items():
                    where = (at, table, recorded['id'], column)
                    if value in ('<now>', '<generated uuid>'):
                        self.assertIsNotNone(row[column], where)
                    else:
                        self.assertEqual(value, row[column], where)

    def test_rows_move_as_recorded(self):
        self.upgrade('4956f03cabad')
        self.execute(self.engine,
                     "INSERT INTO baymodel (uuid, name) VALUES ('bm1', 'old1'), ('bm2', 'old2')")
        for revision in ('4956f03cabad', '592131657ca1', '1d045384b966', '417917e778f5',
                         'ac92cbae311c'):
            self.upgrade(revision)
            if revision == 'ac92cbae311c':
                self.insert_clusters()
            self.assertRows(revision)
        for revision in ('461d798132c7', 'c04e925e65c2', '95096e2334ee', 'head'):
            self.upgrade(revision)
            self.assertRows(revision)
        uuids = [row['uuid'] for row in self.rows('nodegroup')]
        self.assertEqual(len(uuids), len(set(uuids)))

    def insert_clusters(self):
        self.execute(
            self.engine,
            "UPDATE cluster_template SET flavor_id = 'tf', master_flavor_id = 'tmf', "
            "image_id = 'timg', docker_volume_size = 7, master_lb_enabled = 1 "
            "WHERE uuid = 'bm1'")
        with self.engine.begin() as connection:
            connection.execute(sa.table('cluster', *map(sa.column, CLUSTER_COLUMNS)).insert(), [
                {column: row.get(column) for column in CLUSTER_COLUMNS}
                for row in self.STEPS['ac92cbae311c']['cluster']])

    def test_batches_move_all_rows(self):
        self.useFixture(fixtures.MonkeyPatch('magnum_ng.db.sqlalchemy.steps.BATCH', 7))
        self.load('ac92cbae311c')
        self.execute(
            self.engine,
            "INSERT INTO cluster_template (uuid, master_lb_enabled) VALUES ('t', 1)",
            "INSERT INTO cluster (uuid, project_id, cluster_template_id, node_count, status) "
            "SELECT concat('c', seq), 'p', 't', seq, 'S' FROM seq_1_to_50")
        self.upgrade()
        found = self.rows('nodegroup')
        self.assertEqual(['default-master'] * 50 + ['default-worker'] * 50,
                         [row['name'] for row in found])
        self.assertEqual([f'c{n}' for n in range(1, 51)] * 2, [row['cluster_id'] for row in found])
        self.assertEqual(list(range(1, 51)), [row['node_count'] for row in found[50:]])
        self.assertEqual({('S', '0')}, {(row['status'], row['version']) for row in found})
        self.assertEqual({1}, {row['master_lb_enabled'] for row in self.rows('cluster')})

    def test_an_interrupted_move_goes_on(self):
        self.load('ac92cbae311c')
        self.execute(
            self.engine,
            "INSERT INTO cluster_template (uuid) VALUES ('t')",
            "INSERT INTO cluster (uuid, project_id, cluster_template_id) "
            "VALUES ('c1', 'p', 't'), ('c2', 'p', 't')",
            "INSERT INTO nodegroup (uuid, name, cluster_id, project_id) "
            "VALUES ('n1', 'default-master', 'c1', 'p')")
        self.upgrade()
        self.assertEqual(
            [('c1', 'default-master'), ('c2', 'default-master'), ('c1', 'default-worker'),
             ('c2', 'default-worker')],
            [(row['cluster_id'], row['name']) for row in self.rows('nodegroup')])


CLUSTER_COLUMNS = (
    'uuid', 'name', 'project_id', 'cluster_template_id', 'labels', 'docker_volume_size',
    'flavor_id', 'master_flavor_id', 'node_count', 'master_count', 'node_addresses',
    'master_addresses', 'stack_id', 'status')


def _from(revision):
    def test(self):
        self.load(revision)
        self.upgrade()
        self.assertIsHead()
    return test


class FromRevisionTest(MariaDbTestCase):
    """A database that the original left at a revision becomes what the original makes of it."""


for _record in RECORDED['revisions']:
    _revision = _record['revision']
    _test = _from(_revision)
    if _revision not in SELECTION:
        _test = unittest.skipUnless(os.environ.get(EVERYTHING), f'{EVERYTHING} is not set')(_test)
    setattr(FromRevisionTest, f'test_database_at_{_revision}_is_upgraded', _test)
