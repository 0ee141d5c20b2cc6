# SPDX-License-Identifier: Apache-2.0
"""A threaded HTTP server around a WSGI application, in a thread of its own."""

import threading

from cheroot import wsgi


class Server:
    """Bound at once, so that the address is known before anything is served.

    ``tls`` is a cheroot SSL adapter, or None for plain HTTP.
    """

    def __init__(self, app, host='127.0.0.1', port=0, tls=None, threads=8):
        self._server = wsgi.Server((host, port), app, numthreads=threads, timeout=30,
                                   shutdown_timeout=2, request_queue_size=128)
        self._server.error_log = self._log
        if tls is not None:
            self._server.ssl_adapter = tls
        self._server.prepare()
        self.host, self.port = self._server.bind_addr[:2]
        self.url = f'{"https" if tls is not None else "http"}://{self.host}:{self.port}'
        self._thread = None

    @staticmethod
    def _log(message='', level=20, traceback=False):
        """Clients that go away in a handshake are no news."""

    def start(self):
        self._thread = threading.Thread(target=self._server.serve, daemon=True,
                                        name=f'server-{self.port}')
        self._thread.start()
        return self

    def stop(self):
        self._server.stop()
        if self._thread is not None:
            self._thread.join(5)
