# SPDX-License-Identifier: Apache-2.0
"""Add insecure registry to baymodel."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = 'e647f5931da8'
down_revision = '049f81f6f584'


def upgrade() -> None:
    steps.add('baymodel', insecure_registry=String(255))
