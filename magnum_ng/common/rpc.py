# SPDX-License-Identifier: Apache-2.0
"""The message bus: transports, serialisers, clients, servers and notifiers.

``init`` once in a process before anything else here is used; ``cleanup`` gives the connections
back.
"""

import functools

from oslo_serialization import jsonutils
from oslo_utils import importutils

from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.common import imports
import magnum_ng.conf

with imports.left_out('eventlet'):
    import oslo_messaging as messaging
    from oslo_messaging.rpc import dispatcher

profiler = importutils.try_import('osprofiler.profiler')

CONF = magnum_ng.conf.CONF

TRANSPORT = None
NOTIFICATION_TRANSPORT = None
NOTIFIER = None

#: Errors of these modules keep their class on the way to the caller.
ALLOWED_EXMODS = [exception.MagnumException.__module__]
EXTRA_EXMODS: list[str] = []


def init(conf):
    """Make the transports. Does not connect yet."""
    global TRANSPORT, NOTIFICATION_TRANSPORT, NOTIFIER
    exmods = get_allowed_exmods()
    TRANSPORT = messaging.get_rpc_transport(conf, allowed_remote_exmods=exmods)
    NOTIFICATION_TRANSPORT = messaging.get_notification_transport(
        conf, allowed_remote_exmods=exmods)
    NOTIFIER = messaging.Notifier(
        NOTIFICATION_TRANSPORT, serializer=RequestContextSerializer(JsonPayloadSerializer()),
        # A broker that is down must not hold up an operation for the sake of an announcement.
        retry=0)


def cleanup():
    global TRANSPORT, NOTIFICATION_TRANSPORT, NOTIFIER
    for transport in (TRANSPORT, NOTIFICATION_TRANSPORT):
        if transport is not None:
            transport.cleanup()
    TRANSPORT = NOTIFICATION_TRANSPORT = NOTIFIER = None
    _client.cache_clear()


def initialised():
    return TRANSPORT is not None


def set_defaults(control_exchange):
    messaging.set_transport_defaults(control_exchange)


def add_extra_exmods(*args):
    EXTRA_EXMODS.extend(args)


def clear_extra_exmods():
    del EXTRA_EXMODS[:]


def get_allowed_exmods():
    return ALLOWED_EXMODS + EXTRA_EXMODS


class JsonPayloadSerializer(messaging.NoOpSerializer):
    @staticmethod
    def serialize_entity(context, entity):
        return jsonutils.to_primitive(entity, convert_instances=True)


class RequestContextSerializer(messaging.Serializer):
    """Sends the request's context along; the rest is the base serialiser's work."""

    def __init__(self, base):
        self._base = base

    def serialize_entity(self, context, entity):
        return entity if self._base is None else self._base.serialize_entity(context, entity)

    def deserialize_entity(self, context, entity):
        return entity if self._base is None else self._base.deserialize_entity(context, entity)

    def serialize_context(self, context):
        return context if isinstance(context, dict) else context.to_dict()

    def deserialize_context(self, context):
        return magnum_context.RequestContext.from_dict(context)


class ProfilerContextSerializer(RequestContextSerializer):
    """Carries an osprofiler trace over to the other side."""

    def serialize_context(self, context):
        values = dict(super().serialize_context(context))
        trace = profiler.get()
        if trace:
            values['trace_info'] = {'hmac_key': trace.hmac_key,
                                    'base_id': trace.get_base_id(),
                                    'parent_id': trace.get_id()}
        return values

    def deserialize_context(self, context):
        trace = context.pop('trace_info', None)
        if trace:
            profiler.init(**trace)
        return super().deserialize_context(context)


def _context_serializer(base):
    return (ProfilerContextSerializer if profiler else RequestContextSerializer)(base)


@functools.lru_cache(maxsize=32)
def _client(transport, topic, server, version, timeout, serializer_class):
    target = messaging.Target(topic=topic, server=server, version=version)
    base = serializer_class() if serializer_class else None
    return messaging.get_rpc_client(transport, target, serializer=_context_serializer(base),
                                    timeout=timeout, retry=CONF.conductor.send_retries)


def get_client(topic, server=None, timeout=None, serializer_class=None, version=None):
    """The client of a topic; one per process and set of arguments."""
    return _client(_transport(), topic, server, version, timeout, serializer_class)


def response_timeout():
    """Seconds that a caller waits for an answer."""
    # The option exists once there is a client.
    get_client(CONF.conductor.topic)
    return CONF.rpc_response_timeout


def get_server(target, endpoints, serializer=None, executor='threading'):
    return messaging.get_rpc_server(
        _transport(), target, endpoints, executor=executor,
        serializer=_context_serializer(serializer),
        access_policy=dispatcher.DefaultRPCAccessPolicy)


def notifications_wanted():
    """Whether anything is configured that notifications could be sent with."""
    return NOTIFIER is not None and any(
        driver not in ('', 'noop') for driver in CONF.oslo_messaging_notifications.driver)


def get_notifier(service=None, host=None, publisher_id=None):
    """The notifier of a service, or None before ``init``."""
    if NOTIFIER is None:
        return None
    return NOTIFIER.prepare(publisher_id=publisher_id or f'{service}.{host or CONF.host}')


def _transport():
    if TRANSPORT is None:
        init(CONF)
    return TRANSPORT
