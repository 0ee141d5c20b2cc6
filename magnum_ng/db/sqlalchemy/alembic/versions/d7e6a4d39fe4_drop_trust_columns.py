# SPDX-License-Identifier: Apache-2.0
"""Clusters have no trusts any more."""

from magnum_ng.db.sqlalchemy import steps

revision = 'd7e6a4d39fe4'
down_revision = 'c0f832afc4fd'


def upgrade() -> None:
    steps.drop('cluster', 'trust_id', 'trustee_username', 'trustee_user_id', 'trustee_password')
