# SPDX-License-Identifier: Apache-2.0
"""Remove ssh authorized key from baymodel."""

from magnum_ng.db.sqlalchemy import steps

revision = '049f81f6f584'
down_revision = 'ee92b41b8809'


def upgrade() -> None:
    steps.drop('baymodel', 'ssh_authorized_key')
