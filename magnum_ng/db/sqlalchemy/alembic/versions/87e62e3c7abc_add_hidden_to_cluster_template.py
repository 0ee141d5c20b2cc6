# SPDX-License-Identifier: Apache-2.0
"""Add hidden to cluster template."""

from sqlalchemy import Boolean

from magnum_ng.db.sqlalchemy import steps

revision = '87e62e3c7abc'
down_revision = 'cbbc65a86986'


def upgrade() -> None:
    steps.add('cluster_template', hidden=Boolean())
