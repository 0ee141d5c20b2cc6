# SPDX-License-Identifier: Apache-2.0
"""Key pairs have a passphrase and a chain, and know nothing of bays."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = 'd072f58ab240'
down_revision = 'ef08a5e057bd'


def upgrade() -> None:
    steps.drop('x509keypair', 'bay_uuid', 'name', 'ca_cert')
    steps.add('x509keypair', intermediates=Text(), private_key_passphrase=Text())
