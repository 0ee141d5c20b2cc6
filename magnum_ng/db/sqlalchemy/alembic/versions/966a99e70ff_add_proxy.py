# SPDX-License-Identifier: Apache-2.0
"""Add proxy."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '966a99e70ff'
down_revision = '6f21dc998bb'


def upgrade() -> None:
    steps.add('baymodel', http_proxy=String(255), https_proxy=String(255), no_proxy=String(255))
