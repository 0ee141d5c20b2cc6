# SPDX-License-Identifier: Apache-2.0
"""Who works when: operations of one cluster one after another, of many clusters side by side.

A conductor puts every operation that it has claimed into its dispatcher. An operation starts when
it is the first of its cluster among all conductors, the cluster's lock could be taken, and a
thread is free. A deletion goes before everything that has not started yet, which is dropped.
"""

import concurrent.futures
import dataclasses
import threading
import time

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.conductor import leases as leases_
from magnum_ng.conductor import operations
from magnum_ng.conductor import outcome
from magnum_ng.conductor import reasons
from magnum_ng.conductor import states
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import operations as records

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

#: Seconds between two looks at operations that have to wait for something elsewhere.
_PAUSE = (0.05, 1.0)


@dataclasses.dataclass
class Entry:
    """An operation of this process; ``message`` is what it can be handed back with."""

    uuid: str
    action: str
    cluster_uuid: str
    context: object
    message: tuple | None
    future: concurrent.futures.Future = dataclasses.field(
        default_factory=concurrent.futures.Future)


class Dispatcher:
    def __init__(self, leases=None, threads=None):
        self.leases = leases or leases_.current()
        self._slots = threads or CONF.conductor.operation_threads
        self._pool = concurrent.futures.ThreadPoolExecutor(
            self._slots, thread_name_prefix='operation')
        self._waiting: dict[str, list[Entry]] = {}
        self._running: dict[str, Entry] = {}
        self._changed = threading.Condition()
        self._news = False
        self._stopping = False
        self._thread: threading.Thread | None = None

    @property
    def owner(self):
        return self.leases.owner

    def submit(self, context, operation, message=None):
        """Queue a claimed operation. The future gives the outcome.

        :param message: (method, arguments) of the message that it came with, to send it again
        """
        entry = Entry(operation.uuid, operation.action, operation.cluster_uuid, context, message)
        with self._changed:
            if self._stopping:
                raise exception.ConductorUnavailable()
            self.leases.start()
            self.leases.add_operation(entry.uuid)
            self._waiting.setdefault(entry.cluster_uuid, []).append(entry)
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name='dispatcher',
                                                daemon=True)
                self._thread.start()
        self.wake()
        return entry.future

    def start(self, context, operation, cluster):
        """Carry out an operation that was accepted as running."""
        entry = Entry(operation.uuid, operation.action, operation.cluster_uuid, context, None)
        work = operations.begun(context, operation, cluster)
        with self._changed:
            self.leases.start()
            self.leases.add_operation(entry.uuid)
            self.leases.hold([entry.cluster_uuid])
            self._running[entry.cluster_uuid] = entry
        self._pool.submit(self._run, entry, work)
        return entry.future

    def wake(self):
        """Look again now: something has ended or come."""
        with self._changed:
            self._news = True
            self._changed.notify_all()

    def stop(self, timeout):
        """Start nothing more and wait for what is running.

        Returns (entries that have not started, entries that are still running after the time).
        """
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            waiting = [entry for entries in self._waiting.values() for entry in entries]
            self._waiting.clear()
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            with self._changed:
                if not self._running:
                    break
                self._changed.wait(min(0.2, max(0.0, deadline - time.monotonic())))
        with self._changed:
            left = list(self._running.values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        return waiting, left

    # The loop

    def _loop(self):
        pause = _PAUSE[0]
        while True:
            with self._changed:
                if not self._news and not self._stopping:
                    self._changed.wait(pause if self._waiting else None)
                if self._stopping:
                    return
                fresh, self._news = self._news, False
            try:
                moved = self._look()
            except Exception as error:
                LOG.error('Operations could not be dispatched: %s', reasons.short(error))
                moved = False
            pause = _PAUSE[0] if fresh or moved else min(pause * 2, _PAUSE[1])

    def _look(self):
        """Start or drop whatever can be. Returns whether anything was."""
        with self._changed:
            if len(self._running) >= self._slots:
                return False
            candidates = [uuid for uuid in self._waiting if uuid not in self._running]
        moved = False
        for start in range(0, len(candidates), 500):
            chunk = candidates[start:start + 500]
            for cluster_uuid, rows in records.turns(chunk).items():
                moved |= self._look_at(cluster_uuid, rows)
        return moved

    def _look_at(self, cluster_uuid, rows):
        with self._changed:
            entries = list(self._waiting.get(cluster_uuid, ()))
        by_uuid = {row[1]: row for row in rows}
        deletion = next((row for row in rows if row[2] == states.DELETE), None)
        moved = False
        for entry in entries:
            overtaken = (deletion is not None and deletion[4] and entry.uuid != deletion[1])
            if entry.uuid not in by_uuid or overtaken:
                self._drop(entry)
                moved = True
        # An unclaimed deletion holds up the others: it may still be undone.
        head = deletion or (rows[0] if rows else None)
        if head is None or (deletion is not None and not deletion[4]):
            return moved
        entry = next((entry for entry in entries if entry.uuid == head[1]), None)
        if entry is None or not self._start(entry):
            return moved
        return True

    def _drop(self, entry):
        LOG.info('%(action)s of cluster %(cluster)s is dropped: the cluster is being deleted, '
                 'or the operation has ended elsewhere',
                 {'action': entry.action, 'cluster': entry.cluster_uuid})
        outcome.drop(entry.uuid, self.owner)
        self._remove(entry)
        self.leases.drop_operation(entry.uuid)
        entry.future.set_exception(_dropped(entry))

    def _remove(self, entry):
        with self._changed:
            entries = self._waiting.get(entry.cluster_uuid, [])
            if entry in entries:
                entries.remove(entry)
            if not entries:
                self._waiting.pop(entry.cluster_uuid, None)

    def _start(self, entry):
        with self._changed:
            if self._stopping or len(self._running) >= self._slots:
                return False
        if not self.leases.lock(entry.cluster_uuid, records.FOR_OPERATION):
            return False
        with self._changed:
            if self._stopping:
                stopped = True
            else:
                stopped = False
                self._running[entry.cluster_uuid] = entry
        if stopped:
            self.leases.unlock([entry.cluster_uuid])
            return False
        self._remove(entry)
        self._pool.submit(self._run, entry)
        return True

    def _run(self, entry, work=None):
        result, error, again = None, None, False
        try:
            if work is None:
                work = operations.begin(entry.context, entry.uuid, self.owner,
                                        self.leases.seconds)
            if work is not None:
                result = operations.carry_out(work, entry.uuid, self.owner)
        except operations.NotItsTurn:
            again = True
        except operations.Lost:
            error = _dropped(entry)
        except BaseException as raised:
            error = raised
        self._end(entry, again, released=work is not None and work.recorded)
        if again:
            return
        if error is not None:
            entry.future.set_exception(error)
        else:
            entry.future.set_result(result)

    def _end(self, entry, again, released):
        """Make room for the next one. With the outcome, the lock has gone already."""
        self.leases.unhold([entry.cluster_uuid])
        if not again:
            self.leases.drop_operation(entry.uuid)
        if not released:
            try:
                self.leases.unlock([entry.cluster_uuid])
            except Exception as error:
                LOG.error('The lock of cluster %(cluster)s could not be given up: %(error)s',
                          {'cluster': entry.cluster_uuid, 'error': reasons.short(error)})
        with self._changed:
            self._running.pop(entry.cluster_uuid, None)
            if again and not self._stopping:
                self._waiting.setdefault(entry.cluster_uuid, []).append(entry)
            self._news |= not again
            self._changed.notify_all()


def _dropped(entry):
    return exception.OperationNotAllowed(operation=states.GUARDS[entry.action].doing,
                                         status=states.S.DELETE_IN_PROGRESS)


_current: Dispatcher | None = None
_closed = False
_making = threading.Lock()


class Closed(Exception):  # noqa: N818 (no error)
    """This process takes no more work."""


def current():
    """The dispatcher of this process.

    :raises Closed: it is about to end
    """
    global _current
    with _making:
        if _closed:
            raise Closed()
        if _current is None:
            _current = Dispatcher()
        return _current


def open():  # noqa: A001 (the opposite of close)
    """Take work (again)."""
    global _closed
    with _making:
        _closed = False


def close(timeout=0):
    """Take no more work. See :meth:`Dispatcher.stop` for the time and for what is returned."""
    global _current, _closed
    with _making:
        dispatcher, _current, _closed = _current, None, True
    return dispatcher.stop(timeout) if dispatcher is not None else ([], [])
