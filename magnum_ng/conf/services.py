# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

OPTS = [
    cfg.HostAddressOpt('host', sample_default='localhost',
                       help='Name of this host in the service list and in locks. Must be unique '
                            'among the conductors. Default: the host name.'),
    cfg.BoolOpt('periodic_enable', default=True,
                help='Whether conductors run periodic tasks: status and health polling, '
                     'recovery of interrupted operations.'),
    cfg.IntOpt('service_down_time', default=180,
               help='Seconds without a sign of life after which a conductor is shown as down.'),
]


def register_opts(conf):
    conf.register_opts(OPTS)


def list_opts():
    return {'DEFAULT': OPTS}
