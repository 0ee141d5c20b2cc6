# SPDX-License-Identifier: Apache-2.0
"""Add memory to container."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '33ef79969018'
down_revision = '2ae93c9c6191'


def upgrade() -> None:
    steps.add('container', memory=String(255))
