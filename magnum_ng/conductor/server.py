# SPDX-License-Identifier: Apache-2.0
"""One process of the conductor: the RPC server, its operations, and periodic tasks in one of them."""

import threading

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
from magnum_ng.conductor import leases
from magnum_ng.conductor import outcome
from magnum_ng.conductor import reasons
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import operations as records
from magnum_ng.objects import base as objects_base
from magnum_ng.service import periodic

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

#: Seconds of the graceful shutdown that are kept for recording what was left undone.
RESERVE = 4

STOPPED = ('The conductor that was carrying out the request was stopped before the driver had '
           'answered. Please try again.')


def endpoints():
    return [indirection_api.Handler(), cluster_conductor.Handler(), conductor_listener.Handler(),
            credential_conductor.Handler(), ca_conductor.Handler(),
            federation_conductor.Handler(), nodegroup_conductor.Handler()]


class ConductorService(rpc_service.Service):
    def __init__(self, name, periodic=False):
        super().__init__(CONF.conductor.topic, name, endpoints(), 'magnum-conductor')
        self.periodic = periodic
        self._timers = []
        self._stopped = threading.Event()

    def start(self):
        if not rpc.initialised():
            rpc.init(CONF)
        super().start()
        if self.periodic:
            self._timers = periodic.timers(CONF)
            for timer in self._timers:
                timer.start()

    def stop(self, graceful=False):
        """Take no more messages, hand back what has not begun, wait a while for what has."""
        for timer in self._timers:
            timer.stop()
        if self._server is not None:
            self._server.stop()
        patience = max(1, (CONF.graceful_shutdown_timeout or 60) - RESERVE)
        owner = leases.current().owner
        waiting, running = dispatcher.forget(patience)
        try:
            hand_back(waiting, owner)
            for entry in running:
                outcome.fail(entry.uuid, owner, STOPPED)
        except Exception as error:
            # Their leases expire, and another conductor finds them.
            LOG.error('Unfinished operations could not be recorded: %s', reasons.short(error))
        leases.forget()
        rpc.cleanup()
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
    client = rpc.get_client(CONF.conductor.topic,
                            serializer_class=objects_base.MagnumObjectSerializer)
    for entry in again:
        method, arguments = entry.message
        client.cast(entry.context, method, **arguments)
    LOG.info('%d operations were handed back', len(again))
