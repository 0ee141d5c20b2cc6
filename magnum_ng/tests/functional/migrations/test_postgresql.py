# SPDX-License-Identifier: Apache-2.0

import sqlalchemy as sa

from magnum_ng.db.sqlalchemy import migration, models
from magnum_ng.tests.functional.migrations import base

# Everything of the catalogue that a dump shows. What is only ours is left out.
COLUMNS = """
    SELECT c.relname, a.attnum - (SELECT count(*) FROM pg_attribute d
               WHERE d.attrelid = a.attrelid AND d.attisdropped AND d.attnum < a.attnum),
           a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
           pg_get_expr(v.adbin, v.adrelid)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef v ON v.adrelid = a.attrelid AND v.adnum = a.attnum
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0
      AND NOT a.attisdropped AND c.relname NOT LIKE 'ng\\_%' ORDER BY 1, 2"""
CONSTRAINTS = """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE 'ng\\_%'
    ORDER BY 1, 2"""
SEQUENCES = """
    SELECT sequencename, data_type::text, start_value, increment_by FROM pg_sequences
    WHERE sequencename NOT LIKE 'ng\\_%' ORDER BY 1"""
TYPES = "SELECT typname FROM pg_type WHERE typtype = 'e' ORDER BY 1"
INDEXES = """
    SELECT tablename, indexname FROM pg_indexes WHERE schemaname = 'public'
    AND indexname NOT LIKE 'ng\\_%' AND tablename NOT LIKE 'ng\\_%' ORDER BY 1, 2"""


class PostgreSqlTest(base.ServerTestCase):

    SERVER = base.POSTGRESQL
    CREATE = 'CREATE DATABASE {}'

    def catalogue(self, engine):
        with engine.connect() as connection:
            return [[tuple(row) for row in connection.exec_driver_sql(query.replace('%', '%%'))]
                    for query in (COLUMNS, CONSTRAINTS, SEQUENCES, TYPES, INDEXES)]

    def test_an_empty_database_gets_the_schema_of_the_original(self):
        recorded = self.new_database()
        self.execute(recorded, *filter(str.strip, base.load('postgresql.sql').split(';')))
        self.upgrade()
        expected, found = self.catalogue(recorded), self.catalogue(self.engine)
        self.assertGreater(len(expected[0]), 100)
        for wanted, seen in zip(expected, found, strict=True):
            self.assertEqual(wanted, seen)
        self.assertEqual((migration.head(), migration.head(migration.OWN)), migration.versions())

    def test_rows_move(self):
        self.upgrade('ac92cbae311c')
        self.execute(
            self.engine,
            "INSERT INTO cluster_template (uuid, flavor_id, master_lb_enabled) "
            "VALUES ('t', 'f', true)",
            "INSERT INTO cluster (uuid, project_id, cluster_template_id, status, stack_id, "
            "node_count) VALUES ('c1', 'p', 't', 'CREATE_COMPLETE', 's', 2), "
            "('c2', 'p', 'gone', 'CREATE_FAILED', 's', 2)")
        self.upgrade()
        self.assertEqual(
            [('default-master', 'c1', None, 'CREATE_COMPLETE', '0', '{}', '[]'),
             ('default-worker', 'c1', 2, 'CREATE_COMPLETE', '0', '{}', '[]')],
            [(row['name'], row['cluster_id'], row['node_count'], row['status'], row['version'],
              row['labels'], row['node_addresses']) for row in self.rows('nodegroup')])
        self.assertEqual([True, None], [row['master_lb_enabled'] for row in self.rows('cluster')])

    def test_own_tables_are_those_of_the_models(self):
        self.upgrade()
        other = self.new_database()
        models.Base.metadata.create_all(other)

        def describe(engine):
            inspector = sa.inspect(engine)
            return {name: ([(c['name'], str(c['type']), c['nullable'])
                            for c in inspector.get_columns(name)],
                           inspector.get_pk_constraint(name)['constrained_columns'],
                           sorted(i['name'] for i in inspector.get_indexes(name)))
                    for name in inspector.get_table_names()
                    if name.startswith('ng_') and name != 'ng_alembic_version'}

        self.assertNotEqual({}, describe(other))
        self.assertEqual(describe(other), describe(self.engine))

    def test_two_runs_follow_each_other(self):
        self.upgrade()
        self.upgrade()
        self.assertEqual((migration.head(), migration.head(migration.OWN)), migration.versions())
