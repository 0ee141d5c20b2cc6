# SPDX-License-Identifier: Apache-2.0
"""Certificates are known by a reference instead of a UUID."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '5518af8dbc21'
down_revision = '6f21dc920bb'


def upgrade() -> None:
    steps.rename('bay', 'ca_cert_uuid', 'ca_cert_ref', String(36))
    steps.retype('bay', 'ca_cert_ref', String(512), String(36))
    steps.rename('bay', 'magnum_cert_uuid', 'magnum_cert_ref', String(36))
    steps.retype('bay', 'magnum_cert_ref', String(512), String(36))
