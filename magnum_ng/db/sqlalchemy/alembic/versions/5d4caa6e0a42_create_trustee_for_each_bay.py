# SPDX-License-Identifier: Apache-2.0
"""Each bay has a trustee."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '5d4caa6e0a42'
down_revision = 'bb42b7cad130'


def upgrade() -> None:
    steps.rename('bay', 'registry_trust_id', 'trust_id', String(255))
    steps.add('bay', trustee_username=String(255), trustee_user_id=String(255),
              trustee_password=String(255))
