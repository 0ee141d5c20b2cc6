# SPDX-License-Identifier: Apache-2.0
"""Add floating ip enabled column to."""

from sqlalchemy import Boolean

from magnum_ng.db.sqlalchemy import steps

revision = 'b1f612248cab'
down_revision = '859fb45df249'


def upgrade() -> None:
    steps.add('baymodel', floating_ip_enabled=Boolean())
