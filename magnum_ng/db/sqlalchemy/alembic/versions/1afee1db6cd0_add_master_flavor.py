# SPDX-License-Identifier: Apache-2.0
"""Add master flavor."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '1afee1db6cd0'
down_revision = '35cff7c86221'


def upgrade() -> None:
    steps.add('baymodel', master_flavor_id=String(255))
