# SPDX-License-Identifier: Apache-2.0
"""Schema migrations, whatever makes them."""

import functools

from stevedore import driver

NAMESPACE = 'magnum.database.migration_backend'


@functools.cache
def _backend():
    return driver.DriverManager(NAMESPACE, 'sqlalchemy').driver


class MigrationInProgress(Exception):
    """Another process migrates the database and does not end."""


def upgrade(version: str | None = None) -> None:
    """Bring the schema to a revision, by default to the newest."""
    _backend().upgrade(version)


def version() -> str | None:
    """Return the revision of the schema, or None for an empty database."""
    return _backend().version()


def versions() -> tuple[str | None, str | None]:
    """Return the revisions of the original's schema and of what is only ours."""
    return _backend().versions()


def stamp(version: str) -> None:
    """Record a revision without running anything."""
    _backend().stamp(version)


def revision(message: str | None, autogenerate: bool = False) -> None:
    """Write the skeleton of a new revision."""
    _backend().revision(message, autogenerate)


def create_schema() -> None:
    """Create the tables of an empty database from the models, for tests."""
    _backend().create_schema()
