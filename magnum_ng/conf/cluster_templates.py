# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('cluster_template', title='Cluster templates')

OPTS = [
    cfg.ListOpt('kubernetes_allowed_network_drivers', default=['flannel', 'calico'],
                help='Network drivers that a template may ask for. The value "all" allows any.'),
    cfg.StrOpt('kubernetes_default_network_driver', default='flannel',
               help='Network driver of a template that names none.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
