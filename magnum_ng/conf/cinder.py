# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('cinder', title='Volumes of clusters')
CLIENT_GROUP = cfg.OptGroup('cinder_client', title='Block Storage client')

OPTS = [
    cfg.StrOpt('default_docker_volume_type', default='',
               help='Volume type for container storage when the labels name none.'),
    cfg.StrOpt('default_etcd_volume_type', default='',
               help='Volume type for etcd when the labels name none.'),
    cfg.StrOpt('default_boot_volume_type', default='',
               help='Volume type for boot volumes when the labels name none.'),
    cfg.IntOpt('default_boot_volume_size', default=0,
               help='Size of boot volumes in GiB when the labels name none; 0 boots from the '
                    'image without a volume.'),
]

CLIENT_OPTS = [
    cfg.StrOpt('region_name',
               help='Region whose Block Storage endpoint is taken from the service catalog. '
                    'Default: the first one listed.'),
    cfg.StrOpt('endpoint_type', default='publicURL',
               help='Interface of the endpoint: publicURL, internalURL or adminURL.'),
]


def register_opts(conf):
    for group, opts in list_opts().items():
        conf.register_group(group)
        conf.register_opts(opts, group=group)


def list_opts():
    return {GROUP: OPTS, CLIENT_GROUP: CLIENT_OPTS}
