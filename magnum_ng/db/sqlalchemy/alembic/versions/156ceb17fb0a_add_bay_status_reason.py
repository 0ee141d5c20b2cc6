# SPDX-License-Identifier: Apache-2.0
"""Add bay status reason."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = '156ceb17fb0a'
down_revision = '59e7664a8ba1'


def upgrade() -> None:
    steps.add('bay', status_reason=Text())
