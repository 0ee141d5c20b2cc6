# SPDX-License-Identifier: Apache-2.0
"""A container's image need not be an id."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '1c1ff5e56048'
down_revision = '156ceb17fb0a'


def upgrade() -> None:
    steps.rename('container', 'image_id', 'image', String(255))
