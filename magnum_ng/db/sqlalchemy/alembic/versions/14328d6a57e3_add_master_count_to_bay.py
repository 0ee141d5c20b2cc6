# SPDX-License-Identifier: Apache-2.0
"""Add master count to bay."""

from sqlalchemy import Integer

from magnum_ng.db.sqlalchemy import steps

revision = '14328d6a57e3'
down_revision = '53882537ac57'


def upgrade() -> None:
    steps.add('bay', master_count=Integer())
