# SPDX-License-Identifier: Apache-2.0
"""API, conductor and simulated driver in one process: what the demo runs by default.

The in-process message bus does not leave a process, so the conductor runs inside the API's one
worker. Both are the service's own, on the web server of magnum-api; only that they share a
process is the demo's doing. Should the worker die, the server starts another one, and the
conductor with it.
"""

import sys

from magnum_ng.api import app as api_app
from magnum_ng.cmd import api
from magnum_ng.common import service
from magnum_ng.db import migration

from magnum_demo import driver
from magnum_demo import inprocess
from magnum_demo import keeper


class Server(api.Server):
    def __init__(self):
        self.conductor = None
        super().__init__(application=None)

    def load_config(self):
        super().load_config()
        start_worker = self.cfg.post_fork

        def post_fork(server, worker):
            keeper.die_with_parent()
            start_worker(server, worker)

        for name, value in {'workers': 1, 'preload_app': False, 'graceful_timeout': 5,
                            'post_fork': post_fork, 'worker_exit': self.stop_conductor}.items():
            self.cfg.set(name, value)

    def load(self):
        """Called in the worker: what has threads or connections is made here."""
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
    driver.register(serve=True)
    api.check_configuration()
    Server().run()


if __name__ == '__main__':
    main()
