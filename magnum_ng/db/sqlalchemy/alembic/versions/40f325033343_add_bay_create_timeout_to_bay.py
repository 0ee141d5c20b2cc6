# SPDX-License-Identifier: Apache-2.0
"""Add bay create timeout to bay."""

from sqlalchemy import Integer

from magnum_ng.db.sqlalchemy import steps

revision = '40f325033343'
down_revision = '5977879072a7'


def upgrade() -> None:
    steps.add('bay', bay_create_timeout=Integer())
