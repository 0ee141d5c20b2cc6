# SPDX-License-Identifier: Apache-2.0
"""Add node labels and node taints."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = 'b3e1cf4a2d5e'
down_revision = 'd7e6a4d39fe4'


def upgrade() -> None:
    steps.add('nodegroup', node_labels=Text(), node_taints=Text())
