# SPDX-License-Identifier: Apache-2.0
"""The two chains of Alembic revisions.

The first is the original's, revision for revision: either project can upgrade a database that
the other one has made. What only this project has - tables named ``ng_*`` and indexes - is in
the second, whose version table the original does not know.
"""

import contextlib
import os
from collections.abc import Callable, Iterator

import sqlalchemy as sa
from alembic import command, config, util
from alembic.script import ScriptDirectory
from oslo_db import exception as db_exc

from magnum_ng.common import log as logging
from magnum_ng.db import migration
from magnum_ng.db.sqlalchemy import session

LOG = logging.getLogger(__name__)

_HERE = os.path.dirname(__file__)

# Directory and version table.
UPSTREAM = ('alembic', 'alembic_version')
OWN = ('alembic_ng', 'ng_alembic_version')

# Held by whoever migrates, so that a second run waits and then finds nothing to do.
_LOCK_NAME = 'magnum-db-manage'
_LOCK_NUMBER = 0x6D61676E756D
_LOCK_SECONDS = 3600


def upgrade(revision: str | None = None) -> None:
    """Bring the schema to a revision of the original; at its head, our own chain follows."""
    revision = revision or 'head'
    with _exclusive_connection() as connection:
        _run(command.upgrade, UPSTREAM, connection, revision)
        if _current(UPSTREAM, connection) == head(UPSTREAM):
            _run(command.upgrade, OWN, connection, 'head')


def version() -> str | None:
    """Return the revision of the original's chain."""
    return versions()[0]


def versions() -> tuple[str | None, str | None]:
    """Return the revisions of both chains."""
    with session.get_engine().connect() as connection:
        return _current(UPSTREAM, connection), _current(OWN, connection)


def head(chain: tuple[str, str] = UPSTREAM) -> str:
    """Return the newest revision of a chain."""
    return ScriptDirectory.from_config(_config(chain, None)).get_current_head()


def knows(revision: str, chain: tuple[str, str] = UPSTREAM) -> bool:
    """Tell whether a chain of this release has the revision."""
    try:
        return ScriptDirectory.from_config(_config(chain, None)).get_revision(revision) is not None
    except util.CommandError:
        return False


def stamp(revision: str) -> None:
    """Record a revision of the original's chain; for its head also that of our own."""
    with _exclusive_connection() as connection:
        _run(command.stamp, UPSTREAM, connection, revision)
        if _current(UPSTREAM, connection) == head(UPSTREAM):
            _run(command.stamp, OWN, connection, 'head')


def revision(message: str | None = None, autogenerate: bool = False) -> None:
    """Write the skeleton of a new revision of our own chain; the original's is closed."""
    with session.get_engine().connect() as connection:
        found = _config(OWN, connection)
        found.attributes['metadata'] = _metadata()
        command.revision(found, message, autogenerate)


def create_schema() -> None:
    """Create all tables from the models and record the newest revisions."""
    if version() is not None:
        raise util.CommandError('The database is not empty.')
    _metadata().create_all(session.get_engine())
    stamp('head')


def run_chain(context) -> None:
    """Run revisions; called by Alembic through ``env.py``."""
    attributes = context.config.attributes
    connection = attributes['connection']
    context.configure(
        connection=connection, version_table=attributes['version_table'],
        target_metadata=attributes.get('metadata'), **OF_OUR_OWN,
        # SQLite's lock lasts as long as its transaction.
        transaction_per_migration=connection.dialect.name != 'sqlite')
    with context.begin_transaction():
        context.run_migrations()


def _metadata() -> sa.MetaData:
    # Late: revisions know their tables, and these take long to import.
    from magnum_ng.db.sqlalchemy import models

    return models.Base.metadata


def _is_own(name, type_, parent_names) -> bool:
    return type_ != 'table' or name.startswith('ng_')


#: What --autogenerate compares: our tables in the database with our tables in the models.
OF_OUR_OWN = {
    'include_name': _is_own,
    'include_object': lambda object_, name, type_, *others: _is_own(name, type_, None)}


def _config(chain: tuple[str, str], connection: sa.Connection | None) -> config.Config:
    directory, version_table = chain
    found = config.Config()
    found.set_main_option('script_location', os.path.join(_HERE, directory).replace('%', '%%'))
    found.set_main_option('path_separator', 'os')
    found.attributes.update(connection=connection, version_table=version_table)
    return found


def _current(chain: tuple[str, str], connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(chain[1]):
        return None
    return connection.scalar(sa.select(sa.column('version_num')).select_from(sa.table(chain[1])))


def _run(what: Callable, chain: tuple[str, str], connection: sa.Connection,
         revision: str) -> None:
    """Run a command of Alembic, which commits only the transactions that it begins itself."""
    between = connection.commit if connection.dialect.name != 'sqlite' else lambda: None
    between()
    what(_config(chain, connection), revision)
    between()


@contextlib.contextmanager
def _exclusive_connection() -> Iterator[sa.Connection]:
    """Give a connection to migrate with, while nobody else has one."""
    engine = session.get_engine()
    with engine.connect() as connection, _locks[engine.dialect.name](connection):
        yield connection


@contextlib.contextmanager
def _mysql_lock(connection: sa.Connection) -> Iterator[None]:
    # The lock is the server's, not the database's, hence the name of the database in it.
    name = sa.func.concat(_LOCK_NAME + ':', sa.func.left(sa.func.database(), 40))
    try:
        free = connection.scalar(sa.select(sa.func.get_lock(name, 0)))
    except (db_exc.DBError, sa.exc.DBAPIError):
        if connection.invalidated:
            raise
        # Percona XtraDB Cluster, unless it is told to be lenient.
        LOG.warning('The database server has no locks; do not migrate twice at once')
        connection.rollback()
        yield
        return
    if not free:
        LOG.info('Another process is migrating the database, waiting for it')
        if not connection.scalar(sa.select(sa.func.get_lock(name, _LOCK_SECONDS))):
            raise migration.MigrationInProgress
    connection.commit()
    try:
        yield
    finally:
        connection.rollback()
        connection.execute(sa.select(sa.func.release_lock(name)))


@contextlib.contextmanager
def _postgresql_lock(connection: sa.Connection) -> Iterator[None]:
    if not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_LOCK_NUMBER))):
        LOG.info('Another process is migrating the database, waiting for it')
        connection.execute(sa.select(sa.func.pg_advisory_lock(_LOCK_NUMBER)))
    connection.commit()
    try:
        yield
    finally:
        connection.rollback()
        connection.execute(sa.select(sa.func.pg_advisory_unlock(_LOCK_NUMBER)))


@contextlib.contextmanager
def _sqlite_lock(connection: sa.Connection) -> Iterator[None]:
    with session.sqlite_transaction(connection):
        yield


_locks = {'mysql': _mysql_lock, 'mariadb': _mysql_lock, 'postgresql': _postgresql_lock,
          'sqlite': _sqlite_lock}
