# SPDX-License-Identifier: Apache-2.0
"""The status poll: ask the drivers what has become of clusters that are in progress.

One tick looks at all clusters that are this conductor's to look after, in bounded rounds: their
rows and templates are read with one statement, their locks are taken and given back with one
each. What costs more is what has changed.
"""

import datetime
import functools

from oslo_utils import timeutils
import sqlalchemy as sa

from magnum_ng.common import context as magnum_context
from magnum_ng.common import log as logging
from magnum_ng.conductor import notifications
from magnum_ng.conductor import reasons
from magnum_ng.conductor import removal
from magnum_ng.conductor import states
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng import objects
from magnum_ng.service import polling

LOG = logging.getLogger(__name__)
S = states.S

#: Seconds that the polls of one round should take: that long an operation may have to wait.
ROUND = 3.0
#: Seconds after which a poll is left to itself, and the others go on without it.
PATIENCE = 15

#: For so long a creation that was given up is asked about as before, and then less often.
LATELY = datetime.timedelta(hours=1)

#: What is kept in ``status_reason`` while the driver cannot be asked.
TROUBLE = 'The status could not be determined: '

#: Clusters that have failed, but something of them is still going on.
_ASKED_AS = {S.CREATE_FAILED: S.CREATE_IN_PROGRESS, S.UPDATE_FAILED: S.UPDATE_IN_PROGRESS}

POLLED = sorted(states.IN_PROGRESS) + [S.DELETE_COMPLETE]

STATUS_TO_ACTION = {
    S.CREATE_COMPLETE: 'create', S.CREATE_FAILED: 'create',
    S.UPDATE_COMPLETE: 'update', S.UPDATE_FAILED: 'update',
    S.ROLLBACK_COMPLETE: 'update', S.ROLLBACK_FAILED: 'update',
    S.DELETE_COMPLETE: 'delete', S.DELETE_FAILED: 'delete'}


class StatusPoll:
    def __init__(self, leases, ownership, pool):
        self.leases = leases
        self.ownership = ownership
        self.pool = pool
        self._ticks = 0
        self._templates = polling.TemplateRows()

    def tick(self):
        context = magnum_context.make_admin_context(all_tenants=True)
        rows = list(operations.to_poll(POLLED, timeutils.utcnow() - LATELY))
        if self._ticks % 6 == 5:
            rows += [*operations.given_up(), *operations.half_failed()]
        self._ticks += 1
        by_uuid = {row.uuid: row for row in rows}
        mine = self.ownership.mine(by_uuid)
        busy = self.pool.busy()
        todo = [uuid for uuid in mine if uuid not in busy]
        drivers, templates = polling.Drivers(), polling.Templates(context)
        kept = self._templates.get(by_uuid[uuid].cluster_template_id for uuid in todo)
        while todo:
            size = max(self.pool.threads,
                       int(self.pool.threads * ROUND / max(self.pool.pace, 0.001)))
            chunk, todo = todo[:size], todo[size:]
            clusters = {
                uuid: polling.load(context, by_uuid[uuid], templates.of(
                    kept.get(by_uuid[uuid].cluster_template_id)))
                for uuid in chunk}
            self._round(context, clusters, drivers)

    def _round(self, context, clusters, drivers):
        taken = self.leases.lock_many(list(clusters), operations.FOR_POLL)
        finished = set()
        over = []

        def done(uuid):
            # The locks of a round are given back together; that of a straggler by itself.
            if over:
                self.leases.unlock([uuid])
            else:
                finished.add(uuid)

        jobs = {uuid: functools.partial(poll, context, cluster, drivers)
                for uuid, cluster in clusters.items() if uuid in taken}
        try:
            late = self.pool.run(jobs, PATIENCE, done)
            over.append(True)
            if late:
                LOG.error('The drivers of clusters %s do not answer', sorted(late)[:20])
        finally:
            self.leases.unlock(taken - (self.pool.busy() - finished))


def poll(context, cluster, drivers):
    """Ask about one cluster and write what has changed. Returns whether its status has."""
    before = cluster.status
    if before == S.DELETE_COMPLETE:
        finish(context, cluster.uuid)
        return True
    if before in _ASKED_AS:
        # Given up, but the driver may still be at it. It is asked as if nothing had happened.
        cluster.status = _ASKED_AS[before]
        cluster.obj_reset_changes(['status'])
    if before == S.UPDATE_FAILED:
        # This status stays, whatever becomes of the rest.
        cluster.expect_status = cluster.status
    asked = cluster.status
    trouble = None
    try:
        drivers.of(cluster).update_cluster_status(context, cluster)
        if cluster._column_changes():
            cluster.save()
    except Exception as error:
        trouble = error
        LOG.warning('The status of cluster %(uuid)s could not be determined: %(error)s',
                    {'uuid': cluster.uuid, 'error': reasons.of(error)})
    if before == S.UPDATE_FAILED:
        verdict = cluster.declined_status or cluster.status
        if trouble is None and verdict not in states.IN_PROGRESS | {before}:
            _settle_rest(cluster.uuid, verdict)
            return True
        return False
    if trouble is None and cluster.status not in (asked, before):
        if cluster.status not in states.IN_PROGRESS:
            finish(context, cluster.uuid)
        return True
    if before == S.CREATE_FAILED:
        return False
    if before == S.CREATE_IN_PROGRESS and _is_overdue(cluster):
        _give_up(context, cluster, trouble)
        return True
    _keep_trouble(cluster, before, trouble)
    return False


def _keep_trouble(cluster, status, trouble):
    """Show why nothing is known, and no longer when something is."""
    if trouble is not None:
        text = reasons.of(TROUBLE + reasons.of(trouble))
    elif (cluster.status_reason or '').startswith(TROUBLE):
        text = None
    else:
        return
    if text != cluster.status_reason:
        write_reason(cluster.uuid, status, text)


@db_session.retrying
def write_reason(uuid, status, text):
    with db_session.writer() as session:
        session.execute(
            sa.update(models.Cluster)
            .where(models.Cluster.uuid == uuid, models.Cluster.status == status)
            .values(status_reason=text).execution_options(synchronize_session=False))


# The time that a creation may take

def _is_overdue(cluster):
    if not cluster.create_timeout or cluster.created_at is None:
        return False
    begun = cluster.created_at.replace(tzinfo=None)
    return timeutils.utcnow() > begun + datetime.timedelta(minutes=cluster.create_timeout)


@db_session.retrying
def _mark_given_up(cluster, reason):
    with db_session.writer() as session:
        row = operations.lock_cluster(session, cluster.uuid)
        if row is None or row.status != S.CREATE_IN_PROGRESS or (
                operations.any_recorded(session, cluster.uuid)):
            return False
        row.status, row.status_reason = S.CREATE_FAILED, reason
        for group in operations.lock_nodegroups(
                session, cluster.uuid, models.NodeGroup.status == S.CREATE_IN_PROGRESS):
            group.status, group.status_reason = S.CREATE_FAILED, reason
        operations.note(session, cluster.uuid, operations.TIMEOUT, str(cluster.create_timeout))
        return True


def _give_up(context, cluster, trouble):
    reason = f'The cluster was not created within {cluster.create_timeout} minutes.'
    detail = reasons.of(trouble) if trouble is not None else cluster.status_reason
    if detail:
        reason = reasons.of(f'{reason} {detail.removeprefix(TROUBLE)}')
    if _mark_given_up(cluster, reason):
        LOG.error('Creation of cluster %(uuid)s is given up: %(reason)s',
                  {'uuid': cluster.uuid, 'reason': reason})
        cluster.refresh()
        notifications.notify_about_cluster_operation(context, 'create', 'failure', cluster)


# The end of an operation

def finish(context, uuid):
    """Bring everything in line with a final status that the driver has reported."""
    settled = _settle(uuid)
    if settled is None:
        return
    row, nodegroups = settled
    cluster = objects.Cluster._from_db_object(objects.Cluster(context), row)
    cluster._prefetched_nodegroups = [
        objects.NodeGroup._from_db_object(objects.NodeGroup(context), group)
        for group in nodegroups]
    if cluster.status == S.DELETE_COMPLETE:
        removal.complete(context, cluster)
    else:
        LOG.info('Cluster %(uuid)s is %(status)s now',
                 {'uuid': uuid, 'status': cluster.status})
    action = STATUS_TO_ACTION.get(cluster.status)
    if action:
        outcome = 'failure' if cluster.status in S.STATUS_FAILED else 'success'
        notifications.notify_about_cluster_operation(context, action, outcome, cluster)


@db_session.retrying
def _settle(uuid):
    """(cluster row, nodegroup rows) once nothing is going on any more; None if something is."""
    with db_session.writer() as session:
        row = operations.lock_cluster(session, uuid)
        if row is None or row.status in states.IN_PROGRESS or (
                row.status != S.DELETE_COMPLETE and operations.any_recorded(session, uuid)):
            return None
        groups = list(operations.lock_nodegroups(session, uuid))
        if row.status == S.DELETE_COMPLETE:
            return row, groups
        failed = row.status in S.STATUS_FAILED
        # What a driver has written is masked and bounded like any other reason.
        for written in (row, *groups):
            if written.status_reason:
                written.status_reason = reasons.of(written.status_reason)
        late = row.status == S.CREATE_COMPLETE and operations.get_note(
            session, uuid, operations.TIMEOUT) is not None
        for group in list(groups):
            if late and group.status == S.CREATE_FAILED:
                group.status = S.CREATE_IN_PROGRESS
            if _settle_nodegroup(session, group, failed, row.status_reason):
                groups.remove(group)
        if row.status == S.UPDATE_COMPLETE:
            target = operations.get_note(session, uuid, operations.UPGRADE)
            if target:
                row.cluster_template_id = target
        operations.forget(session, uuid, (operations.UPGRADE, operations.TIMEOUT))
        return row, groups


@db_session.retrying
def _settle_rest(uuid, verdict):
    """The end of what went on while something else had failed; the failure stays."""
    with db_session.writer() as session:
        row = operations.lock_cluster(session, uuid)
        if row is None or row.status != S.UPDATE_FAILED or operations.any_recorded(session, uuid):
            return
        failed = verdict in S.STATUS_FAILED
        for group in operations.lock_nodegroups(session, uuid):
            _settle_nodegroup(session, group, failed, row.status_reason)
        target = operations.get_note(session, uuid, operations.UPGRADE)
        if target and verdict == S.UPDATE_COMPLETE:
            row.cluster_template_id = target
        operations.forget(session, uuid, operations.UPGRADE)


def _settle_nodegroup(session, group, failed, reason):
    """Nothing of a settled cluster is in progress. Returns whether the nodegroup is gone."""
    action, _sep, progress = (group.status or '').partition('_')
    gone = group.status == S.DELETE_COMPLETE or (
        group.status == S.DELETE_IN_PROGRESS and not failed)
    if gone and not group.is_default:
        session.delete(group)
        return True
    if progress == 'IN_PROGRESS':
        group.status = f'{action}_FAILED' if failed else f'{action}_COMPLETE'
        group.status_reason = reason if failed else None
    return False
