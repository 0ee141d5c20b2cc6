# SPDX-License-Identifier: Apache-2.0
"""A bay's master address is its API address."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '29affeaa2bc2'
down_revision = '2d1354bbf76e'


def upgrade() -> None:
    steps.rename('bay', 'master_address', 'api_address', String(255))
