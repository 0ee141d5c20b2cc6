# SPDX-License-Identifier: Apache-2.0
"""Counts what goes to the database, so that a query per row cannot creep in."""

import contextlib
from collections.abc import Iterator

import sqlalchemy as sa

from magnum_ng.db.sqlalchemy import session


@contextlib.contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the SQL statements of a block, those that begin a transaction left out."""
    engine = session.get_engine()
    sent: list[str] = []

    def record(connection, cursor, statement, *unused):
        if not statement.startswith('BEGIN'):
            sent.append(statement)

    sa.event.listen(engine, 'before_cursor_execute', record)
    try:
        yield sent
    finally:
        sa.event.remove(engine, 'before_cursor_execute', record)


@contextlib.contextmanager
def connections() -> Iterator[dict[str, int]]:
    """Count how often a block takes a connection from the pool and gives one back."""
    engine = session.get_engine()
    count = {'checkout': 0, 'checkin': 0}
    listeners = {name: _counter(count, name) for name in count}
    for name, listener in listeners.items():
        sa.event.listen(engine, name, listener)
    try:
        yield count
    finally:
        for name, listener in listeners.items():
            sa.event.remove(engine, name, listener)


def _counter(count: dict[str, int], name: str):
    def add(*unused):
        count[name] += 1
    return add
