# SPDX-License-Identifier: Apache-2.0
"""Storage drivers may be anything."""

from sqlalchemy import Enum, String

from magnum_ng.db.sqlalchemy import steps

revision = '04c625aa95ba'
down_revision = '52bcaf58fecb'


def upgrade() -> None:
    steps.retype('cluster_template', 'docker_storage_driver', String(512),
                 Enum('devicemapper', 'overlay', name='docker_storage_driver'))
