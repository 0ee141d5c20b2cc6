# SPDX-License-Identifier: Apache-2.0
"""${message}"""

from sqlalchemy import Boolean, DateTime, Integer, String, Text

from magnum_ng.db.sqlalchemy import steps

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    ${upgrades if upgrades else "steps.add('table', column=String(255))"}
