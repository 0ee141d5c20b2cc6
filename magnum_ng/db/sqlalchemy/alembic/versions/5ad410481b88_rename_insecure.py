# SPDX-License-Identifier: Apache-2.0
"""What was insecure is now TLS disabled."""

from sqlalchemy import Boolean

from magnum_ng.db.sqlalchemy import steps

revision = '5ad410481b88'
down_revision = '27ad304554e2'


def upgrade() -> None:
    steps.rename('baymodel', 'insecure', 'tls_disabled', Boolean())
