# SPDX-License-Identifier: Apache-2.0
"""Add docker volume size to cluster."""

from sqlalchemy import Integer

from magnum_ng.db.sqlalchemy import steps

revision = 'aa0cc27839af'
down_revision = 'bc46ba6cf949'


def upgrade() -> None:
    steps.add('cluster', docker_volume_size=Integer())
