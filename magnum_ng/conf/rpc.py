# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

OPTS = [
    cfg.IntOpt('periodic_interval_max', default=60,
               help='Not used: every periodic task has its own interval. Accepted because '
                    'configuration files contain it.'),
]


def register_opts(conf):
    conf.register_opts(OPTS)


def list_opts():
    return {'DEFAULT': OPTS}
