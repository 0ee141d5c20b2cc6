# SPDX-License-Identifier: Apache-2.0
"""Bay models have a volume size."""

from sqlalchemy import Integer

from magnum_ng.db.sqlalchemy import steps

revision = '3a938526b35d'
down_revision = '5793cd26898d'


def upgrade() -> None:
    steps.add('baymodel', docker_volume_size=Integer())
