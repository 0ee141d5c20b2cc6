# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.documented('credential:rotate', base.MEMBER_NOT_CLUSTER,
                    'Replace the credential of a cluster.',
                    'PATCH /v1/credentials/{cluster_uuid}'),
    # Ours: what an administrator could not do on the clusters of others.
    base.admin_only('credential:rotate_all_projects',
                    'Replace the credential of a cluster of another project.',
                    'PATCH /v1/credentials/{cluster_uuid}'),
]


def list_rules():
    return RULES
