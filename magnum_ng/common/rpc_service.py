# SPDX-License-Identifier: Apache-2.0
"""Both ends of the message bus: what a conductor runs, and what an RPC client is made of."""

import contextlib

import oslo_messaging as messaging
from oslo_service import service

from magnum_ng.common import log as logging
from magnum_ng.common import rpc
import magnum_ng.conf
from magnum_ng.objects import base as objects_base

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

_UNOBSERVED = contextlib.nullcontext()
#: A context manager for the message of a method, where messages are measured.
observer = None


class Service(service.Service):
    """An RPC server for a list of endpoints."""

    def __init__(self, topic, server, handlers, binary):
        super().__init__()
        self.topic = topic
        self.server = server
        self.handlers = handlers
        self.binary = binary
        self._server = None

    @classmethod
    def create(cls, topic, server, handlers, binary):
        return cls(topic, server, handlers, binary)

    def start(self):
        # Made here, in the process that uses it: connections do not survive a fork.
        target = messaging.Target(topic=self.topic, server=self.server)
        self._server = rpc.get_server(
            target, self.handlers, serializer=objects_base.MagnumObjectSerializer())
        self._server.start()

    def stop(self, graceful=False):
        if self._server is not None:
            self._server.stop()
            if graceful:
                self._server.wait()
        super().stop(graceful)

    def wait(self):
        if self._server is not None:
            self._server.wait()
        super().wait()


def _observed(method):
    return _UNOBSERVED if observer is None else observer(method)


class API:
    """Base of RPC clients: everything is sent in the name of one request's context."""

    def __init__(self, context=None, topic=None, server=None, timeout=None):
        self._context = context
        # The topic of the configuration that is in force now, not of the time of import.
        self._client = rpc.get_client(
            topic or CONF.conductor.topic, server=server, timeout=timeout,
            serializer_class=objects_base.MagnumObjectSerializer)

    def _call(self, method, *args, **kwargs):
        with _observed(method):
            return self._client.call(self._context, method, *args, **kwargs)

    def _cast(self, method, *args, **kwargs):
        with _observed(method):
            self._client.cast(self._context, method, *args, **kwargs)

    def echo(self, message):
        self._cast('echo', message=message)
