# SPDX-License-Identifier: Apache-2.0
"""Requests to the API, by the template of their address."""

import os
import time

from magnum_ng.api import routes
from magnum_ng import metrics
from magnum_ng.metrics import meters
from magnum_ng.metrics import process

_METHODS = frozenset(('GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'))

OTHER = 'other'


def _tree():
    """The segments of all addresses, each in that before it."""
    tree: dict = {}
    for known in routes.ROUTES:
        node = tree
        for part in known.path.split('/')[2:]:
            node = node.setdefault('{id}' if part.startswith('{') else part, {})
    return tree


_ROUTES = _tree()


def route(path):
    """The template of an address; one name for all that are not the API's."""
    parts = [part for part in path.split('/') if part]
    if not parts:
        return '/'
    if parts[0] == 'healthcheck' and len(parts) == 1:
        return '/healthcheck'
    if parts[0] == 'v1':
        del parts[0]
        if not parts:
            return '/v1'
    node: dict = _ROUTES
    found = '/v1'
    for part in parts:
        if part not in node:
            part = '{id}'
            if part not in node:
                return OTHER
        node = node[part]
        found = f'{found}/{part}'
    return found


class Measured:
    """Observes each request from its first byte to the last of its answer's head."""

    def __init__(self, application):
        self._application = application
        self._pid = None
        self._instruments = meters.instruments(metrics.API)

    def __call__(self, environ, start_response):
        if self._pid != os.getpid():
            # Whatever the server, this is a process that serves.
            process.start(metrics.API)
            self._pid = os.getpid()
        begun = time.perf_counter()
        answer = ['500']

        def started(status, headers, exc_info=None):
            answer[0] = status[:3]
            return start_response(status, headers, exc_info)

        try:
            return self._application(environ, started)
        finally:
            method = environ['REQUEST_METHOD']
            self._instruments.http.labels(
                method if method in _METHODS else OTHER, route(environ.get('PATH_INFO', '')),
                answer[0]).observe(time.perf_counter() - begun)
