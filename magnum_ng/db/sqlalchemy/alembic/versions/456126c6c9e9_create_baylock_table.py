# SPDX-License-Identifier: Apache-2.0
"""Create baylock table."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '456126c6c9e9'
down_revision = '2ace4006498'


def upgrade() -> None:
    steps.create(
        'baylock', *steps.timestamps(), steps.key(), steps.column('bay_uuid', String(36)),
        steps.column('conductor_id', String(64)), utf8mb3=True)
