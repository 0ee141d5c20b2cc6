# SPDX-License-Identifier: Apache-2.0
"""What is counted. Importing this module makes prometheus_client share between processes."""

import contextlib
import functools
import os
import tempfile
import time

import prometheus_client
from prometheus_client import values

import magnum_ng.conf
from magnum_ng import metrics

CONF = magnum_ng.conf.CONF

_VARIABLE = 'PROMETHEUS_MULTIPROC_DIR'
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)

OK = 'ok'
REFUSED = 'refused'
FAILED = 'failed'
TIMEOUT = 'timeout'


class Unusable(Exception):
    """The directory cannot be used; the text says why."""


def directory(service):
    """Where the processes of a service share their numbers; made, and nobody else's."""
    parent = CONF.metrics.directory or os.path.join(
        tempfile.gettempdir(), f'magnum-metrics-{os.getuid()}')
    port = CONF.metrics.conductor_port if service == metrics.CONDUCTOR else CONF.metrics.port
    path = os.path.join(parent, f'{service}-{port}')
    for folder in (parent, path):
        with contextlib.suppress(FileExistsError):
            os.makedirs(folder, mode=0o700)
        found = os.lstat(folder)
        if found.st_uid != os.getuid() or not os.path.isdir(folder) or os.path.islink(folder):
            raise Unusable(f'{folder} belongs to somebody else')
    return path


def _pid(name):
    pid = name.removesuffix('.db').rpartition('_')[2]
    return int(pid) if pid.isdigit() else None


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def forget_the_dead(path):
    """Remove what earlier runs have left, if none of their processes is alive.

    While one is, the others' counts stay: they would seem to have gone back otherwise.
    """
    others = {pid for pid in map(_pid, os.listdir(path)) if pid not in (None, os.getpid())}
    if any(map(is_alive, others)):
        return
    for name in os.listdir(path):
        if _pid(name) in others:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(path, name))


class Instruments:
    """The instruments of one service."""

    def __init__(self, service):
        self.service = service
        self.path = os.environ.get(_VARIABLE) or directory(service)
        os.environ[_VARIABLE] = self.path
        forget_the_dead(self.path)
        # Set by hand: a library may have imported prometheus_client before.
        values.ValueClass = values.MultiProcessValue()
        self.registry = prometheus_client.CollectorRegistry()

        def histogram(name, text, *labels):
            return prometheus_client.Histogram(
                name, text, labels, buckets=_SECONDS, registry=self.registry)

        def gauge(name, text, mode, *labels):
            return prometheus_client.Gauge(
                name, text, labels, multiprocess_mode=mode, registry=self.registry)

        self.outbound = histogram(
            'magnum_outbound_seconds', 'Requests to other services of the cloud.',
            'service', 'method', 'status')
        self.pool_in_use = gauge(
            'magnum_db_connections_in_use', 'Database connections that are in use.', 'livesum')
        self.pool_limit = gauge(
            'magnum_db_connections_limit', 'Database connections that may be in use.', 'livesum')
        self.rpc_client = histogram(
            'magnum_rpc_client_seconds', 'Messages to the conductor; a call until its answer.',
            'method', 'status')
        if service == metrics.API:
            self.http = histogram(
                'magnum_http_request_seconds', 'Requests to the API.',
                'method', 'route', 'status')
            return
        self.rpc_server = histogram(
            'magnum_rpc_server_seconds', 'Messages, until they are answered.',
            'method', 'status')
        self.tick = histogram(
            'magnum_periodic_task_seconds', 'Runs of periodic tasks.', 'task')
        self.lag = gauge(
            'magnum_periodic_task_lag_seconds',
            'How much later than at its interval a periodic task has begun last.',
            'livemax', 'task')
        self.poll = histogram('magnum_poll_seconds', 'Polls of single clusters.', 'kind')


@functools.cache
def instruments(service):
    return Instruments(service)


def forget():
    """For tests: the next instruments are new ones, in a directory of their own."""
    instruments.cache_clear()
    os.environ.pop(_VARIABLE, None)
    values.ValueClass = values.get_value_class()


@contextlib.contextmanager
def timed(histogram, method):
    """Observe an RPC: its time, and what became of it."""
    from oslo_messaging import exceptions

    from magnum_ng.common import exception

    begun, status = time.perf_counter(), FAILED
    try:
        yield
        status = OK
    except exceptions.MessagingTimeout:
        status = TIMEOUT
        raise
    except exception.MagnumException as error:
        code = getattr(error, 'code', 500)
        status = REFUSED if isinstance(code, int) and code < 500 else FAILED
        raise
    finally:
        histogram.labels(method, status).observe(time.perf_counter() - begun)
