# SPDX-License-Identifier: Apache-2.0
"""Add health status to cluster."""

from sqlalchemy import String, Text

from magnum_ng.db.sqlalchemy import steps

revision = 'cbbc65a86986'
down_revision = '9a1539f1cd2c'


def upgrade() -> None:
    steps.add('cluster', health_status=String(20), health_status_reason=Text())
