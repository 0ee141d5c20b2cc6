# SPDX-License-Identifier: Apache-2.0
"""What a conductor does again and again, each in a timer of its own."""

import functools
import threading
import time

from magnum_ng.common import log as logging
from magnum_ng.conductor import leases as leases_
from magnum_ng.conductor import reasons
from magnum_ng.conductor import sweeper
import magnum_ng.conf
from magnum_ng.servicegroup import magnum_service_periodic
from magnum_ng.servicegroup import ownership as ownership_
from magnum_ng.service import health
from magnum_ng.service import polling
from magnum_ng.service import status

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

#: Told of each run: its task, its seconds, and how many it began too late. See metrics.
observer = None


def one_at_a_time(function):
    """A tick that comes while the one before is still going on is left out."""
    @functools.wraps(function)
    def tick(self, *args, **kwargs):
        guard = self._guards.setdefault(function.__name__, threading.Lock())
        if not guard.acquire(blocking=False):
            LOG.debug('%s is still going on', function.__name__)
            return
        try:
            function(self, *args, **kwargs)
        finally:
            guard.release()

    return tick


class MagnumPeriodicTasks:
    """The polls. ``ctx`` is accepted and not used: polls are the service's own doing."""

    def __init__(self, conf, ownership=None, leases=None):
        self.conf = conf
        self._guards: dict[str, threading.Lock] = {}
        ownership = ownership or ownership_.Ownership()
        leases = leases or leases_.current()
        self._status = status.StatusPoll(leases, ownership, polling.PollPool(
            lambda: CONF.conductor.status_poll_threads, 'status'))
        self._health = health.HealthPoll(leases, ownership, polling.PollPool(
            lambda: CONF.conductor.health_poll_threads, 'health'))

    @one_at_a_time
    def sync_cluster_status(self, ctx=None):
        self._status.tick()

    @one_at_a_time
    def sync_cluster_health_status(self, ctx=None):
        self._health.tick()


class Timer:
    """Calls a function in a thread of its own, at once and then at an interval."""

    def __init__(self, name, interval, function):
        self.name = name
        self.interval = interval
        self.function = function
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self):
        self._thread.start()

    def stop(self):
        self._stopped.set()

    def _run(self):
        pause, due = 0.0, time.monotonic()
        while not self._stopped.wait(pause):
            begun = time.monotonic()
            late, due = max(0.0, begun - due), begun + self.interval
            try:
                self.function()
            except Exception as error:
                LOG.error('%(name)s has failed: %(error)s',
                          {'name': self.name, 'error': reasons.short(error)})
                LOG.debug('%s', reasons.traceback())
            seconds = time.monotonic() - begun
            if observer is not None:
                observer(self.name, seconds, late)
            pause = max(0.5, self.interval - seconds)


def timers(conf):
    """The timers of a conductor, heartbeat first. Not started yet."""
    ownership = ownership_.Ownership()
    beat = magnum_service_periodic.MagnumServicePeriodicTasks(conf, ownership_.BINARY)

    def heartbeat():
        beat.update_magnum_service()
        ownership.refresh()

    made = [Timer('heartbeat', ownership_.HEARTBEAT, heartbeat),
            # Without it, what is lost would stay in progress for ever.
            Timer('sweeper', sweeper.interval(), sweeper.Sweeper().sweep)]
    if not conf.periodic_enable:
        return made
    tasks = MagnumPeriodicTasks(conf, ownership)
    made.append(Timer('sync_cluster_status', conf.conductor.status_poll_interval,
                      tasks.sync_cluster_status))
    if conf.kubernetes.health_polling_interval >= 1:
        made.append(Timer('sync_cluster_health_status',
                          conf.kubernetes.health_polling_interval,
                          tasks.sync_cluster_health_status))
    return made
