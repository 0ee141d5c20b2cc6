# SPDX-License-Identifier: Apache-2.0
"""One process of the conductor: the RPC server, its operations, and periodic tasks in one."""

import functools
import threading
import time

import oslo_messaging as messaging
from oslo_messaging.rpc import dispatcher as rpc_dispatcher

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common import rpc
from magnum_ng.common import rpc_service
from magnum_ng.conductor import dispatcher
from magnum_ng.conductor.handlers import ca_conductor
from magnum_ng.conductor.handlers import cluster_conductor
from magnum_ng.conductor.handlers import conductor_listener
from magnum_ng.conductor.handlers import credential_conductor
from magnum_ng.conductor.handlers import federation_conductor
from magnum_ng.conductor.handlers import indirection_api
from magnum_ng.conductor.handlers import nodegroup_conductor
from magnum_ng.conductor import intake
from magnum_ng.conductor import leases
from magnum_ng.conductor import outcome
from magnum_ng.conductor import reasons
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import operations as records
from magnum_ng import metrics
from magnum_ng.service import periodic

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

#: Seconds of the graceful shutdown that are kept for recording what was left undone.
RESERVE = 4

STOPPED = ('The conductor that was carrying out the request was stopped before the driver had '
           'answered. Please try again.')


def endpoints():
    return [Endpoint(module.Handler()) for module in (
        indirection_api, cluster_conductor, conductor_listener, credential_conductor,
        ca_conductor, federation_conductor, nodegroup_conductor)]


class Endpoint:
    """A handler as others reach it: every error is an answer that the other side can read.

    Errors of our own travel as they are, without a traceback in the log; any other becomes one
    of ours, or its class and arguments might not survive the journey.
    """

    def __init__(self, handler):
        for name in dir(handler):
            method = getattr(handler, name)
            if not name.startswith('_') and callable(method):
                setattr(self, name, self._answering(metrics.wrap_rpc_method(name, method)))

    @staticmethod
    def _answering(method):
        @functools.wraps(method)
        def answer(*args, **kwargs):
            try:
                return method(*args, **kwargs)
            except (messaging.ExpectedException, rpc_dispatcher.RPCDispatcherError):
                raise
            except exception.MagnumException as error:
                known = _for_the_original(error) if _is_from_the_original(args) else error
                return _raise(known, error)
            except Exception as error:
                LOG.error('%(method)s has failed: %(name)s: %(error)s',
                          {'method': method.__name__, 'name': type(error).__name__,
                           'error': reasons.short(error)})
                LOG.debug('%s', reasons.traceback())
                return _raise(exception.MagnumException(reasons.short(error)), error)

        return answer


def _raise(known, error):
    try:
        raise known from (None if known is error else error)
    except exception.MagnumException as raised:
        raise messaging.ExpectedException() from raised


def _is_from_the_original(args):
    """Our API names the operation that it has recorded; see intake."""
    return not (args and getattr(args[0], 'operation', None))


def _for_the_original(error):
    """The error as an API of the original can read it: of the nearest class that it knows."""
    if type(error) not in _OURS:
        return error
    known = next(cls for cls in type(error).__mro__ if cls not in _OURS)
    code = known.code if known is exception.NotSupported else error.code
    return known(error.message, code=code)


#: Error classes that the original does not have. It takes their names for an accident: a 500.
_OURS = frozenset({
    exception.OperationNotAllowed, exception.ConductorUnavailable, exception.ForeignConductor,
    exception.BackendError, exception.BackendUnavailable, exception.BackendTimeout,
    exception.BackendForbidden, exception.IdentityUnavailable})


class ConductorService(rpc_service.Service):
    def __init__(self, name, periodic=False):
        super().__init__(CONF.conductor.topic, name, endpoints(), 'magnum-conductor')
        self.periodic = periodic
        self._timers = []
        self._stopped = threading.Event()

    def start(self):
        if not rpc.initialised():
            rpc.init(CONF)
        dispatcher.open()
        super().start()
        if self.periodic:
            self._timers = periodic.timers(CONF)
            for timer in self._timers:
                timer.start()

    def stop(self, graceful=False):
        """Take no more messages, hand back what has not begun, wait a while for what has."""
        deadline = time.monotonic() + (CONF.graceful_shutdown_timeout or 60) - RESERVE
        for timer in self._timers:
            timer.stop()
        if self._server is not None:
            self._server.stop()
        owner = leases.current().owner
        waiting, running = dispatcher.close(max(0.5, deadline - time.monotonic()))
        try:
            hand_back(waiting, owner)
            # What an original API has asked for cannot be sent again: nobody would know that it
            # is accepted already.
            for entry in [*running, *(entry for entry in waiting if entry.message is None)]:
                outcome.fail(entry.uuid, entry.cluster_uuid, owner, STOPPED)
        except Exception as error:
            # Their leases expire, and another conductor finds them.
            LOG.error('Unfinished operations could not be recorded: %s', reasons.short(error))
        leases.forget()
        self._stopped.set()

    def wait(self):
        self._stopped.wait()


def hand_back(entries, owner):
    """Send the messages of operations that have not begun again, for another conductor."""
    again = [entry for entry in entries if entry.message is not None]
    if not again:
        return
    records.hand_back([entry.uuid for entry in again], owner,
                      CONF.conductor.operation_claim_timeout)
    for entry in again:
        intake.send_on(entry.context, entry.message)
    LOG.info('%d operations were handed back', len(again))
