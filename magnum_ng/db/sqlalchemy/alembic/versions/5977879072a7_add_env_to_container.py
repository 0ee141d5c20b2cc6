# SPDX-License-Identifier: Apache-2.0
"""Add env to container."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = '5977879072a7'
down_revision = '417917e778f5'


def upgrade() -> None:
    steps.add('container', environment=Text())
