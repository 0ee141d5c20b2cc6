# SPDX-License-Identifier: Apache-2.0
"""From a message to an operation at work.

A message of our API names the operation that it has recorded (``context.operation``); the
conductor claims it. A message of an original API names none: then the conductor accepts the
operation itself, and answers as the original does.
"""

import concurrent.futures

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common import rpc
from magnum_ng.conductor import dispatcher
from magnum_ng.conductor import notifications
from magnum_ng.conductor import reasons
from magnum_ng.conductor import states
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import operations as records
from magnum_ng.objects import base as objects_base

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF


def take(context, action, accept, cluster, message, wait=False):
    """Put the operation of a message to work.

    :param accept: called with the owner when nobody has accepted the operation yet
    :param message: (method, arguments) to send it on with, if this process has to stop
    :param wait: whether the caller of a recorded operation waits for its outcome
    :returns: the object as the operation has left it; None when there was nothing to do
    """
    try:
        work = dispatcher.current()
    except dispatcher.Closed:
        LOG.info('%(action)s of cluster %(cluster)s is left to another conductor',
                 {'action': action, 'cluster': cluster.uuid})
        send_on(context, message)
        return None
    if context.operation:
        operation = records.claim(context.operation, work.owner, work.leases.seconds)
        if operation is None:
            LOG.info('Operation %(operation)s on cluster %(cluster)s has been taken back or '
                     'carried out already',
                     {'operation': context.operation, 'cluster': cluster.uuid})
            return None
        try:
            future = work.submit(context, operation, message)
        except exception.ConductorUnavailable:
            # It has begun to stop just now.
            records.hand_back([operation.uuid], work.owner,
                              CONF.conductor.operation_claim_timeout)
            send_on(context, message)
            return None
        return _result(future) if wait else None
    operation = _accept(context, action, accept, cluster, work.owner)
    if operation is None:
        return None
    if operation.state == records.RUNNING:
        return _result(work.start(context, operation, cluster))
    return _result(work.submit(context, operation))


def send_on(context, message):
    """Send a message again, for another conductor to take it."""
    client = rpc.get_client(CONF.conductor.topic,
                            serializer_class=objects_base.MagnumObjectSerializer)
    method, arguments = message
    client.cast(context, method, **arguments)


def _accept(context, action, accept, cluster, owner):
    try:
        return accept(owner)
    except exception.OperationNotAllowed as error:
        if action in states.NOTIFIED:
            notifications.notify_about_cluster_operation(
                context, states.NOTIFIED[action], 'failure', cluster)
        # An original API knows the class only under this name.
        raise exception.NotSupported(error.message) from error


def _result(future):
    # Longer than the caller waits, nobody needs the thread that waits here.
    concurrent.futures.wait([future], rpc.response_timeout())
    if not future.done():
        return None
    try:
        return future.result()
    except exception.MagnumException as error:
        if type(error).__module__ == exception.MagnumException.__module__:
            raise
        raise exception.MagnumException(reasons.of(error), code=error.code) from error
    except Exception as error:
        # A class that the other side does not know would not tell it anything.
        raise exception.MagnumException(reasons.of(error)) from error
