# SPDX-License-Identifier: Apache-2.0
"""magnum-conductor: carries out what the API has decided, and watches over the clusters."""

import os
import sys

import oslo_messaging as messaging
from oslo_concurrency import processutils
from oslo_db import exception as db_exc
from oslo_reports import guru_meditation_report as gmr
from oslo_service import opts as service_opts
from oslo_service import service as oslo_service
import setproctitle
import sqlalchemy.exc

from magnum_ng.common import cert_manager
from magnum_ng.common import log as logging
from magnum_ng.common import profiler
from magnum_ng.common import rpc
from magnum_ng.common import service
from magnum_ng.common import short_id
from magnum_ng.conductor import server
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import session
from magnum_ng.drivers.common import driver
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
    _check_messaging()
    _check_certificates()
    _check_drivers()
    _check_database()


def _check_messaging():
    try:
        rpc.init(CONF)
    except (messaging.InvalidTransportURL, messaging.DriverLoadFailure, ValueError) as error:
        service.fail(f'[DEFAULT]transport_url cannot be used: {error}')
    finally:
        # The children make their own.
        rpc.cleanup()


def _check_certificates():
    try:
        cert_manager.get_backend()
    except Exception as error:
        service.fail(f'[certificates]cert_manager_type = {CONF.certificates.cert_manager_type} '
                     f'cannot be used: {error}')


def _check_drivers():
    infos = driver.report()
    if not any(not info.error and not info.disabled for info in infos):
        reasons = '; '.join(f'{info.name}: {info.error or "in [drivers]disabled_drivers"}'
                            for info in infos)
        service.fail('No cluster driver can be used: install one (entry-point group '
                     f'magnum.drivers) or see [drivers]. {reasons or "None is installed"}')


def _check_database():
    try:
        engine = session.get_engine()
        with engine.connect() as connection:
            connection.exec_driver_sql('SELECT 1 FROM ng_operation WHERE 1 = 0')
        # No connection is to be shared with the children.
        engine.dispose()
    except (db_exc.DBNonExistentTable, sqlalchemy.exc.ProgrammingError) as error:
        service.fail('The database of [database]connection does not have the tables of this '
                     f'release: run magnum-db-manage upgrade ({_first_line(error)})')
    except Exception as error:
        service.fail(f'[database]connection cannot be used: {_first_line(error)}')


def _first_line(error):
    return str(error).partition('\n')[0]
