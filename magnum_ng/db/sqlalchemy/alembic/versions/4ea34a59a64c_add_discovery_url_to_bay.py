# SPDX-License-Identifier: Apache-2.0
"""Add discovery url to bay."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '4ea34a59a64c'
down_revision = '456126c6c9e9'


def upgrade() -> None:
    steps.add('bay', discovery_url=String(255))
