# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('docker', title='Docker (not used)')

OPTS = [
    cfg.StrOpt('docker_remote_api_version', default='1.21',
               help='Not used; accepted because configuration files contain it.'),
    cfg.IntOpt('default_timeout', default=60, help='Not used, see docker_remote_api_version.'),
    cfg.BoolOpt('api_insecure', default=False, help='Not used, see docker_remote_api_version.'),
    cfg.StrOpt('ca_file', help='Not used, see docker_remote_api_version.'),
    cfg.StrOpt('cert_file', help='Not used, see docker_remote_api_version.'),
    cfg.StrOpt('key_file', help='Not used, see docker_remote_api_version.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
