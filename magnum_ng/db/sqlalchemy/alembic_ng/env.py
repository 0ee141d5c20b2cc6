# SPDX-License-Identifier: Apache-2.0
"""What Alembic runs; the connection and the version table come from the migration module."""

from alembic import context

from magnum_ng.db.sqlalchemy import migration

migration.run_chain(context)
