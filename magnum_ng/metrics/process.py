# SPDX-License-Identifier: Apache-2.0
"""Metrics in one process: what is hooked in, and the port that one process of all serves.

Whichever process of a service gets the port serves the numbers of all of them; when it ends, the
next one that tries has it. That needs no parent with threads and no order of starts, and so is
the same under every server.
"""

import os
import threading

import prometheus_client
from prometheus_client import multiprocess

from magnum_ng.common import log as logging
from magnum_ng.common import rpc_service
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng import metrics
from magnum_ng.metrics import database
from magnum_ng.metrics import meters
from magnum_ng.metrics import outbound
from magnum_ng.service import periodic
from magnum_ng.service import polling

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

#: Seconds after which a process tries again to get the port.
AGAIN = 5

_started: int | None = None
_guard = threading.Lock()


def start(service):
    """Begin in this process; a second time does nothing."""
    global _started
    with _guard:
        if _started == os.getpid():
            return
        _started = os.getpid()
    instruments = meters.instruments(service)
    hook(service, instruments)
    Listener(service, instruments).start()


def hook(service, instruments):
    outbound.measure(instruments.outbound)
    rpc_service.observer = lambda method: meters.timed(instruments.rpc_client, method)
    try:
        database.measure_pool(db_session.get_engine(), instruments.pool_in_use,
                              instruments.pool_limit)
    except Exception as error:
        LOG.warning('The database pool is not measured: %s', type(error).__name__)
    if service != metrics.CONDUCTOR:
        return

    def tick(task, seconds, late):
        instruments.tick.labels(task).observe(seconds)
        instruments.lag.labels(task).set(late)

    periodic.observer = tick
    polling.observer = lambda kind, seconds: instruments.poll.labels(kind).observe(seconds)


class Scrape:
    """The registry of a scrape: all processes' numbers, and what is read for it."""

    def __init__(self, service, path):
        self._path = path
        self._registry = prometheus_client.CollectorRegistry()
        multiprocess.MultiProcessCollector(self._registry, path=path)
        if service == metrics.CONDUCTOR:
            self._registry.register(database.Collector())

    def collect(self):
        for name in os.listdir(self._path):
            pid = meters._pid(name)
            if pid is not None and not meters.is_alive(pid):
                multiprocess.mark_process_dead(pid, self._path)
        return self._registry.collect()


class Listener(threading.Thread):
    def __init__(self, service, instruments):
        super().__init__(name='metrics', daemon=True)
        self._registry = prometheus_client.CollectorRegistry()
        self._registry.register(Scrape(service, instruments.path))
        self.port = (CONF.metrics.conductor_port if service == metrics.CONDUCTOR
                     else CONF.metrics.port)
        self.server = None
        self._stopped = threading.Event()

    def run(self):
        first = True
        while not self._stopped.is_set():
            try:
                self.server, _thread = prometheus_client.start_http_server(
                    self.port, str(CONF.metrics.host), self._registry)
            except OSError as error:
                if first:
                    LOG.debug('Metrics are served by another process on port %(port)s: %(error)s',
                              {'port': self.port, 'error': error})
                first = False
                self._stopped.wait(AGAIN)
                continue
            LOG.info('Metrics are served on %(host)s, port %(port)s',
                     {'host': CONF.metrics.host, 'port': self.port})
            return

    def stop(self):
        self._stopped.set()
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
