# SPDX-License-Identifier: Apache-2.0
"""Add federation table."""

from sqlalchemy import String, Text, UniqueConstraint

from magnum_ng.db.sqlalchemy import steps

revision = '9a1539f1cd2c'
down_revision = '041d9a0f1159'


def upgrade() -> None:
    steps.create(
        'federation', *steps.timestamps(), steps.key(), steps.column('project_id', String(255)),
        steps.column('uuid', String(36)), steps.column('name', String(255)),
        steps.column('hostcluster_id', String(255)), steps.column('member_ids', Text()),
        steps.column('status', String(20)), steps.column('status_reason', Text()),
        steps.column('properties', Text()), UniqueConstraint('uuid', name='uniq_federation0uuid'))
