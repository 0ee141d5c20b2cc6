# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('octavia_client', title='Load Balancer client')

OPTS = [
    cfg.StrOpt('region_name',
               help='Region whose Load Balancer endpoint is taken from the service catalog. '
                    'Default: the first one listed.'),
    cfg.StrOpt('endpoint_type', default='publicURL',
               help='Interface of the endpoint: publicURL, internalURL or adminURL.'),
    cfg.StrOpt('ca_file',
               help='Not used: trust in TLS comes from [keystone_auth]. Accepted because '
                    'deployment tools set it.'),
    cfg.StrOpt('cert_file', help='Not used, see ca_file.'),
    cfg.StrOpt('key_file', help='Not used, see ca_file.'),
    cfg.BoolOpt('insecure', default=False, help='Not used, see ca_file.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
