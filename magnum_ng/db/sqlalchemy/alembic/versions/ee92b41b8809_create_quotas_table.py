# SPDX-License-Identifier: Apache-2.0
"""Create quotas table."""

from sqlalchemy import Integer, String, UniqueConstraint

from magnum_ng.db.sqlalchemy import steps

revision = 'ee92b41b8809'
down_revision = '5d4caa6e0a42'


def upgrade() -> None:
    steps.create(
        'quotas', steps.key(), *steps.timestamps(), steps.column('project_id', String(255)),
        steps.column('resource', String(255)),
        steps.column('hard_limit', Integer(), required=True),
        UniqueConstraint('project_id', 'resource', name='uniq_quotas0project_id0resource'),
        utf8mb3=True)
