# SPDX-License-Identifier: Apache-2.0
"""UUIDs are unique."""

from magnum_ng.db.sqlalchemy import steps

revision = '3b6c4c42adb4'
down_revision = '592131657ca1'


def upgrade() -> None:
    steps.unique('bay', uniq_bay0uuid='uuid')
    steps.unique('baylock', uniq_baylock0bay_uuid='bay_uuid')
    steps.unique('baymodel', uniq_baymodel0uuid='uuid')
    steps.unique('container', uniq_container0uuid='uuid')
    steps.unique('node', uniq_node0uuid='uuid', uniq_node0ironic_node_id='ironic_node_id')
    steps.unique('pod', uniq_pod0uuid='uuid')
    steps.unique('service', uniq_service0uuid='uuid')
    steps.unique('replicationcontroller', uniq_replicationcontroller0uuid='uuid')
