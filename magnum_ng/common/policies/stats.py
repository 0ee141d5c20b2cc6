# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.documented('stats:get_all', base.ADMIN_OR_READER, 'Count clusters and nodes.',
                    'GET /v1/stats'),
]


def list_rules():
    return RULES
