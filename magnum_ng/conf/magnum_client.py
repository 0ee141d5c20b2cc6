# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('magnum_client', title='Client of this service')

OPTS = [
    cfg.StrOpt('region_name',
               help='Region whose Container Infrastructure endpoint is taken from the service '
                    'catalog. Default: the first one listed.'),
    cfg.StrOpt('endpoint_type', default='publicURL',
               help='Interface of the endpoint: publicURL, internalURL or adminURL.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
