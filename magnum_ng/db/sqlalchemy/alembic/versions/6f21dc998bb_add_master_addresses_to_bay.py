# SPDX-License-Identifier: Apache-2.0
"""Add master addresses to bay."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = '6f21dc998bb'
down_revision = '421102d1f2d2'


def upgrade() -> None:
    steps.add('bay', master_addresses=Text())
