# SPDX-License-Identifier: Apache-2.0
"""Add flavor id to cluster."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '041d9a0f1159'
down_revision = '04c625aa95ba'


def upgrade() -> None:
    steps.add('cluster', flavor_id=String(255))
