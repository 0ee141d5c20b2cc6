# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.documented('cluster:create', base.ADMIN_OR_MEMBER_NOT_CLUSTER, 'Create a cluster.',
                    'POST /v1/clusters'),
    base.documented('cluster:delete', base.ADMIN_OR_MEMBER_NOT_CLUSTER, 'Delete a cluster.',
                    'DELETE /v1/clusters/{cluster_ident}'),
    base.admin_only('cluster:delete_all_projects', 'Delete a cluster of another project.',
                    'DELETE /v1/clusters/{cluster_ident}'),
    base.documented('cluster:detail', base.ADMIN_OR_READER_NOT_CLUSTER,
                    'List clusters with all their attributes.', 'GET /v1/clusters'),
    base.admin_only('cluster:detail_all_projects',
                    'List the clusters of all projects with all their attributes.',
                    'GET /v1/clusters'),
    base.documented('cluster:get', base.ADMIN_OR_READER_NOT_CLUSTER, 'Show a cluster.',
                    'GET /v1/clusters/{cluster_ident}'),
    base.admin_only('cluster:get_one_all_projects', 'Show a cluster of another project.',
                    'GET /v1/clusters/{cluster_ident}'),
    base.documented('cluster:get_all', base.ADMIN_OR_READER_NOT_CLUSTER, 'List clusters.',
                    'GET /v1/clusters/'),
    base.admin_only('cluster:get_all_all_projects', 'List the clusters of all projects.',
                    'GET /v1/clusters/'),
    base.documented('cluster:update', base.ADMIN_OR_MEMBER_NOT_CLUSTER, 'Change a cluster.',
                    'PATCH /v1/clusters/{cluster_ident}'),
    base.documented('cluster:update_health_status', base.ADMIN_OR_OWNING_MEMBER_OR_CLUSTER,
                    'Report the health of a cluster.', 'PATCH /v1/clusters/{cluster_ident}'),
    base.admin_only('cluster:update_all_projects', 'Change a cluster of another project.',
                    'PATCH /v1/clusters/{cluster_ident}'),
    base.documented('cluster:resize', base.ADMIN_OR_MEMBER_NOT_CLUSTER,
                    'Change the number of nodes of a cluster.',
                    'POST /v1/clusters/{cluster_ident}/actions/resize'),
    base.documented('cluster:upgrade', base.ADMIN_OR_MEMBER_NOT_CLUSTER,
                    'Upgrade a cluster to another template.',
                    'POST /v1/clusters/{cluster_ident}/actions/upgrade'),
    base.admin_only('cluster:upgrade_all_projects', 'Upgrade a cluster of another project.',
                    'POST /v1/clusters/{cluster_ident}/actions/upgrade'),
    # Ours: what an administrator could not do on the clusters of others.
    base.admin_only('cluster:resize_all_projects',
                    'Change the number of nodes of a cluster of another project.',
                    'POST /v1/clusters/{cluster_ident}/actions/resize'),
    base.admin_only('cluster:force_delete',
                    'Remove the record of a cluster that its driver cannot delete. What the'
                    ' cluster left in the cloud stays there.',
                    'DELETE /v1/clusters/{cluster_ident}'),
]


def list_rules():
    return RULES
