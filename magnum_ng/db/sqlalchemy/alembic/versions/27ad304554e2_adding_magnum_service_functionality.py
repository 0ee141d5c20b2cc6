# SPDX-License-Identifier: Apache-2.0
"""The table of heartbeats."""

from sqlalchemy import Boolean, DateTime, Integer, String, UniqueConstraint

from magnum_ng.db.sqlalchemy import steps

revision = '27ad304554e2'
down_revision = '1d045384b966'


def upgrade() -> None:
    steps.create(
        'magnum_service', *steps.timestamps(), steps.key(),
        steps.column('report_count', Integer(), required=True), steps.column('host', String(255)),
        steps.column('binary', String(255)), steps.column('disabled', Boolean()),
        steps.column('disabled_reason', String(255)), steps.column('last_seen_up', DateTime()),
        steps.column('forced_down', Boolean()),
        UniqueConstraint('host', 'binary', name='uniq_magnum_service0host0binary'))
