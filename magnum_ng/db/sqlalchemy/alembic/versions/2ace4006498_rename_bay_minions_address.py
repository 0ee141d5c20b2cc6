# SPDX-License-Identifier: Apache-2.0
"""A bay's minions are nodes."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = '2ace4006498'
down_revision = '29affeaa2bc2'


def upgrade() -> None:
    steps.rename('bay', 'minions_address', 'node_addresses', Text())
