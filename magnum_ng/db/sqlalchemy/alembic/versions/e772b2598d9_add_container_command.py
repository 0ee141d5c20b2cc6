# SPDX-License-Identifier: Apache-2.0
"""Add container command."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = 'e772b2598d9'
down_revision = '4ea34a59a64c'


def upgrade() -> None:
    steps.add('container', command=String(255))
