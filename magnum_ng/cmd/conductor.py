# SPDX-License-Identifier: Apache-2.0
"""magnum-conductor: carries out what the API has decided, and watches over the clusters."""

import os
import sys

from oslo_concurrency import processutils
from oslo_reports import guru_meditation_report as gmr
from oslo_service import opts as service_opts
from oslo_service import service as oslo_service
import setproctitle

from magnum_ng.cmd import checks
from magnum_ng.common import log as logging
from magnum_ng.common import profiler
from magnum_ng.common import service
from magnum_ng.common import short_id
from magnum_ng.conductor import server
import magnum_ng.conf
from magnum_ng import metrics
from magnum_ng import version

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

BINARY = 'magnum-conductor'

#: Seconds to end in, unless configured otherwise: init systems lose patience after 15.
SHUTDOWN = 13


class Worker(server.ConductorService):
    """The service in a process of its own."""

    def start(self):
        setproctitle.setproctitle(
            f'{BINARY}: worker' + (' with periodic tasks' if self.periodic else ''))
        metrics.start(metrics.CONDUCTOR)
        super().start()


def main():
    service_opts.register_service_opts(CONF)
    CONF.set_default('graceful_shutdown_timeout', SHUTDOWN)
    service.prepare_service(sys.argv)
    gmr.TextGuruMeditation.setup_autorun(version)
    check_configuration()
    profiler.setup(BINARY, service.host())
    LOG.info('Starting %(binary)s, process %(pid)s',
             {'binary': BINARY, 'pid': os.getpid()})

    # One name for all processes: they share one queue of their own.
    name = short_id.generate_id()
    workers = CONF.conductor.workers or processutils.get_worker_count()
    launcher = oslo_service.ProcessLauncher(CONF)
    # Periodic tasks run in one process. It is a child like the others, so that the parent, which
    # starts children anew, has no threads at the time of a fork.
    launcher.launch_service(Worker(name, periodic=True), workers=1)
    if workers > 1:
        launcher.launch_service(Worker(name), workers=workers - 1)
    launcher.wait()


def check_configuration():
    """End with one line when something is configured that cannot work."""
    checks.check_messaging()
    checks.check_certificates()
    checks.check_drivers()
    checks.check_database()
