# SPDX-License-Identifier: Apache-2.0
"""Create x509keypair table."""

from sqlalchemy import String, Text, UniqueConstraint

from magnum_ng.db.sqlalchemy import steps

revision = '421102d1f2d2'
down_revision = '14328d6a57e3'


def upgrade() -> None:
    steps.create(
        'x509keypair', steps.key(), *steps.timestamps(), steps.column('name', String(255)),
        steps.column('uuid', String(36)), steps.column('bay_uuid', String(36)),
        steps.column('ca_cert', Text()), steps.column('certificate', Text()),
        steps.column('private_key', Text()), steps.column('project_id', String(255)),
        steps.column('user_id', String(255)),
        UniqueConstraint('uuid', name='uniq_x509keypair0uuid'), utf8mb3=True)
