# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('api', title='REST API service')

OPTS = [
    cfg.PortOpt('port', default=9511, help='TCP port that magnum-api listens on.'),
    cfg.IPOpt('host', default='127.0.0.1', help='Address that magnum-api listens on.'),
    cfg.IntOpt('max_limit', default=1000,
               help='Largest number of items in one answer of a list request.'),
    cfg.StrOpt('api_paste_config', default='api-paste.ini',
               help='Paste file with the WSGI pipeline. A relative name is searched for in the '
                    'configuration directories.'),
    cfg.StrOpt('ssl_cert_file', help='Certificate (PEM) of the listener, chain included. Used '
                                     'when enabled_ssl is set.'),
    cfg.StrOpt('ssl_key_file', help='Private key (PEM) of ssl_cert_file.'),
    cfg.BoolOpt('enabled_ssl', default=False,
                help='Serve HTTPS instead of HTTP. A TLS proxy in front of magnum-api does not '
                     'need this.'),
    cfg.IntOpt('workers',
               help='Number of worker processes of magnum-api. Default: the number of CPUs.'),
    cfg.IntOpt('threads', default=16, min=1, max=1024,
               help='Number of requests that one worker process of magnum-api serves at the same '
                    'time.'),
    cfg.IntOpt('graceful_timeout', default=30, min=1,
               help='Seconds that requests get to finish when magnum-api stops or restarts.'),
    cfg.IntOpt('max_request_body_size', default=114688, min=1024,
               help='Largest request body in bytes; a larger one is refused with 413. Holds also '
                    'when the paste file has no sizelimit filter.'),
    cfg.IntOpt('max_json_depth', default=32, min=4, max=200,
               help='Deepest nesting of lists and objects accepted in a request body.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
