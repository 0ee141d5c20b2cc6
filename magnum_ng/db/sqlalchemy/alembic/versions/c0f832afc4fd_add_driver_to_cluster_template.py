# SPDX-License-Identifier: Apache-2.0
"""Add driver to cluster template."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = 'c0f832afc4fd'
down_revision = '7da8489d6a68'


def upgrade() -> None:
    steps.add('cluster_template', driver=String(255))
