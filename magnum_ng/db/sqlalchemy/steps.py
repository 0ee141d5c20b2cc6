# SPDX-License-Identifier: Apache-2.0
"""The few things that migrations do, so that a revision says only what it does.

Each function knows how the three databases want it: MySQL gets one ALTER for all columns, and
SQLite a copy of the table where it cannot alter one.
"""

import time
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from magnum_ng.common import log as logging

LOG = logging.getLogger(__name__)

# Rows moved by one statement.
BATCH = 10000
# Seconds between two lines of progress.
PROGRESS_INTERVAL = 3


def dialect() -> str:
    """Return the kind of database."""
    return op.get_bind().dialect.name


def create(table: str, *items: Any, utf8mb3: bool = False) -> None:
    """Create a table; ``id`` is its primary key.

    :param utf8mb3: the table keeps the character set of the early releases in MySQL
    """
    options = {'mysql_engine': 'InnoDB', 'mysql_charset': 'utf8mb3'} if utf8mb3 else {}
    op.create_table(table, *items, sa.PrimaryKeyConstraint('id'), **options)


def column(name: str, type_: sa.types.TypeEngine, required: bool = False) -> sa.Column:
    """Return a column for :func:`create`."""
    return sa.Column(name, type_, nullable=not required)


def timestamps() -> tuple[sa.Column, sa.Column]:
    """Return the two columns that every table has."""
    return column('created_at', sa.DateTime()), column('updated_at', sa.DateTime())


def key() -> sa.Column:
    """Return the ``id`` column."""
    return column('id', sa.Integer(), required=True)


def add(table: str, **columns: sa.types.TypeEngine) -> None:
    """Add columns without values."""
    compiler = op.get_bind().dialect.type_compiler_instance
    _alter(table, [f'ADD COLUMN {_quoted(name)} {compiler.process(type_)}'
                   for name, type_ in columns.items()])


def drop(table: str, *columns: str) -> None:
    """Drop columns with what is in them."""
    _alter(table, [f'DROP COLUMN {_quoted(name)}' for name in columns])


def rename(table: str, old: str, new: str, type_: sa.types.TypeEngine) -> None:
    """Rename a column."""
    if dialect() in ('mysql', 'mariadb'):
        op.alter_column(table, old, new_column_name=new, existing_type=type_)
    else:
        op.execute(f'ALTER TABLE {_quoted(table)} RENAME COLUMN {_quoted(old)} TO {_quoted(new)}')


def retype(table: str, name: str, type_: sa.types.TypeEngine,
           old_type: sa.types.TypeEngine) -> None:
    """Change the type of a nullable column."""
    with op.batch_alter_table(table) as batch:
        batch.alter_column(name, type_=type_, existing_type=old_type, existing_nullable=True)


def unique(table: str, **constraints: str) -> None:
    """Add unique constraints, given as name and column."""
    with op.batch_alter_table(table) as batch:
        for name, column_name in constraints.items():
            batch.create_unique_constraint(name, [column_name])


def index(table_name: str, **indexes: list[str]) -> None:
    """Add indexes, given as name and columns; MySQL reads the table once for all of them."""
    if dialect() in ('mysql', 'mariadb'):
        _alter(table_name, [f'ADD INDEX {_quoted(name)} ({", ".join(map(_quoted, columns))})'
                            for name, columns in indexes.items()])
        return
    for name, columns in indexes.items():
        op.create_index(name, table_name, columns)


def table(name: str, *columns: str) -> sa.TableClause:
    """Return a table for a statement."""
    return sa.table(name, *(sa.column(column_name) for column_name in columns))


def batches(name: str, what: str) -> Iterator[tuple[int, int]]:
    """Yield ranges of ids that cover a table, and show how far it is when that takes long.

    :param what: for the reader of the log
    """
    ids = table(name, 'id').c.id
    low, high, total = op.get_bind().execute(
        sa.select(sa.func.min(ids), sa.func.max(ids), sa.func.count())).one()
    if not total:
        return
    shown = time.monotonic()
    for first in range(low, high + 1, BATCH):
        last = min(first + BATCH - 1, high)
        yield first, last
        if time.monotonic() - shown >= PROGRESS_INTERVAL or last == high and total > BATCH:
            shown = time.monotonic()
            LOG.info('%s: %d %% of %d rows', what, 100 * (last - low + 1) // (high - low + 1),
                     total)


def _alter(table_name: str, clauses: list[str]) -> None:
    together = [', '.join(clauses)] if dialect() != 'sqlite' else clauses
    for clause in together:
        op.execute(f'ALTER TABLE {_quoted(table_name)} {clause}')


def _quoted(name: str) -> str:
    return op.get_bind().dialect.identifier_preparer.quote(name)
