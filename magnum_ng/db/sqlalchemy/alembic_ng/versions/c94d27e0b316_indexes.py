# SPDX-License-Identifier: Apache-2.0
"""Indexes on the original's tables, which come with none but the unique keys.

They serve the lists and the quota of a project, look-ups by name, the check whether a template
is in use, the status poller, and the statistics, which read nothing but the last one.
"""

from magnum_ng.db.sqlalchemy import steps

revision = 'c94d27e0b316'
down_revision = '5b0e6f1c8a2d'


def upgrade() -> None:
    steps.index(
        'cluster',
        ng_ix_cluster_project_id=['project_id'],
        ng_ix_cluster_name=['name', 'project_id'],
        ng_ix_cluster_status=['status'],
        ng_ix_cluster_template_id=['cluster_template_id'])
    steps.index('cluster_template', ng_ix_cluster_template_name=['name'])
    steps.index(
        'nodegroup',
        ng_ix_nodegroup_cluster_id=['cluster_id'],
        ng_ix_nodegroup_project_id=['project_id', 'status', 'node_count'])
