# SPDX-License-Identifier: Apache-2.0
"""Add host column to pod."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = '53882537ac57'
down_revision = '1c1ff5e56048'


def upgrade() -> None:
    steps.add('pod', host=Text())
