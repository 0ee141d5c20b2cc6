# SPDX-License-Identifier: Apache-2.0
"""Add container status."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '59e7664a8ba1'
down_revision = '2b5f24dd95de'


def upgrade() -> None:
    steps.add('container', status=String(20))
