# SPDX-License-Identifier: Apache-2.0
"""Add master flavor id to cluster."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '52bcaf58fecb'
down_revision = 'a0e7c8450ab1'


def upgrade() -> None:
    steps.add('cluster', master_flavor_id=String(255))
