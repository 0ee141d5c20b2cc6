# SPDX-License-Identifier: Apache-2.0
"""Add docker storage driver column."""

from alembic import op
from sqlalchemy import Enum

from magnum_ng.db.sqlalchemy import steps

revision = 'a1136d335540'
down_revision = 'd072f58ab240'

DRIVERS = Enum('devicemapper', 'overlay', name='docker_storage_driver')


def upgrade() -> None:
    if steps.dialect() == 'postgresql':
        DRIVERS.create(op.get_bind(), checkfirst=True)
    steps.add('baymodel', docker_storage_driver=DRIVERS)
