# SPDX-License-Identifier: Apache-2.0

import json
import os
import shutil

import alembic.util
import fixtures
import sqlalchemy as sa
from alembic import autogenerate
from alembic.runtime import migration as alembic_migration
from alembic.script import ScriptDirectory
from oslo_db.sqlalchemy import engines

from magnum_ng.db import migration as facade
from magnum_ng.db.sqlalchemy import migration, models, session
from magnum_ng.tests import base

HEAD = 'b3e1cf4a2d5e'
# Where a migrated database of the original differs from its models.
MIGRATED = {
    ('cluster_template', 'docker_storage_driver'): ('VARCHAR(512)', True),
    ('nodegroup', 'uuid'): ('VARCHAR(36)', False),
    ('nodegroup', 'name'): ('VARCHAR(255)', False),
    ('nodegroup', 'cluster_id'): ('VARCHAR(255)', False),
    ('nodegroup', 'project_id'): ('VARCHAR(255)', False),
    ('quotas', 'hard_limit'): ('INTEGER', False),
}


def describe(engine):
    """Return columns and keys of all tables."""
    inspector = sa.inspect(engine)
    names = [n for n in inspector.get_table_names() if not n.endswith('alembic_version')]
    columns = {(name, column['name']): (str(column['type']), column['nullable'])
               for name in names for column in inspector.get_columns(name)}
    uniques = sorted((name, tuple(unique['column_names']))
                     for name in names for unique in inspector.get_unique_constraints(name))
    keys = {name: inspector.get_pk_constraint(name)['constrained_columns'] for name in names}
    return columns, uniques, keys


class ChainTest(base.TestCase):

    def script(self, chain):
        return ScriptDirectory.from_config(migration._config(chain, None))

    def test_the_chain_of_the_original_is_complete_and_closed(self):
        here = os.path.dirname(__file__)
        with open(os.path.join(here, 'data', 'revisions.json')) as file:
            recorded = json.load(file)
        found = [revision.revision for revision in self.script(migration.UPSTREAM)
                 .walk_revisions()][::-1]
        self.assertEqual(77, len(recorded))
        self.assertEqual(recorded, found)
        self.assertEqual(HEAD, migration.head())

    def test_the_second_chain_is_a_line_of_its_own(self):
        script = self.script(migration.OWN)
        self.assertEqual(1, len(script.get_heads()))
        first = self.script(migration.UPSTREAM)
        for revision in script.walk_revisions():
            self.assertRaises(alembic.util.CommandError, first.get_revision, revision.revision)

    def test_a_new_revision_follows_in_the_second_chain(self):
        directory = self.useFixture(fixtures.TempDir()).path
        for name in ('alembic', 'alembic_ng'):
            shutil.copytree(os.path.join(migration._HERE, name), os.path.join(directory, name))
        before = migration.head(migration.OWN)
        self.useFixture(fixtures.MonkeyPatch(
            'magnum_ng.db.sqlalchemy.migration._HERE', directory))
        engine = engines.create_engine('sqlite://')
        self.addCleanup(session.context_manager.patch_engine(engine))
        facade.revision('more room')
        self.assertEqual(HEAD, migration.head())
        new = self.script(migration.OWN).get_revision('head')
        self.assertEqual((before, 'more room'), (new.down_revision, new.doc))
        with open(new.path) as file:
            self.assertIn('from magnum_ng.db.sqlalchemy import steps', file.read())


class UpgradeTest(base.TestCase):
    """On SQLite; the servers' turn comes in the functional tests."""

    def setUp(self):
        super().setUp()
        path = os.path.join(self.useFixture(fixtures.TempDir()).path, 'magnum.sqlite')
        self.engine = engines.create_engine(f'sqlite:///{path}')
        self.addCleanup(self.engine.dispose)
        self.addCleanup(session.context_manager.patch_engine(self.engine))

    def test_an_empty_database_becomes_what_the_models_say(self):
        migration.upgrade()
        other = engines.create_engine('sqlite://')
        models.Base.metadata.create_all(other)
        columns, uniques, keys = describe(other)
        self.assertEqual((columns | MIGRATED, uniques, keys), describe(self.engine))

    def test_a_new_revision_finds_no_table_that_is_not_there(self):
        facade.upgrade()
        with session.get_engine().connect() as connection:
            found = autogenerate.compare_metadata(
                alembic_migration.MigrationContext.configure(
                    connection, opts={'version_table': migration.OWN[1], **migration.OF_OUR_OWN}),
                models.Base.metadata)
        self.assertEqual([], [change for change in found if change[0].endswith('_table')])

    def test_versions_of_both_chains_are_known(self):
        self.assertIsNone(facade.version())
        migration.upgrade('592131657ca1')
        self.assertEqual(('592131657ca1', None), facade.versions())
        facade.upgrade()
        self.assertEqual((HEAD, migration.head(migration.OWN)), facade.versions())
        self.assertEqual(HEAD, facade.version())

    def test_rows_survive_the_whole_chain(self):
        migration.upgrade('ac92cbae311c')
        with self.engine.begin() as connection:
            connection.exec_driver_sql(
                "INSERT INTO cluster_template (uuid, master_lb_enabled) VALUES ('t', 1)")
            connection.exec_driver_sql(
                "INSERT INTO cluster (uuid, project_id, cluster_template_id, status, "
                "master_count) VALUES ('c', 'p', 't', 'CREATE_COMPLETE', 3)")
        migration.upgrade()
        with self.engine.connect() as connection:
            self.assertEqual(
                [('default-master', 3, 'CREATE_COMPLETE'),
                 ('default-worker', None, 'CREATE_COMPLETE')],
                [tuple(row) for row in connection.exec_driver_sql(
                    'SELECT name, node_count, status FROM nodegroup ORDER BY id')])
            uuids = connection.exec_driver_sql('SELECT uuid FROM nodegroup').scalars().all()
            self.assertEqual([36, 36], [len(uuid) for uuid in uuids])
            self.assertEqual(1, connection.exec_driver_sql(
                'SELECT master_lb_enabled FROM cluster').scalar())

    def test_a_second_run_finds_nothing_to_do(self):
        migration.upgrade()
        before = describe(self.engine)
        migration.upgrade()
        self.assertEqual(before, describe(self.engine))

    def test_an_unknown_revision_is_refused(self):
        error = self.assertRaises(alembic.util.CommandError, migration.upgrade, 'nonsense')
        self.assertIn("Can't locate revision identified by 'nonsense'", str(error))

    def test_stamping_the_head_stamps_both_chains(self):
        facade.stamp('head')
        self.assertEqual((HEAD, migration.head(migration.OWN)), facade.versions())
        facade.stamp('592131657ca1')
        self.assertEqual('592131657ca1', facade.version())

    def test_a_schema_from_the_models_counts_as_the_newest(self):
        facade.create_schema()
        self.assertEqual((HEAD, migration.head(migration.OWN)), facade.versions())
        self.assertRaises(alembic.util.CommandError, facade.create_schema)

    def test_progress_of_a_long_move_is_logged(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.useFixture(fixtures.MonkeyPatch('magnum_ng.db.sqlalchemy.steps.BATCH', 2))
        migration.upgrade('ac92cbae311c')
        with self.engine.begin() as connection:
            connection.exec_driver_sql("INSERT INTO cluster_template (uuid) VALUES ('t')")
            for number in range(5):
                connection.exec_driver_sql(
                    "INSERT INTO cluster (uuid, project_id, cluster_template_id) "
                    f"VALUES ('c{number}', 'p', 't')")
        migration.upgrade()
        self.assertIn('Nodegroups default-worker: 100 % of 5 rows', log.output)
        self.assertIn('Status of nodegroups: 100 % of 10 rows', log.output)
