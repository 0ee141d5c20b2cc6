# SPDX-License-Identifier: Apache-2.0
"""Engine, sessions and transactions.

``reader()`` and ``writer()`` nest within a thread: an inner block joins the transaction of the
outer one, so a request can open one ``reader()`` around all its queries and pays for one
connection and one transaction. A ``writer()`` inside a ``reader()`` ends what the reader has
read so far and writes on the same connection; later reads of the outer block see the result.

The connection is taken from the pool by the first statement and is always back there when the
outermost block ends. Rows stay usable afterwards: they are detached with all columns loaded.
"""

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator

import sqlalchemy as sa
from oslo_config import cfg
from oslo_db import api as oslo_db_api
from oslo_db import exception as db_exc
from oslo_db.sqlalchemy import enginefacade
from sqlalchemy import event, orm, pool

from magnum_ng.common import log as logging
from magnum_ng.db.sqlalchemy import keepalive

LOG = logging.getLogger(__name__)

# Seconds an SQLite connection waits for the lock of another one.
SQLITE_BUSY_TIMEOUT = 30

_READ = 'read'
_WRITE = 'write'

# The library's own engine factory: whoever asks oslo.db for the engine gets the service's. It is
# the root of what oslo.db calls reader and writer, which alone lets tests put in an engine.
context_manager = enginefacade._context_manager
with contextlib.suppress(enginefacade.AlreadyStartedError):
    context_manager.configure(thread_checkin=False)


def _prepare(engine: sa.Engine) -> None:
    if engine.dialect.name == 'sqlite':
        event.listen(engine, 'connect', _set_busy_timeout)
        return
    keepalive.ask_idle_only(engine)
    if not keepalive.is_configured(engine.url):
        event.listen(engine, 'connect', keepalive.set_on)


# Not as a decorator: that would leave nothing behind under the function's name.
context_manager.append_on_engine_create(_prepare)


def _set_busy_timeout(connection, record) -> None:
    connection.execute(f'PRAGMA busy_timeout = {SQLITE_BUSY_TIMEOUT * 1000}')


def pool_settings(conf: cfg.ConfigOpts) -> dict[str, int]:
    """Return what differs from oslo.db's pool: every connection that may be open is kept.

    oslo.db keeps 5 by default, and opens and closes another one for each block that needs a sixth
    at the same time, which costs more than the block. An operator who says how many to keep, or
    who sets no limit to those that are open, gets exactly that.
    """
    settings = conf.database
    location = conf.get_location('max_pool_size', 'database').location
    if location.is_user_controlled or settings.max_overflow < 0:
        return {}
    return {'max_pool_size': settings.max_pool_size + settings.max_overflow, 'max_overflow': 0}


@functools.cache
def _prepare_pool() -> None:
    # Not possible any more where the library was asked for the engine before.
    with contextlib.suppress(enginefacade.AlreadyStartedError):
        context_manager.configure(**pool_settings(cfg.CONF))


def get_engine() -> sa.Engine:
    """Return the engine of ``[database] connection``; the first call connects."""
    _prepare_pool()
    return context_manager.writer.get_engine()


def takes_wide_characters() -> bool:
    """Tell whether characters of four bytes get through to the database.

    They do not over a MySQL connection unless its URL asks for ``charset=utf8mb4``.
    """
    engine = get_engine()
    return engine.dialect.name != 'mysql' or engine.url.query.get('charset') == 'utf8mb4'


def _begin_sqlite(connection: sa.Connection, locked: bool) -> sa.RootTransaction:
    # oslo.db would send a plain BEGIN here, unless told that one is under way. A writer must
    # have the lock before it reads, or two of them could both read and neither go on.
    connection.info['in_transaction'] = True
    transaction = connection.begin()
    if locked:
        connection.exec_driver_sql('BEGIN IMMEDIATE')
    return transaction


def sqlite_transaction(connection: sa.Connection) -> sa.RootTransaction:
    """Begin a transaction that keeps other writers out of an SQLite database."""
    return _begin_sqlite(connection, locked=True)


class Session(orm.Session):
    """A session on one connection, which the first statement takes from the pool."""

    def __init__(self, engine: sa.Engine, mode: str) -> None:
        # The connection's transaction is begun and ended here, not by the ORM: one COMMIT or
        # one ROLLBACK is all that goes over the wire for it.
        super().__init__(join_transaction_mode='rollback_only', expire_on_commit=False)
        self.engine = engine
        self.mode = mode
        self._connection: sa.Connection | None = None

    @property
    def dialect_name(self) -> str:
        return self.engine.dialect.name

    def get_bind(self, *args, **kwargs):
        if self._connection is None:
            self._connection = self.engine.connect()
        if not self._connection.in_transaction():
            self._begin(self._connection)
        return self._connection

    def _begin(self, connection: sa.Connection) -> None:
        if self.dialect_name != 'sqlite':
            connection.begin()
            return
        # A reader needs no transaction: it would keep writers out for as long as it lasts.
        _begin_sqlite(connection, locked=self.mode == _WRITE)

    def become(self, mode: str) -> None:
        """End the transaction and go on in another mode; loaded rows keep their values."""
        self.finish(commit=False)
        self.mode = mode

    def finish(self, commit: bool) -> None:
        """End the transaction."""
        try:
            if commit:
                # Flushes, and raises if an earlier error has ended the transaction.
                self.commit()
            self.expunge_all()
            super().close()
            transaction = self._connection and self._connection.get_transaction()
            if commit and transaction is not None:
                _commit(transaction)
        finally:
            # Closing rolls back what is still open and gives the connection back.
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()


def _commit(transaction: sa.RootTransaction) -> None:
    try:
        transaction.commit()
    except db_exc.DBConnectionError as error:
        error.at_commit = True
        raise


class _Thread(threading.local):
    session: Session | None = None


_thread = _Thread()
_shared_connection = threading.RLock()


def in_transaction() -> bool:
    """Tell whether this thread is inside a ``reader()`` or ``writer()``."""
    return _thread.session is not None


def reader() -> contextlib.AbstractContextManager[Session]:
    """Give a session to read with, that of the enclosing block if there is one."""
    if _thread.session is not None:
        return contextlib.nullcontext(_thread.session)
    return _outermost(_READ)


def writer() -> contextlib.AbstractContextManager[Session]:
    """Give a session to write with; commits when the outermost writer ends without error."""
    session = _thread.session
    if session is None:
        return _outermost(_WRITE)
    if session.mode == _READ:
        return _writer_in_reader(session)
    return contextlib.nullcontext(session)


# How many threads read at a time. They share one interpreter: when more of them have rows to work
# on, they take its lock from each other, and fewer requests are answered in all.
READERS = 6
# Seconds after which whoever waits for a turn goes on without: those who read wait for something.
PATIENCE = 0.5

_turns = threading.BoundedSemaphore(READERS)


@contextlib.contextmanager
def _turn(mode: str) -> Iterator[None]:
    mine = mode == _READ and _turns.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        if mine:
            _turns.release()


@contextlib.contextmanager
def _outermost(mode: str) -> Iterator[Session]:
    engine = get_engine()
    # An SQLite database in memory is one connection, whatever the number of threads.
    alone = isinstance(engine.pool, pool.StaticPool)
    with _turn(mode), _shared_connection if alone else contextlib.nullcontext():
        session = _thread.session = Session(engine, mode)
        done = False
        try:
            yield session
            done = True
        finally:
            _thread.session = None
            session.finish(commit=done and mode == _WRITE)


@contextlib.contextmanager
def _writer_in_reader(session: Session) -> Iterator[Session]:
    session.become(_WRITE)
    done = False
    try:
        yield session
        done = True
    finally:
        try:
            session.finish(commit=done)
        finally:
            session.mode = _READ


def _worth_repeating(error: Exception) -> bool:
    # When the connection breaks during COMMIT nobody knows what became of the transaction.
    return isinstance(error, db_exc.DBDeadlock) or (
        isinstance(error, db_exc.DBConnectionError) and not getattr(error, 'at_commit', False))


def _retrying(**how) -> Callable[[Callable], Callable]:
    def decorate(function: Callable) -> Callable:
        again = oslo_db_api.wrap_db_retry(
            retry_interval=0.1, max_retry_interval=2, jitter=True, **how)(function)

        @functools.wraps(function)
        def call(*args, **kwargs):
            return (function if in_transaction() else again)(*args, **kwargs)

        return call

    return decorate


# Run a function again after a deadlock or a lost connection. Only the outermost call does so:
# inside a transaction the error ends all of it, and repeating the inner part would lose the rest.
retrying = _retrying(max_retries=6, exception_checker=_worth_repeating)

# The same for what only reads; a database that is down is reported at once.
retrying_read = _retrying(max_retries=1, retry_on_disconnect=True)
