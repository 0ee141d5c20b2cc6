# SPDX-License-Identifier: Apache-2.0
"""Add cert uuid to bay."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '6f21dc920bb'
down_revision = '966a99e70ff'


def upgrade() -> None:
    steps.add('bay', ca_cert_uuid=String(36), magnum_cert_uuid=String(36))
