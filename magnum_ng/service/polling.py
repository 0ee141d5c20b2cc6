# SPDX-License-Identifier: Apache-2.0
"""Threads for polls: bounded, never two for one cluster, and none that holds up the others."""

import concurrent.futures
import threading
import time

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.conductor import driver_calls
from magnum_ng.conductor import reasons
from magnum_ng.db import api as db_api
from magnum_ng.drivers.common import driver as driver_base
from magnum_ng import objects

LOG = logging.getLogger(__name__)

#: Told of each poll: its kind and its seconds. See metrics.
observer = None

#: How many times the number of threads may hang before nothing more is begun.
CROWD = 4


class Drivers:
    """Driver classes of one tick: each kind of template is looked up once.

    Every poll gets an instance of its own.
    """

    def __init__(self):
        self._found: dict[tuple, object] = {}
        self._guard = threading.Lock()

    def of(self, cluster):
        try:
            template = cluster.cluster_template
        except exception.ClusterTemplateNotFound:
            return driver_calls.without_template()
        kind = (template.server_type, template.cluster_distro, template.coe, template.driver)
        with self._guard:
            if kind not in self._found:
                return self._first(kind, template)
            found = self._found[kind]
        if isinstance(found, Exception):
            raise found
        return found()

    def _first(self, kind, template):
        try:
            driver = driver_base.resolve(template, existing=True)
        except Exception as error:
            self._found[kind] = error
            raise
        self._found[kind] = type(driver)
        return driver


class PollPool:
    """Runs polls of clusters and remembers those that do not come back."""

    def __init__(self, threads, name):
        self._threads = threads
        self._name = name
        self._guard = threading.Lock()
        self._busy: set[str] = set()
        #: Seconds that a poll without news takes, to judge how many fit into a round.
        self.pace = 0.05

    @property
    def threads(self):
        return self._threads()

    def busy(self):
        """Clusters with a poll that is still going on."""
        with self._guard:
            return set(self._busy)

    def run(self, jobs, timeout, done=lambda uuid: None):
        """Run {cluster uuid: function}, each for at most ``timeout`` seconds.

        A function that returns true has had news, and has taken its time to write it.

        :param done: called with the uuid when a poll has ended, however late
        :returns: the uuids of polls that have not ended in time
        """
        if not jobs:
            return set()
        started: dict[str, float] = {}
        room = CROWD * self.threads - len(self.busy())
        if room <= 0:
            LOG.error('%(count)d polls (%(name)s) do not come back; no more are begun',
                      {'count': len(self.busy()), 'name': self._name})
            return set()
        size = min(self.threads, len(jobs), room)
        pool = concurrent.futures.ThreadPoolExecutor(size, thread_name_prefix=self._name)

        def work(uuid, function):
            started[uuid] = time.monotonic()
            news = False
            try:
                news = function()
            except Exception as error:
                LOG.error('The poll of cluster %(uuid)s has failed: %(error)s',
                          {'uuid': uuid, 'error': reasons.short(error)})
                LOG.debug('%s', reasons.traceback())
            finally:
                seconds = time.monotonic() - started[uuid]
                with self._guard:
                    self._busy.discard(uuid)
                    if not news:
                        # A moving average: one slow cluster changes little.
                        self.pace += (seconds - self.pace) / 16
                if observer is not None:
                    observer(self._name, seconds)
                done(uuid)

        with self._guard:
            self._busy.update(jobs)
        futures = {pool.submit(work, uuid, function): uuid for uuid, function in jobs.items()}
        late = self._wait(futures, started, timeout, size)
        # Threads that hang stay behind; each has its cluster marked as busy.
        pool.shutdown(wait=False, cancel_futures=True)
        return late

    def _wait(self, futures, started, timeout, size):
        """Wait until all have ended, or no thread is left that could still begin one."""
        pending = set(futures)
        while pending:
            _ended, pending = concurrent.futures.wait(pending, 0.5)
            now = time.monotonic()
            hanging = [future for future in pending
                       if now - started.get(futures[future], now) > timeout]
            if pending and (len(hanging) == len(pending)
                            or len(hanging) >= size):
                break
        for future in pending:
            if future.cancel():
                with self._guard:
                    self._busy.discard(futures[future])
        return {futures[future] for future in pending if not future.cancelled()}


def load(context, row, template):
    """A cluster object of a row, with its template, for a poll."""
    cluster = objects.Cluster._from_db_object(objects.Cluster(context), row)
    if template is not None:
        cluster.cluster_template = template
        cluster.obj_reset_changes(['cluster_template'])
    cluster.expect_status = cluster.status
    cluster.expect_idle = True
    return cluster


class Templates:
    """Template objects of one tick, one for each row."""

    def __init__(self, context):
        self._context = context
        self._found: dict[str, object] = {}

    def of(self, row):
        if row is None:
            return None
        if row.uuid not in self._found:
            self._found[row.uuid] = objects.ClusterTemplate._from_db_object(
                objects.ClusterTemplate(self._context), row)
        return self._found[row.uuid]


class TemplateRows:
    """Rows of templates by uuid, kept for a minute: what clusters use of them hardly changes."""

    SECONDS = 60

    def __init__(self):
        self._kept: dict[str, object] = {}
        self._until = 0.0

    def get(self, uuids):
        now = time.monotonic()
        if now > self._until:
            self._kept, self._until = {}, now + self.SECONDS
        missing = set(uuids) - set(self._kept) - {None}
        if missing:
            found = db_api.get_instance().get_cluster_templates_by_uuids(sorted(missing))
            self._kept.update({uuid: found.get(uuid) for uuid in missing})
        return self._kept
