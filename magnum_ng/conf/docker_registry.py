# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('docker_registry', title='Image registry of clusters')

OPTS = [
    cfg.StrOpt('swift_region', help='Object Storage region of the registry. Only read by drivers.'),
    cfg.StrOpt('swift_registry_container', default='docker_registry',
               help='Object Storage container of the registry. Only read by drivers.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
