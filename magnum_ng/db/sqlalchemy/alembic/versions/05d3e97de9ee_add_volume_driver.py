# SPDX-License-Identifier: Apache-2.0
"""Add volume driver."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '05d3e97de9ee'
down_revision = '57fbdf2327a2'


def upgrade() -> None:
    steps.add('baymodel', volume_driver=String(255))
