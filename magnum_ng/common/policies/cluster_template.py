# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.documented('clustertemplate:create', base.ADMIN_OR_MEMBER_NOT_CLUSTER,
                    'Create a cluster template.', 'POST /v1/clustertemplates'),
    base.documented('clustertemplate:delete', base.ADMIN_OR_MEMBER,
                    'Delete a cluster template.',
                    'DELETE /v1/clustertemplate/{clustertemplate_ident}'),
    base.admin_only('clustertemplate:delete_all_projects',
                    'Delete a cluster template of another project.',
                    'DELETE /v1/clustertemplate/{clustertemplate_ident}'),
    base.admin_only('clustertemplate:detail_all_projects',
                    'List the cluster templates of all projects with all their attributes.',
                    'GET /v1/clustertemplates'),
    base.documented('clustertemplate:detail', base.ADMIN_OR_READER_NOT_CLUSTER,
                    'List cluster templates with all their attributes.',
                    'GET /v1/clustertemplates'),
    base.documented('clustertemplate:get', base.ADMIN_OR_READER_NOT_CLUSTER,
                    'Show a cluster template.',
                    'GET /v1/clustertemplate/{clustertemplate_ident}'),
    base.admin_only('clustertemplate:get_one_all_projects',
                    'Show a cluster template of another project.',
                    'GET /v1/clustertemplate/{clustertemplate_ident}'),
    base.documented('clustertemplate:get_all', base.ADMIN_OR_READER_NOT_CLUSTER,
                    'List cluster templates.', 'GET /v1/clustertemplates'),
    base.admin_only('clustertemplate:get_all_all_projects',
                    'List the cluster templates of all projects.', 'GET /v1/clustertemplates'),
    base.documented('clustertemplate:update', base.ADMIN_OR_MEMBER,
                    'Change a cluster template.',
                    'PATCH /v1/clustertemplate/{clustertemplate_ident}'),
    base.admin_only('clustertemplate:update_all_projects',
                    'Change a cluster template of another project.',
                    'PATCH /v1/clustertemplate/{clustertemplate_ident}'),
    base.admin_only('clustertemplate:publish', 'Make a cluster template public or hidden.',
                    'POST /v1/clustertemplates', 'PATCH /v1/clustertemplates'),
]


def list_rules():
    return RULES
