# SPDX-License-Identifier: Apache-2.0
"""What every command does before anything else: options, logging, the name of this host."""

import logging as python_logging
import socket
import sys

from oslo_config import cfg
from oslo_log import log as oslo_log

from magnum_ng.common import alias
from magnum_ng.common import config
from magnum_ng.common import masking
import magnum_ng.conf

CONF = magnum_ng.conf.CONF

#: Libraries that tell too much.
QUIET = ('amqp=WARN', 'amqplib=WARN', 'keystoneauth=WARN', 'keystonemiddleware=INFO',
         'oslo.messaging=INFO', 'oslo_messaging=INFO', 'sqlalchemy=WARN', 'stevedore=INFO',
         'urllib3=WARN', 'cotyledon=INFO')


def host():
    """The name under which this host's conductor is known."""
    return CONF.host or socket.gethostname()


def prepare_service(argv=None, serving=True):
    """Read the configuration and set up logging.

    A configuration that cannot be read, or another package in the place of ``magnum``, ends the
    process with one line that says why.

    :param serving: see :func:`magnum_ng.common.config.parse_args`
    """
    check_alias()
    oslo_log.register_options(CONF)
    oslo_log.set_defaults(default_log_levels=sorted(
        set(oslo_log.get_default_log_levels()) | set(QUIET)))
    try:
        config.parse_args(argv if argv is not None else sys.argv, serving=serving)
        oslo_log.setup(CONF, 'magnum')
    except cfg.Error as error:
        fail(f'The configuration cannot be used: {error}')
    except oslo_log.LogConfigError as error:
        fail(f'[DEFAULT]log_config_append cannot be used: {error}')
    python_logging.captureWarnings(True)


def check_alias():
    """End the process when drivers would get other classes than the service itself."""
    try:
        alias.check()
    except alias.AliasBroken as error:
        fail(str(error))


def fail(reason):
    """End the process with one line, in the log (if there is one) and for who sits at a shell."""
    program = sys.argv[0].rpartition('/')[2] or 'magnum'
    print(f'{program}: {masking.mask(reason)}', file=sys.stderr)
    sys.exit(1)
