# SPDX-License-Identifier: Apache-2.0
"""Add network subnet fip to cluster."""

from sqlalchemy import Boolean, String

from magnum_ng.db.sqlalchemy import steps

revision = '47380964133d'
down_revision = '461d798132c7'


def upgrade() -> None:
    steps.add('cluster', fixed_network=String(255), fixed_subnet=String(255),
              floating_ip_enabled=Boolean())
