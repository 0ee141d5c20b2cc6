# SPDX-License-Identifier: Apache-2.0
"""Add master lb enabled column to baymodel table."""

from sqlalchemy import Boolean

from magnum_ng.db.sqlalchemy import steps

revision = '68ce16dfd341'
down_revision = '085e601a39f6'


def upgrade() -> None:
    steps.add('baymodel', master_lb_enabled=Boolean())
