# SPDX-License-Identifier: Apache-2.0
"""The tables of our own."""

from alembic import op
from sqlalchemy import DateTime, PrimaryKeyConstraint, String, Text, UniqueConstraint

from magnum_ng.db.sqlalchemy import steps

revision = '5b0e6f1c8a2d'
down_revision = None

OPTIONS = {'mysql_engine': 'InnoDB', 'mysql_charset': 'utf8mb4'}


def upgrade() -> None:
    op.create_table(
        'ng_operation', steps.key(),
        steps.column('uuid', String(36), required=True),
        steps.column('cluster_uuid', String(36), required=True),
        steps.column('action', String(32), required=True),
        steps.column('nodegroup_uuid', String(36)), steps.column('arguments', Text()),
        steps.column('before', Text()), steps.column('state', String(16), required=True),
        steps.column('owner', String(128)),
        steps.column('expires_at', DateTime(), required=True),
        steps.column('user_id', String(255)), steps.column('project_id', String(255)),
        steps.column('request_id', String(255)), *steps.timestamps(),
        PrimaryKeyConstraint('id'), UniqueConstraint('uuid', name='uniq_ng_operation0uuid'),
        **OPTIONS)
    op.create_index('ix_ng_operation_cluster_uuid', 'ng_operation', ['cluster_uuid'])
    op.create_table(
        'ng_cluster_lock', steps.column('cluster_uuid', String(36), required=True),
        steps.column('owner', String(128), required=True),
        steps.column('purpose', String(16), required=True),
        steps.column('expires_at', DateTime(), required=True), *steps.timestamps(),
        PrimaryKeyConstraint('cluster_uuid'), **OPTIONS)
    op.create_index('ix_ng_cluster_lock_owner', 'ng_cluster_lock', ['owner'])
    op.create_table(
        'ng_project_lock', steps.column('project_id', String(255), required=True),
        *steps.timestamps(), PrimaryKeyConstraint('project_id'), **OPTIONS)
    op.create_table(
        'ng_cluster_note', steps.column('cluster_uuid', String(36), required=True),
        steps.column('kind', String(16), required=True), steps.column('value', String(255)),
        *steps.timestamps(), PrimaryKeyConstraint('cluster_uuid', 'kind'), **OPTIONS)
