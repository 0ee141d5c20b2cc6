# SPDX-License-Identifier: Apache-2.0
"""Rows belong to a project and a user."""

from sqlalchemy import String

from magnum_ng.db.sqlalchemy import steps

revision = '3bea56f25597'
down_revision = '2581ebaf0cb2'


def upgrade() -> None:
    steps.add('bay', project_id=String(255), user_id=String(255))
    steps.add('baymodel', project_id=String(255), user_id=String(255))
    steps.add('container', project_id=String(255), user_id=String(255))
    steps.add('node', project_id=String(255), user_id=String(255))
    steps.add('pod', project_id=String(255), user_id=String(255))
    steps.add('service', project_id=String(255), user_id=String(255))
    steps.add('replicationcontroller', project_id=String(255), user_id=String(255))
