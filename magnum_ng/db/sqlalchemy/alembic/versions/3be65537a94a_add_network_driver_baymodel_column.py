# SPDX-License-Identifier: Apache-2.0
"""Add network driver baymodel column."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '3be65537a94a'
down_revision = '4e263f236334'


def upgrade() -> None:
    steps.add('baymodel', network_driver=String(255))
