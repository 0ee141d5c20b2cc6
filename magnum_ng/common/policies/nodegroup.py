# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.documented('nodegroup:get', base.ADMIN_OR_READER, 'Show a nodegroup.',
                    'GET /v1/clusters/{cluster_id}/nodegroup/{nodegroup}'),
    base.documented('nodegroup:get_all', base.ADMIN_OR_READER,
                    'List the nodegroups of a cluster.',
                    'GET /v1/clusters/{cluster_id}/nodegroups/'),
    base.admin_only('nodegroup:get_all_all_projects',
                    'List the nodegroups of a cluster of another project.',
                    'GET /v1/clusters/{cluster_id}/nodegroups/'),
    base.admin_only('nodegroup:get_one_all_projects',
                    'Show a nodegroup of a cluster of another project.',
                    'GET /v1/clusters/{cluster_id}/nodegroups/{nodegroup}'),
    base.documented('nodegroup:create', base.ADMIN_OR_MEMBER, 'Add a nodegroup to a cluster.',
                    'POST /v1/clusters/{cluster_id}/nodegroups/'),
    base.documented('nodegroup:delete', base.ADMIN_OR_MEMBER,
                    'Remove a nodegroup from a cluster.',
                    'DELETE /v1/clusters/{cluster_id}/nodegroups/{nodegroup}'),
    base.documented('nodegroup:update', base.ADMIN_OR_MEMBER, 'Change a nodegroup.',
                    'PATCH /v1/clusters/{cluster_id}/nodegroups/{nodegroup}'),
    # Ours: what an administrator could not do on the clusters of others.
    base.admin_only('nodegroup:create_all_projects',
                    'Add a nodegroup to a cluster of another project.',
                    'POST /v1/clusters/{cluster_id}/nodegroups/'),
    base.admin_only('nodegroup:delete_all_projects',
                    'Remove a nodegroup from a cluster of another project.',
                    'DELETE /v1/clusters/{cluster_id}/nodegroups/{nodegroup}'),
    base.admin_only('nodegroup:update_all_projects',
                    'Change a nodegroup of a cluster of another project.',
                    'PATCH /v1/clusters/{cluster_id}/nodegroups/{nodegroup}'),
]


def list_rules():
    return RULES
