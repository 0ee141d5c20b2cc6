# SPDX-License-Identifier: Apache-2.0
"""Add registry trust id to bay."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = 'adc3b7679ae'
down_revision = '40f325033343'


def upgrade() -> None:
    steps.add('bay', registry_trust_id=String(255))
