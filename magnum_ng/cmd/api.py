# SPDX-License-Identifier: Apache-2.0
"""magnum-api: the REST API on a web server of its own."""

import logging as python_logging
import os
import sys

from gunicorn import glogging
from gunicorn import util
from gunicorn.app import base
from oslo_concurrency import processutils
from oslo_reports import guru_meditation_report as gmr
import setproctitle

from magnum_ng.api import app as api_app
from magnum_ng.api import hooks
from magnum_ng.cmd import checks
from magnum_ng.common import log as logging
from magnum_ng.common import profiler
from magnum_ng.common import rpc
from magnum_ng.common import service
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import session
from magnum_ng import metrics
from magnum_ng import version

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

BINARY = 'magnum-api'

# A scoped token with a large catalogue is longer than the server's own limit.
MAX_HEADER = 65535


class ServerLogger(glogging.Logger):
    """The web server's messages, in the service's log."""

    def setup(self, cfg):
        self.error_log = python_logging.getLogger('magnum.api.server')
        self.access_log = python_logging.getLogger('magnum.api.access')

    def access(self, resp, req, environ, request_time):
        if not self.access_log.isEnabledFor(python_logging.INFO):
            return
        # Without the query, which clients may have put anything into.
        path = environ.get('RAW_URI', '').partition('?')[0]
        self.access_log.info(
            '%s "%s %s" status: %s len: %s time: %.4f', environ.get('REMOTE_ADDR'),
            environ['REQUEST_METHOD'], path, resp.status.split(None, 1)[0],
            resp.sent, request_time.total_seconds())

    def reopen_files(self):
        pass

    def close_on_exec(self):
        pass


class Server(base.BaseApplication):
    """The application in worker processes with threads."""

    def __init__(self, application):
        self.application = application
        super().__init__()

    def load_config(self):
        for name, value in settings().items():
            # Older servers have no control socket to switch off.
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self):
        return self.application


def settings():
    """The web server's settings that follow from [api]."""
    api = CONF.api
    host = f'[{api.host}]' if ':' in str(api.host) else api.host
    found = {
        'bind': f'{host}:{api.port}',
        'workers': api.workers or processutils.get_worker_count(),
        'worker_class': 'gthread',
        'threads': api.threads,
        'graceful_timeout': api.graceful_timeout,
        # How long a worker may not give a sign of life; its threads do not count.
        'timeout': 60,
        'keepalive': 5,
        # Loaded once, so that it is shared and its errors are those of the start.
        'preload_app': True,
        'proc_name': BINARY,
        'limit_request_line': 8190,
        'limit_request_field_size': MAX_HEADER,
        'logger_class': ServerLogger,
        'accesslog': '-',
        # Proxies are believed as [oslo_middleware]enable_proxy_headers_parsing says.
        'forwarded_allow_ips': '',
        'secure_scheme_headers': {},
        'control_socket_disable': True,
        'post_fork': _start_worker,
        'pre_request': _start_request,
    }
    if api.enabled_ssl:
        found.update(certfile=api.ssl_cert_file, keyfile=api.ssl_key_file)
    return found


def _set_title(title):
    """Processes are called after this program, not after the server it is built on."""
    role = title.partition(' ')[0]
    command = f' process [{" ".join(sys.argv)}]' if role == 'master' else ''
    setproctitle.setproctitle(f'{BINARY}: {role}{command}')


def _start_worker(server, worker):
    """Nothing that talks to the outside may be shared with the parent."""
    session.get_engine().dispose(close=False)
    rpc.cleanup()
    rpc.init(CONF)
    metrics.start(metrics.API)


def _start_request(worker, request):
    # The thread's log lines must not name who was served before.
    hooks.forget_context()


def main():
    service.prepare_service(sys.argv)
    gmr.TextGuruMeditation.setup_autorun(version)
    check_configuration()
    profiler.setup(BINARY, service.host())
    application = checks.load_api(api_app.load_app)
    LOG.info('Starting %(binary)s on %(scheme)s://%(bind)s, process %(pid)s', {
        'binary': BINARY, 'scheme': 'https' if CONF.api.enabled_ssl else 'http',
        'bind': settings()['bind'], 'pid': os.getpid()})
    util._setproctitle = _set_title
    Server(application).run()


def check_configuration():
    """End with one line when something is configured that cannot work."""
    checks.check_messaging()
    checks.check_certificates()
    if CONF.api.enabled_ssl:
        checks.check_tls_files()
    checks.check_database()
    checks.check_drivers()
