# SPDX-License-Identifier: Apache-2.0
"""etcd and the front proxy have CAs of their own."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '7da8489d6a68'
down_revision = 'f1d8b0ab8b8d'


def upgrade() -> None:
    steps.add('cluster', etcd_ca_cert_ref=String(512), front_proxy_ca_cert_ref=String(512))
