# SPDX-License-Identifier: Apache-2.0
"""Add labels column to baymodel table."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = '1481f5b560dd'
down_revision = '3be65537a94a'


def upgrade() -> None:
    steps.add('baymodel', labels=Text())
