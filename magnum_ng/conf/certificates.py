# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('certificates', title='Certificate storage')

OPTS = [
    cfg.StrOpt('cert_manager_type', default='barbican',
               help='Where the certificates and keys of clusters are kept: "barbican", '
                    '"x509keypair" (database) or "local" (files, for development only).'),
    cfg.StrOpt('storage_path', default='/var/lib/magnum/certificates/',
               help='Directory of the "local" certificate manager.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
