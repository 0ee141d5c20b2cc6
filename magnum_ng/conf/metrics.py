# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('metrics', title='Prometheus metrics')

OPTS = [
    cfg.BoolOpt('enabled', default=False,
                help='Serve metrics of this process over HTTP for Prometheus.'),
    cfg.IPOpt('host', default='127.0.0.1', help='Address that serves the metrics.'),
    cfg.PortOpt('port', default=9512,
                help='First TCP port tried for the metrics; a further process on the same host '
                     'takes the next free one.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
