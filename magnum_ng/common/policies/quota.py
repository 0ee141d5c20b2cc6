# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.admin_only('quota:create', 'Set the quota of a project.', 'POST /v1/quotas'),
    base.admin_only('quota:delete',
                    'Remove the quota of a project, so that the default applies.',
                    'DELETE /v1/quotas/{project_id}/{resource}'),
    base.documented('quota:get', base.ADMIN_OR_READER, 'Show the quota of a project.',
                    'GET /v1/quotas/{project_id}/{resource}'),
    base.admin_only('quota:get_all', 'List the quotas of all projects.', 'GET /v1/quotas'),
    base.admin_only('quota:update', 'Change the quota of a project.',
                    'PATCH /v1/quotas/{project_id}/{resource}'),
]


def list_rules():
    return RULES
