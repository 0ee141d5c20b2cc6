# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('metrics', title='Prometheus metrics')

OPTS = [
    cfg.BoolOpt('enabled', default=False,
                help='Serve metrics over HTTP for Prometheus, at /metrics of a port of their own. '
                     'One process of a service serves those of all its processes. There is no '
                     'authentication: whoever reaches the port can read them. Under uWSGI this '
                     'needs enable-threads, and a process begins with its first request.'),
    cfg.IPOpt('host', default='127.0.0.1', help='Address that serves the metrics.'),
    cfg.PortOpt('port', default=9512, help='TCP port of the metrics of the API.'),
    cfg.PortOpt('conductor_port', default=9513,
                help='TCP port of the metrics of the conductor.'),
    cfg.StrOpt('directory',
               help='Directory in which the processes of a service share what they count; each '
                    'service makes one of its own in it. Memory-backed places are best. Without '
                    'this option it is a directory of the service\'s user in the place for '
                    'temporary files.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
