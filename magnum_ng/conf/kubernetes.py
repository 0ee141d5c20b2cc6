# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('kubernetes', title='Kubernetes clusters')

OPTS = [
    cfg.StrOpt('keystone_auth_default_policy',
               default='/etc/magnum/keystone_auth_default_policy.json',
               help='Policy file given to k8s-keystone-auth in new clusters. Only read by '
                    'drivers.'),
    cfg.StrOpt('post_install_manifest_url', default='',
               help='URL of a manifest applied to new clusters. Only read by drivers.'),
    cfg.IntOpt('health_polling_interval', default=60,
               help='Seconds between two looks at the health of a cluster. A value below 1 '
                    'switches the polling off.'),
    cfg.FloatOpt('monitor_timeout', default=10, min=0.5, max=300,
                 help='Seconds that the Kubernetes API of a cluster gets to answer one request '
                      'of the health poll.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
