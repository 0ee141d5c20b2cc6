# SPDX-License-Identifier: Apache-2.0
"""Bay models have an SSH key."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = '2d1354bbf76e'
down_revision = '1afee1db6cd0'


def upgrade() -> None:
    steps.add('baymodel', ssh_authorized_key=Text())
