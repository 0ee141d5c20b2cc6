# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.documented('federation:create', base.ADMIN_OR_MEMBER_NOT_CLUSTER,
                    'Create a federation.', 'POST /v1/federations'),
    base.documented('federation:delete', base.ADMIN_OR_MEMBER_NOT_CLUSTER,
                    'Delete a federation.', 'DELETE /v1/federations/{federation_ident}'),
    base.documented('federation:detail', base.ADMIN_OR_READER_NOT_CLUSTER,
                    'List federations with all their attributes.', 'GET /v1/federations'),
    base.documented('federation:get', base.ADMIN_OR_READER_NOT_CLUSTER, 'Show a federation.',
                    'GET /v1/federations/{federation_ident}'),
    base.documented('federation:get_all', base.ADMIN_OR_READER_NOT_CLUSTER, 'List federations.',
                    'GET /v1/federations/'),
    base.documented('federation:update', base.ADMIN_OR_MEMBER_NOT_CLUSTER,
                    'Change a federation.', 'PATCH /v1/federations/{federation_ident}'),
]


def list_rules():
    return RULES
