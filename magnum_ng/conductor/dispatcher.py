# SPDX-License-Identifier: Apache-2.0
"""Who works when: operations of one cluster one after another, of many clusters side by side.

A conductor puts every operation that it has claimed into its dispatcher. An operation starts when
it is the first of its cluster among all conductors, the cluster's lock could be taken, and a
thread is free. A deletion goes before everything that has not started yet, which is dropped.

A driver that does not come back is given up after ``[conductor] operation_timeout``: the
operation fails, the cluster is free for others, and the thread is left to itself. At most as many
threads are left as there are threads for operations.
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
#: Seconds between two looks at drivers that take long.
_WATCH = 5.0
#: Seconds after which a driver that is still at work is mentioned in the log, again and again.
_LONG = 300

OVERDUE = ('The driver has not finished within %d seconds. What it was doing may still go on or '
           'be done.')


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
    #: When it was started, and when its age is to be mentioned next.
    begun: float = 0.0
    mention: float = _LONG
    #: Nobody waits for its driver any more.
    given_up: bool = False


class Dispatcher:
    def __init__(self, leases=None, threads=None):
        self.leases = leases or leases_.current()
        self._slots = threads or CONF.conductor.operation_threads
        self._pool = concurrent.futures.ThreadPoolExecutor(
            2 * self._slots, thread_name_prefix='operation')
        self._lost_threads = 0
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
            self._start_loop()
        self.wake()
        return entry.future

    def _start_loop(self):
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name='dispatcher', daemon=True)
            self._thread.start()

    def start(self, context, operation, cluster):
        """Carry out an operation that was accepted as running."""
        entry = Entry(operation.uuid, operation.action, operation.cluster_uuid, context, None)
        work = operations.begun(context, operation, cluster)
        with self._changed:
            self.leases.start()
            self.leases.add_operation(entry.uuid)
            self.leases.hold([entry.cluster_uuid])
            entry.begun = time.monotonic()
            self._running[entry.cluster_uuid] = entry
            self._start_loop()
        self._pool.submit(self._run, entry, work)
        self.wake()
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
                    self._changed.wait(pause if self._waiting else
                                       _WATCH if self._running else None)
                if self._stopping:
                    return
                fresh, self._news = self._news, False
            try:
                self._watch()
                moved = self._look()
            except Exception as error:
                LOG.error('Operations could not be dispatched: %s', reasons.short(error))
                moved = False
            pause = _PAUSE[0] if fresh or moved else min(pause * 2, _PAUSE[1])

    def _look(self):
        """Start or drop whatever can be. Returns whether anything was."""
        with self._changed:
            if self._is_full():
                return False
            # Before the rows are read: what comes in the meantime is none of those that are gone.
            candidates = {uuid: list(entries) for uuid, entries in self._waiting.items()
                          if uuid not in self._running}
        moved = False
        uuids = list(candidates)
        for start in range(0, len(uuids), 500):
            for cluster_uuid, rows in records.turns(uuids[start:start + 500]).items():
                moved |= self._look_at(candidates[cluster_uuid], rows)
        return moved

    def _look_at(self, entries, rows):
        by_uuid = {row[1]: row for row in rows}
        deletion = next((row for row in rows if row[2] == states.DELETE), None)
        moved = False
        for entry in entries:
            overtaken = (deletion is not None and deletion[4] and entry.uuid != deletion[1])
            if entry.uuid not in by_uuid or overtaken:
                moved |= self._drop(entry)
        # An unclaimed deletion holds up the others: it may still be undone.
        head = deletion or (rows[0] if rows else None)
        if head is None or (deletion is not None and not deletion[4]):
            return moved
        entry = next((entry for entry in entries if entry.uuid == head[1]), None)
        if entry is None or not self._start(entry):
            return moved
        return True

    def _drop(self, entry):
        if not outcome.drop(entry.uuid, entry.cluster_uuid, self.owner):
            return False
        LOG.info('%(action)s of cluster %(cluster)s is dropped: the cluster is being deleted, '
                 'or the operation has ended elsewhere',
                 {'action': entry.action, 'cluster': entry.cluster_uuid})
        self._remove(entry)
        self.leases.drop_operation(entry.uuid)
        entry.future.set_exception(_dropped(entry))
        return True

    def _remove(self, entry):
        with self._changed:
            entries = self._waiting.get(entry.cluster_uuid, [])
            if entry in entries:
                entries.remove(entry)
            if not entries:
                self._waiting.pop(entry.cluster_uuid, None)

    def _start(self, entry):
        with self._changed:
            if self._stopping or self._is_full():
                return False
        if not self.leases.lock(entry.cluster_uuid, records.FOR_OPERATION):
            return False
        with self._changed:
            if self._stopping:
                stopped = True
            else:
                stopped = False
                entry.begun = time.monotonic()
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
                work = operations.begin(entry.context, entry.uuid, entry.cluster_uuid,
                                        self.owner, self.leases.seconds)
            if work is not None:
                result = operations.carry_out(work, entry.uuid, self.owner)
        except operations.NotItsTurn:
            again = True
        except operations.Lost:
            error = _dropped(entry)
        except BaseException as raised:
            error = raised
        if not self._end(entry, again, released=work is not None and work.recorded) or again:
            return
        if error is not None:
            entry.future.set_exception(error)
        else:
            entry.future.set_result(result)

    # Drivers that take long

    def _is_full(self):
        return len(self._running) + max(0, self._lost_threads - self._slots) >= self._slots

    def _watch(self):
        """Mention drivers that take long; give up those that take too long."""
        now, limit = time.monotonic(), CONF.conductor.operation_timeout
        with self._changed:
            running = list(self._running.values())
        for entry in running:
            age = now - entry.begun
            if limit and age > limit:
                self._give_up(entry, limit)
            elif age > entry.mention:
                entry.mention = age + _LONG
                LOG.warning('%(action)s of cluster %(cluster)s has kept its driver busy for '
                            '%(age)d seconds', {'action': entry.action, 'age': age,
                                                'cluster': entry.cluster_uuid})

    def _give_up(self, entry, limit):
        reason = OVERDUE % limit
        with self._changed:
            if self._running.get(entry.cluster_uuid) is not entry:
                return
            entry.given_up = True
        try:
            # Here and not by the thread, which has no say any more once this is recorded.
            outcome.fail(entry.uuid, entry.cluster_uuid, self.owner, reason)
        except Exception as error:
            with self._changed:
                entry.given_up = False
            LOG.error('%(action)s of cluster %(cluster)s could not be given up: %(error)s',
                      {'action': entry.action, 'cluster': entry.cluster_uuid,
                       'error': reasons.short(error)})
            return
        LOG.error('%(action)s of cluster %(cluster)s is given up: %(reason)s',
                  {'action': entry.action, 'cluster': entry.cluster_uuid, 'reason': reason})
        self.leases.unhold([entry.cluster_uuid])
        self.leases.drop_operation(entry.uuid)
        with self._changed:
            del self._running[entry.cluster_uuid]
            self._lost_threads += 1
            self._news = True
            self._changed.notify_all()
        entry.future.set_exception(exception.MagnumException(reason))

    def _end(self, entry, again, released):
        """Make room for the next one. With the outcome, the lock has gone already.

        Returns whether anybody still cares.
        """
        with self._changed:
            while entry.given_up and self._running.get(entry.cluster_uuid) is entry:
                # It is being given up just now.
                self._changed.wait(1)
            if entry.given_up:
                self._lost_threads -= 1
                self._changed.notify_all()
                return False
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
            if self._running.get(entry.cluster_uuid) is entry:
                del self._running[entry.cluster_uuid]
            if again and not self._stopping:
                self._waiting.setdefault(entry.cluster_uuid, []).append(entry)
            self._news |= not again
            self._changed.notify_all()
        return True


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
