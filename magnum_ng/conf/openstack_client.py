# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('openstack_client', title='Requests to other OpenStack services')

OPTS = [
    cfg.FloatOpt('connect_timeout', default=10, min=0.1, max=600,
                 help='Seconds to wait for a connection to another OpenStack service.'),
    cfg.FloatOpt('read_timeout', default=60, min=0.1, max=3600,
                 help='Seconds to wait for an answer of another OpenStack service.'),
    cfg.IntOpt('connect_retries', default=2, min=0, max=10,
               help='How often a connection that failed is tried again.'),
    cfg.IntOpt('pool_size', default=32, min=1, max=1024,
               help='Connections kept open to each service by one process.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
