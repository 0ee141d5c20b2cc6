# SPDX-License-Identifier: Apache-2.0
"""Add cluster distro."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '4956f03cabad'
down_revision = '2d8657c0cdc'


def upgrade() -> None:
    steps.add('baymodel', cluster_distro=String(255))
