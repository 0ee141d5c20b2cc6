# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.documented('certificate:create', base.ADMIN_OR_OWNING_MEMBER,
                    'Have a certificate signed by the CA of a cluster.', 'POST /v1/certificates'),
    base.documented('certificate:get', base.ADMIN_OR_OWNING_READER,
                    'Read the CA certificate of a cluster.',
                    'GET /v1/certificates/{cluster_uuid}'),
    base.documented('certificate:rotate_ca', base.ADMIN_OR_MEMBER,
                    'Replace the CA of a cluster.', 'PATCH /v1/certificates/{cluster_uuid}'),
    # Ours: what an administrator could not do on the clusters of others.
    base.admin_only('certificate:create_all_projects',
                    'Have a certificate signed by the CA of a cluster of another project.',
                    'POST /v1/certificates'),
    base.admin_only('certificate:get_all_projects',
                    'Read the CA certificate of a cluster of another project.',
                    'GET /v1/certificates/{cluster_uuid}'),
    base.admin_only('certificate:rotate_ca_all_projects',
                    'Replace the CA of a cluster of another project.',
                    'PATCH /v1/certificates/{cluster_uuid}'),
]


def list_rules():
    return RULES
