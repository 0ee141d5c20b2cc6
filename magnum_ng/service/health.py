# SPDX-License-Identifier: Apache-2.0
"""The health poll: ask the drivers' monitors how the clusters are.

What cannot be known is UNKNOWN, with the reason; a monitor that hangs holds up nobody.
"""

import functools
import threading

from magnum_ng.common import context as magnum_context
from magnum_ng.common import log as logging
from magnum_ng.conductor import reasons
from magnum_ng.conductor import states
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.drivers.common import driver as driver_base
from magnum_ng.objects import fields
from magnum_ng.service import polling

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF
H = fields.ClusterHealthStatus

#: Clusters that are read and asked about at a time.
PAGE = 200
#: Longest time that one monitor gets, in requests of [kubernetes]monitor_timeout.
REQUESTS = 4


class HealthPoll:
    def __init__(self, leases, ownership, pool):
        self.leases = leases
        self.ownership = ownership
        self.pool = pool

    def tick(self):
        context = magnum_context.make_admin_context(all_tenants=True)
        drivers, templates = polling.Drivers(), polling.Templates(context)
        statuses, after = sorted(states.HEALTH_POLLED), 0
        while True:
            rows = operations.to_monitor(statuses, after, PAGE)
            if not rows:
                return
            after = rows[-1][0].id
            self._page(context, rows, drivers, templates)

    def _page(self, context, rows, drivers, templates):
        by_uuid = {row[0].uuid: row for row in rows}
        busy = self.pool.busy()
        clusters = {
            uuid: polling.load(context, by_uuid[uuid][0], templates.of(by_uuid[uuid][1]))
            for uuid in self.ownership.mine(by_uuid) if uuid not in busy}
        timeout = CONF.kubernetes.monitor_timeout * REQUESTS
        monitors = self._monitors(context, clusters, drivers, timeout)
        checks = {uuid: Check(clusters[uuid], monitor) for uuid, monitor in monitors.items()}
        for uuid in self.pool.run({uuid: check.run for uuid, check in checks.items()}, timeout):
            checks[uuid].give_up(timeout)

    def _monitors(self, context, clusters, drivers, timeout):
        """{uuid: monitor}; to ask a driver for one takes the cluster's lock, like any call."""
        with_monitor = {}
        for uuid, cluster in clusters.items():
            try:
                driver = drivers.of(cluster)
            except Exception as error:
                write(cluster, H.UNKNOWN, {'api': reasons.of(error)})
                continue
            if driver_base.implements(driver, 'get_monitor'):
                with_monitor[uuid] = driver
        locked = self.leases.lock_many(list(with_monitor), operations.FOR_POLL)
        monitors: dict = {}
        jobs = {uuid: functools.partial(
                    _get_monitor, with_monitor[uuid], context, clusters[uuid], monitors)
                for uuid in with_monitor if uuid in locked}
        try:
            self.pool.run(jobs, timeout)
        finally:
            self.leases.unlock(locked)
        return monitors


def _get_monitor(driver, context, cluster, monitors):
    try:
        monitor = driver.get_monitor(context, cluster)
    except Exception as error:
        write(cluster, H.UNKNOWN, {'api': reasons.of(error)})
        return
    if monitor is not None:
        monitors[cluster.uuid] = monitor


class Check:
    """One look at one cluster. Its result counts only while somebody waits for it."""

    def __init__(self, cluster, monitor):
        self.cluster = cluster
        self.monitor = monitor
        self._guard = threading.Lock()
        self._over = False

    def run(self):
        try:
            self.monitor.poll_health_status()
            status = self.monitor.data.get('health_status')
            reason = self.monitor.data.get('health_status_reason')
        except Exception as error:
            LOG.warning('The health of cluster %(uuid)s is unknown: %(error)s',
                        {'uuid': self.cluster.uuid, 'error': reasons.of(error)})
            status, reason = H.UNKNOWN, {'api': reasons.of(error)}
        with self._guard:
            late, self._over = self._over, True
        if status and not late:
            write(self.cluster, status, reason)

    def give_up(self, seconds):
        with self._guard:
            late, self._over = self._over, True
        if not late:
            write(self.cluster, H.UNKNOWN, {'api': f'No answer within {seconds:g} seconds.'})


def write(cluster, status, reason):
    """Store the health if it has changed."""
    # What a driver's monitor says is not ours: it is masked and bounded like any other reason.
    reason = {str(key): str(value) if isinstance(value, bool) else reasons.of(str(value))
              for key, value in (reason or {}).items()}
    if (status, reason) != (cluster.health_status, dict(cluster.health_status_reason or {})):
        operations.set_columns(cluster.uuid, {
            'health_status': status, 'health_status_reason': reason})
