# SPDX-License-Identifier: Apache-2.0
"""The result of a check: what was found, how often, examples, and what to do about it."""

import dataclasses
import functools
from collections.abc import Iterable

from oslo_upgradecheck import upgradecheck
import sqlalchemy as sa

from magnum_ng.common import log as logging
from magnum_ng.db.sqlalchemy import session

LOG = logging.getLogger(__name__)

Code = upgradecheck.Code

EXAMPLES = 5


@dataclasses.dataclass(frozen=True)
class Finding:
    """``code`` SUCCESS is for what is good to know and no reason to act."""

    code: Code
    what: str
    count: int = 1
    examples: tuple[str, ...] = ()
    advice: str = ''

    def __str__(self) -> str:
        text = self.what
        if self.examples:
            more = ', ...' if self.count > len(self.examples) else ''
            text += f' ({", ".join(self.examples)}{more})'
        return f'{text}. {self.advice}'.strip() if self.advice else f'{text}.'


class Report(upgradecheck.Result):
    """A result of oslo.upgradecheck that keeps its findings."""

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self.findings = tuple(findings)
        code = max((found.code for found in self.findings), default=Code.SUCCESS)
        super().__init__(code, ' '.join(str(found) for found in self.findings) or None)


def some(values: Iterable) -> tuple[str, ...]:
    """The first few as examples."""
    return tuple(str(value) for value in list(values)[:EXAMPLES])


class Database:
    """A connection, and which tables and columns its database has."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        inspector = sa.inspect(connection)
        self.columns = {name: {column['name'] for column in inspector.get_columns(name)}
                        for name in inspector.get_table_names()}

    def has(self, *tables: str) -> bool:
        return all(name in self.columns for name in tables)

    def rows(self, statement: str, **values) -> list:
        return list(self.connection.execute(sa.text(statement), values).all())

    def column(self, table: str, name: str, alias: str = '') -> str:
        """The column for a statement; NULL where it does not exist yet, or any more."""
        return f'{alias}{name}' if name in self.columns[table] else 'NULL'


def reads_database(*tables: str):
    """A check of a database with these tables, which is passed to it."""
    def decorate(check):
        @functools.wraps(check)
        def run(commands) -> Report:
            try:
                with session.get_engine().connect() as connection:
                    database = Database(connection)
                    if not database.has(*tables):
                        return Report([Finding(Code.SUCCESS,
                                               'Not looked at: the database has no such tables')])
                    return Report(check(database))
            except Exception as error:
                # The text of a database error may quote the connection with its password.
                LOG.debug('%s: %s', check.__name__, type(error).__name__)
                return Report([Finding(
                    Code.WARNING, f'Not looked at: {type(error).__name__}',
                    advice='The database set in [database]connection could not be read.')])
        return run
    return decorate
