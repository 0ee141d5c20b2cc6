# SPDX-License-Identifier: Apache-2.0
"""The WSGI application of the API: a Pecan application behind the filters of a paste file."""

import os
import sys

from oslo_config import cfg
from paste import deploy
from pecan import configuration as pecan_configuration

from magnum_ng.api import application
from magnum_ng.api import config as api_config
from magnum_ng.api import middleware
from magnum_ng.common import log as logging
import magnum_ng.conf
from magnum_ng import metrics

CONF = magnum_ng.conf.CONF

LOG = logging.getLogger(__name__)


def get_pecan_config():
    filename = api_config.__file__.replace('.pyc', '.py')
    return pecan_configuration.conf_from_file(filename)


def setup_app(config=None):
    """The application alone, without any filter in front of it."""
    config = config or get_pecan_config()
    settings = dict(config.app)
    app = application.Application(settings['root'], settings.get('hooks', ()))
    return middleware.ParsableErrorMiddleware(app)


def load_app():
    """The application behind the filters of the paste file.

    :raises: ConfigFilesNotFoundError if there is no such file.
    """
    name = CONF.api.api_paste_config
    path = name
    if not os.path.isabs(path):
        path = CONF.find_file(path)
    if not path or not os.path.exists(path):
        raise cfg.ConfigFilesNotFoundError([name])
    path = os.path.abspath(path)
    LOG.info('Full WSGI config used: %s', path)
    return metrics.wrap_api(deploy.loadapp(f'config:{path}'))


def app_factory(global_config, **local_conf):
    """The application alone, for paste files."""
    return setup_app()


def build_wsgi_app(argv=None):
    """Configure the process and load the application, for WSGI servers other than our own.

    What cannot be loaded ends the process with one line, as it does in the commands.
    """
    from magnum_ng.cmd import checks
    from magnum_ng.common import service

    service.prepare_service(sys.argv if argv is None else argv)
    return checks.load_api(load_app)
