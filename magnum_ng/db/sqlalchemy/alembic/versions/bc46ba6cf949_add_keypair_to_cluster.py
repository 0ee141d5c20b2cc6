# SPDX-License-Identifier: Apache-2.0
"""Add keypair to cluster."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = 'bc46ba6cf949'
down_revision = '720f640f43d1'


def upgrade() -> None:
    steps.add('cluster', keypair=String(255))
