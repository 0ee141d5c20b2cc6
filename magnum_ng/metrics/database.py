# SPDX-License-Identifier: Apache-2.0
"""What is in the database, read when somebody asks; and how much of its pool is in use."""

from oslo_utils import timeutils
from prometheus_client import core
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy import pool as sa_pool

from magnum_ng.common import log as logging
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import ng_models
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.objects import fields

LOG = logging.getLogger(__name__)


def _statement():
    cluster, operation = models.Cluster, ng_models.Operation
    nothing = sa.cast(sa.null(), sa.DateTime())
    return sa.union_all(
        sa.select(sa.literal('cluster').label('kind'), cluster.status.label('name'),
                  sa.literal('').label('state'), sa.func.count().label('number'),
                  nothing.label('since')).group_by(cluster.status),
        sa.select(sa.literal('operation'), operation.action, operation.state, sa.func.count(),
                  sa.func.min(operation.created_at))
        .group_by(operation.action, operation.state))


class Collector:
    """Clusters and operations, with one statement for each scrape."""

    def collect(self):
        up = core.GaugeMetricFamily('magnum_database_up', 'Whether the database has answered.')
        try:
            with db_session.reader() as session:
                rows = session.execute(_statement()).all()
        except Exception as error:
            LOG.warning('The database cannot be read for metrics: %s', type(error).__name__)
            up.add_metric([], 0)
            return [up]
        up.add_metric([], 1)
        return [up, *self._families(rows)]

    @staticmethod
    def _families(rows):
        clusters = core.GaugeMetricFamily(
            'magnum_clusters', 'Clusters by status.', labels=['status'])
        number = core.GaugeMetricFamily(
            'magnum_operations', 'Operations that have not ended.', labels=['action', 'state'])
        age = core.GaugeMetricFamily(
            'magnum_operation_age_seconds', 'Age of the oldest of these operations.',
            labels=['action', 'state'])
        by_status = dict.fromkeys(fields.ClusterStatus.ALL, 0)
        now = timeutils.utcnow()
        for row in rows:
            if row.kind == 'cluster':
                by_status[row.name or 'none'] = row.number
                continue
            labels = [row.name, row.state]
            number.add_metric(labels, row.number)
            if row.since is not None:
                age.add_metric(labels, max(0.0, (now - row.since).total_seconds()))
        for status, count in sorted(by_status.items()):
            clusters.add_metric([status], count)
        return clusters, number, age


def measure_pool(engine, in_use, limit):
    """Follow the connections of an engine of this process; returns what ends that."""
    pool = engine.pool
    limit.set(pool.size() + max(0, pool._max_overflow)
              if isinstance(pool, sa_pool.QueuePool) else 1)
    in_use.set(0)
    # The engine's events follow its pool when that is made anew.
    listeners = (('checkout', lambda *ignored: in_use.inc()),
                 ('checkin', lambda *ignored: in_use.dec()))
    for name, listener in listeners:
        event.listen(engine, name, listener)

    def stop():
        for name, listener in listeners:
            event.remove(engine, name, listener)

    return stop
