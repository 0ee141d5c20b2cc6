# SPDX-License-Identifier: Apache-2.0
"""Add labels to cluster."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = 'a0e7c8450ab1'
down_revision = 'aa0cc27839af'


def upgrade() -> None:
    steps.add('cluster', labels=Text())
