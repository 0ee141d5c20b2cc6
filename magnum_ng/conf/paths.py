# SPDX-License-Identifier: Apache-2.0

import pathlib

from oslo_config import cfg

OPTS = [
    cfg.StrOpt('pybasedir', default=str(pathlib.Path(__file__).resolve().parents[1]),
               sample_default='/usr/lib/python3/dist-packages/magnum_ng',
               help='Directory of the installed Python package.'),
    cfg.StrOpt('bindir', default='$pybasedir/bin',
               help='Not used. Accepted because configuration files contain it.'),
    cfg.StrOpt('state_path', default='$pybasedir',
               help='Directory for the state of the service; the default database of a '
                    'development set-up lives there.'),
]


def state_path_def(*parts):
    """A path below ``state_path``, resolved when the option that holds it is read."""
    return '/'.join(('$state_path',) + parts)


def register_opts(conf):
    conf.register_opts(OPTS)


def list_opts():
    return {'DEFAULT': OPTS}
