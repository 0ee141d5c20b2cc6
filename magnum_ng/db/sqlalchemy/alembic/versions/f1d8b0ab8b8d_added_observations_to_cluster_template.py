# SPDX-License-Identifier: Apache-2.0
"""Templates have tags."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = 'f1d8b0ab8b8d'
down_revision = '95096e2334ee'


def upgrade() -> None:
    steps.add('cluster_template', tags=String(255))
