# SPDX-License-Identifier: Apache-2.0
"""Services have several ports."""

from sqlalchemy import Text

from magnum_ng.db.sqlalchemy import steps

revision = '2b5f24dd95de'
down_revision = '3b6c4c42adb4'


def upgrade() -> None:
    # In MySQL the column becomes text with it, elsewhere it keeps its type.
    steps.rename('service', 'port', 'ports', Text())
