# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

OPTS = [
    cfg.StrOpt('rootwrap_config', default='/etc/magnum/rootwrap.conf',
               help='Not used: no command is run as root. Accepted because configuration files '
                    'contain it.'),
    cfg.StrOpt('tempdir', help='Directory for temporary files. Default: that of the system.'),
    cfg.ListOpt('password_symbols',
                default=['23456789', 'ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz'],
                help='Groups of characters that generated passwords take at least one character '
                     'each from.'),
    cfg.IntOpt('max_manifest_size', default=524288,
               help='Largest manifest in bytes. Only read by drivers.'),
]


def register_opts(conf):
    conf.register_opts(OPTS)


def list_opts():
    return {'DEFAULT': OPTS}
