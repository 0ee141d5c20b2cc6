# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common.policies import base

RULES = [
    base.admin_only('magnum-service:get_all',
                    'List the conductors and when they were last seen.', 'GET /v1/mservices'),
]


def list_rules():
    return RULES
