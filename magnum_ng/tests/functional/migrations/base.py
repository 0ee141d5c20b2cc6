# SPDX-License-Identifier: Apache-2.0
"""A database on a real server for each test.

``MAGNUM_TEST_MARIADB`` and ``MAGNUM_TEST_POSTGRESQL`` are the URLs of servers, with an account
that may create databases. By default a server on this machine is tried.
"""

import json
import os
import uuid

import sqlalchemy as sa
from oslo_db.sqlalchemy import engines

from magnum_ng.db.sqlalchemy import migration, session
from magnum_ng.tests import base
from magnum_ng.tests.functional import base as functional_base

DATA = os.path.join(os.path.dirname(__file__), 'data')

MARIADB = ('MAGNUM_TEST_MARIADB', 'mysql+pymysql://root@127.0.0.1/')
POSTGRESQL = ('MAGNUM_TEST_POSTGRESQL', 'postgresql+psycopg2://postgres@127.0.0.1/postgres')


def load(name: str):
    """Return recorded facts."""
    with open(os.path.join(DATA, name)) as file:
        return json.load(file) if name.endswith('.json') else file.read()


class ServerTestCase(base.TestCase):
    """``self.engine`` is connected to an empty database, which goes with the test."""

    SERVER = MARIADB
    CREATE = 'CREATE DATABASE {} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'

    def setUp(self):
        super().setUp()
        self.engine = self.new_database()
        self.restore = session.context_manager.patch_engine(self.engine)
        self.addCleanup(lambda: self.restore())

    def new_database(self) -> sa.Engine:
        """Create a database and return its engine; skip the test if there is no server."""
        variable, default = self.SERVER
        url = sa.make_url(os.environ.get(variable, default))
        try:
            server = sa.create_engine(
                url, isolation_level='AUTOCOMMIT', connect_args={'connect_timeout': 5})
            self.addCleanup(server.dispose)
            server.connect().close()
        except (sa.exc.DBAPIError, ImportError) as error:
            self.skipTest(f'No server for {variable}: {str(error).splitlines()[0]}')
        name = f'magnum_test_{uuid.uuid4().hex[:12]}'
        self.execute(server, self.CREATE.format(name))
        self.addCleanup(self.execute, server, functional_base.drop(url, name))
        engine = engines.create_engine(
            url.set(database=name).render_as_string(hide_password=False), max_retries=0)
        self.addCleanup(engine.dispose)
        return engine

    @staticmethod
    def execute(engine: sa.Engine, *statements: str) -> None:
        """Run statements in one transaction."""
        with engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)

    def rows(self, table: str) -> list[dict]:
        """Return all rows of a table in the order of their ids."""
        with self.engine.connect() as connection:
            found = connection.exec_driver_sql(f'SELECT * FROM {table} ORDER BY id')
            return [dict(row._mapping) for row in found]

    @staticmethod
    def upgrade(revision: str = 'head') -> None:
        migration.upgrade(revision)
