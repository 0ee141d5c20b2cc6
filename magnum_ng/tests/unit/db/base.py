# SPDX-License-Identifier: Apache-2.0
"""The base class of tests with a database."""

import functools
import os
import tempfile

import fixtures
from oslo_config import cfg
from oslo_db.sqlalchemy import engines
import sqlalchemy as sa

from magnum_ng.db import api as db_api
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session
from magnum_ng.servicegroup import fleet
from magnum_ng.tests import base

CONF = cfg.CONF

_METADATA = models.Base.metadata


@functools.lru_cache(maxsize=1)
def _memory_engine():
    """The process's database in memory. Test processes do not see each other's."""
    engine = engines.create_engine('sqlite://')
    _METADATA.create_all(engine)
    return engine


class Database(fixtures.Fixture):
    """An empty SQLite database with today's schema.

    In memory, all threads share one connection and take turns. A test about what threads do at
    the same time needs ``in_file``.
    """

    def __init__(self, in_file=False):
        super().__init__()
        self.in_file = in_file

    def _setUp(self):
        if self.in_file:
            self.engine = self._file_engine()
        else:
            self.engine = _memory_engine()
            self.addCleanup(self._empty)
        # The factory keeps the engine until it is given back.
        self.addCleanup(session.context_manager.patch_engine(self.engine))
        # What the process remembers was true of the last test's database.
        operations.forget_projects()
        fleet.forget()

    def _file_engine(self):
        directory = self.useFixture(fixtures.TempDir(rootdir=tempfile.gettempdir())).path
        url = f'sqlite:///{os.path.join(directory, "magnum.sqlite")}'
        CONF.set_override('connection', url, 'database')
        engine = engines.create_engine(url, sqlite_synchronous=False)
        sa.event.listen(engine, 'connect', session._set_busy_timeout)
        _METADATA.create_all(engine)
        self.addCleanup(engine.dispose)
        return engine

    def _empty(self):
        with self.engine.begin() as connection:
            for table in reversed(_METADATA.sorted_tables):
                connection.execute(table.delete())

    def count_statements(self, function, *args, **kwargs):
        """(what the function returns, the SQL statements that it sent)"""
        statements = []

        def record(connection, cursor, statement, *unused):
            statements.append(statement)

        sa.event.listen(self.engine, 'before_cursor_execute', record)
        try:
            return function(*args, **kwargs), statements
        finally:
            sa.event.remove(self.engine, 'before_cursor_execute', record)


class DbTestCase(base.TestCase):
    """``self.dbapi`` works on an empty database of this test."""

    #: Whether threads of the test need connections of their own.
    DATABASE_IN_FILE = False

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(Database(in_file=self.DATABASE_IN_FILE))
        self.dbapi = db_api.get_instance()
