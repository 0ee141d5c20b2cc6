# SPDX-License-Identifier: Apache-2.0
"""API, conductor and simulated driver in one process: what the demo runs by default.

The in-process message bus does not leave a process, so the conductor runs inside the API's one
worker. Both are the service's own; only that they share a process is the demo's doing. Should
the worker die, gunicorn starts another one, and the conductor with it.
"""

import sys

from gunicorn.app import base

from magnum_ng.api import app as api_app
from magnum_ng.common import rpc
from magnum_ng.common import service
import magnum_ng.conf
from magnum_ng.db import migration
from magnum_ng.db.sqlalchemy import session

from magnum_demo import driver
from magnum_demo import inprocess
from magnum_demo import keeper

CONF = magnum_ng.conf.CONF
THREADS = 8


class Application(base.BaseApplication):
    def __init__(self):
        self.conductor = None
        super().__init__()

    def load_config(self):
        for name, value in {
                'bind': f'{CONF.api.host}:{CONF.api.port}', 'workers': 1, 'threads': THREADS,
                'worker_class': 'gthread', 'timeout': 120, 'graceful_timeout': 5,
                'control_socket_disable': True, 'proc_name': 'magnum-demo',
                'post_fork': lambda server, worker: keeper.die_with_parent(),
                'worker_exit': self.stop_conductor}.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self):
        """Called in the worker: everything that has threads or connections is made here."""
        rpc.init(CONF)
        driver.register(serve=True)
        self.conductor = inprocess.Conductor()
        self.conductor.start()
        return api_app.load_app()

    def stop_conductor(self, server, worker):
        if self.conductor is not None:
            self.conductor.stop()
            driver.SIMULATION.stop()


def main():
    service.prepare_service(sys.argv)
    migration.upgrade()
    # The worker opens connections of its own.
    session.get_engine().dispose()
    Application().run()


if __name__ == '__main__':
    main()
