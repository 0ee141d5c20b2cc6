# SPDX-License-Identifier: Apache-2.0
"""Add version info to bay."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = 'fcb4efee8f8b'
down_revision = 'b1f612248cab'


def upgrade() -> None:
    steps.add('bay', coe_version=String(255), container_version=String(255))
