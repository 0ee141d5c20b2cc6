# SPDX-License-Identifier: Apache-2.0
"""Add public column to baymodel table."""

from sqlalchemy import Boolean

from magnum_ng.db.sqlalchemy import steps

revision = '2ae93c9c6191'
down_revision = '5ad410481b88'


def upgrade() -> None:
    steps.add('baymodel', public=Boolean())
