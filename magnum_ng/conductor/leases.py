# SPDX-License-Identifier: Apache-2.0
"""What this process works on, and the thread that keeps saying so.

Operations and cluster locks carry an owner and a time at which they expire. While the process
lives, one thread renews them all, in at most two statements; when it dies, another conductor
finds them expired.
"""

import os
import threading
import time
import uuid

from magnum_ng.common import log as logging
from magnum_ng.common import service
from magnum_ng.conductor import reasons
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import operations

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF


class Leases:
    """The operations and locks of one owner."""

    def __init__(self, owner=None):
        self.owner = owner or _new_owner()
        self._operations: dict[str, float] = {}
        self._locks: dict[str, float] = {}
        self._guard = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def seconds(self):
        return CONF.conductor.operation_lease

    def start(self):
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._beat, name='leases', daemon=True)
                self._thread.start()

    def stop(self):
        self._stopped.set()

    def add_operation(self, operation_uuid):
        with self._guard:
            self._operations[operation_uuid] = time.monotonic()

    def drop_operation(self, operation_uuid):
        with self._guard:
            self._operations.pop(operation_uuid, None)

    # Locks

    def lock(self, cluster_uuid, purpose):
        """Take the lock of a cluster, unless somebody has it."""
        self.start()
        if not operations.take_lock(cluster_uuid, self.owner, purpose, self.seconds):
            return False
        self.hold([cluster_uuid])
        return True

    def lock_many(self, cluster_uuids, purpose):
        """Take the locks of clusters that seemed free; returns those that were."""
        self.start()
        taken = operations.take_locks(cluster_uuids, self.owner, purpose, self.seconds)
        self.hold(taken)
        return taken

    def hold(self, cluster_uuids):
        now = time.monotonic()
        with self._guard:
            self._locks.update(dict.fromkeys(cluster_uuids, now))

    def unhold(self, cluster_uuids):
        """Renew no more: the locks are gone, or are to go."""
        with self._guard:
            for cluster_uuid in cluster_uuids:
                self._locks.pop(cluster_uuid, None)

    def unlock(self, cluster_uuids):
        self.unhold(cluster_uuids)
        operations.release_locks(cluster_uuids, self.owner)

    # The thread

    def _beat(self):
        while not self._stopped.wait(self.seconds / 3):
            try:
                self.renew()
            except Exception as error:
                LOG.error('Leases could not be renewed: %s', reasons.short(error))

    def renew(self):
        self._forget_overdue()
        with self._guard:
            mine, locks = list(self._operations), list(self._locks)
        if mine or locks:
            operations.renew(self.owner, mine, locks, self.seconds)

    def _forget_overdue(self):
        """Let the locks go of whoever has had them for too long: a poll that hangs."""
        limit = CONF.conductor.operation_timeout
        if not limit:
            return
        oldest = time.monotonic() - limit - self.seconds
        with self._guard:
            overdue = [uuid for uuid, since in self._locks.items() if since < oldest]
            for cluster_uuid in overdue:
                del self._locks[cluster_uuid]
        if overdue:
            LOG.error('The drivers of clusters %(clusters)s have not answered for %(seconds)d '
                      'seconds; nobody waits for them any more',
                      {'clusters': overdue[:20], 'seconds': limit})


def _new_owner():
    return f'{service.host()[:80]}:{os.getpid()}:{uuid.uuid4().hex[:12]}'


_current: Leases | None = None
_making = threading.Lock()


def current():
    """The leases of this process."""
    global _current
    with _making:
        if _current is None:
            _current = Leases()
        return _current


def forget():
    """Stop the thread; the next user gets a new owner. For a forked process, and for tests."""
    global _current
    with _making:
        if _current is not None:
            _current.stop()
        _current = None
