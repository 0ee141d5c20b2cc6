# SPDX-License-Identifier: Apache-2.0
"""Carry out one operation whose turn it is: fresh rows, the driver's call, the outcome.

``running`` is the one place where an outcome is recorded: the notifications before and after
(which never change anything), statuses and sizes, the reason of a failure. It can be used as it
is around any driver call for a recorded operation.
"""

import contextlib
import json
import time

from oslo_db import exception as db_exc
import sqlalchemy as sa

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.conductor import driver_calls
from magnum_ng.conductor import notifications
from magnum_ng.conductor import outcome
from magnum_ng.conductor import reasons
from magnum_ng.conductor import removal
from magnum_ng.conductor import states
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations as records
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng import objects

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

#: Seconds between two attempts to record an outcome.
_AGAIN = 2.0

#: Operations that a driver may refuse; then they have never happened.
REFUSABLE = frozenset({states.UPGRADE, states.ROTATE_CA, states.ROTATE_CREDENTIAL})


class NotItsTurn(Exception):  # noqa: N818 (no error)
    """Something else has been decided for the cluster; the operation has to wait for it."""


class Lost(Exception):  # noqa: N818
    """The operation does not belong to this process any more."""


@db_session.retrying
def begin(context, uuid, cluster_uuid, owner, lease):
    """Mark the operation as running and give the work to be done, made of the present rows.

    What an earlier operation or a poll has made of the statuses meanwhile is put right: they
    show again what this operation was accepted for.
    """
    with db_session.writer() as session:
        # First, so that nothing read after it is older than the lock, see outcome.
        row = records.lock_cluster(session, cluster_uuid)
        operation = session.execute(
            sa.select(records.Operation).where(
                records.Operation.uuid == uuid, records.Operation.owner == owner)
        ).scalar_one_or_none()
        if operation is None:
            raise Lost()
        if row is None:
            records.remove(session, uuid, owner)
            return None
        if row.status in states.DELETING and operation.action != states.DELETE:
            raise NotItsTurn()
        guard = states.GUARDS[operation.action]
        if guard.cluster_status and row.status != guard.cluster_status:
            row.status, row.status_reason = guard.cluster_status, None
        group = None
        if operation.nodegroup_uuid:
            group = _nodegroup_row(session, operation, guard)
        operation.state, operation.expires_at = records.RUNNING, records.in_seconds(lease)
        session.flush()
        return _work(context, operation, row, group)


def begun(context, operation, cluster):
    """The work of an operation that was accepted as running, for a cluster that has just come."""
    cluster.expect_status = cluster.status
    return driver_calls.Work(context, operation.action, cluster,
                             json.loads(operation.arguments), uuid=operation.uuid)


def _nodegroup_row(session, operation, guard):
    groups = records.lock_nodegroups(
        session, operation.cluster_uuid, models.NodeGroup.uuid == operation.nodegroup_uuid)
    if not groups:
        return None
    group = groups[0]
    if any(other.id > operation.id and other.nodegroup_uuid == group.uuid
           for other in records.of_cluster(session, operation.cluster_uuid)):
        # The row shows already what a later operation was accepted for.
        return group
    if guard.nodegroup_status and group.status != guard.nodegroup_status:
        group.status, group.status_reason = guard.nodegroup_status, None
    size = json.loads(operation.arguments).get('node_count')
    if size is not None:
        group.node_count = size
    return group


def _work(context, operation, row, group):
    cluster = objects.Cluster._from_db_object(objects.Cluster(context), row)
    cluster.expect_status = cluster.status
    arguments = json.loads(operation.arguments)
    nodegroup = None
    if group is not None:
        nodegroup = objects.NodeGroup._from_db_object(objects.NodeGroup(context), group)
        if 'node_count' in arguments:
            # The row may show the size of a later operation; this is no change to be saved.
            nodegroup.node_count = arguments['node_count']
            nodegroup.obj_reset_changes(['node_count'])
    return driver_calls.Work(context, operation.action, cluster,
                             arguments, nodegroup,
                             operation.nodegroup_uuid, operation.uuid)


@contextlib.contextmanager
def running(context, uuid, owner, work):
    """Record what becomes of the driver's call that is made inside.

    ``work.recorded`` tells afterwards whether that could be done.
    """
    announced = states.NOTIFIED.get(work.action)

    def announce(result):
        if announced:
            notifications.notify_about_cluster_operation(
                context, announced, result, work.cluster)

    announce('pending')
    try:
        yield
    except exception.NotSupported as error:
        if work.action not in REFUSABLE:
            _failed(uuid, owner, work, error)
        else:
            work.recorded = _record(outcome.undo, uuid, work.cluster.uuid, owner)
        _clean_up(context, work)
        announce('failure')
        raise
    except BaseException as error:
        _failed(uuid, owner, work, error)
        _clean_up(context, work)
        announce('failure')
        raise
    work.recorded = _record(outcome.succeed, owner, work)
    if not work.recorded:
        LOG.error('%(action)s of cluster %(cluster)s has lost its lease; another conductor has '
                  'recorded its outcome', {'action': work.action, 'cluster': work.cluster.uuid})
    else:
        _clean_up(context, work)


def _record(ending, *args):
    """Record an outcome, though the database may be away for a while.

    The lease tells how long: after that somebody else has recorded a failure.
    """
    deadline = time.monotonic() + 2 * CONF.conductor.operation_lease
    while True:
        try:
            return ending(*args)
        except db_exc.DBConnectionError as error:
            if time.monotonic() > deadline:
                raise
            LOG.error('An outcome could not be recorded yet: %s', reasons.short(error))
            time.sleep(_AGAIN)


def _clean_up(context, work):
    """Delete the certificates that the outcome has made useless; what is left is found later."""
    if work.action != states.ROTATE_CA or not work.recorded:
        return
    try:
        removal.delete_retired(context, work.cluster)
    except Exception as error:
        LOG.warning('Certificates of cluster %(cluster)s are not deleted yet: %(error)s',
                    {'cluster': work.cluster.uuid, 'error': reasons.short(error)})


def _failed(uuid, owner, work, error):
    LOG.error('%(action)s of cluster %(cluster)s has failed: %(error)s',
              {'action': work.action, 'cluster': work.cluster.uuid,
               'error': reasons.of(error)})
    LOG.debug('%s', reasons.traceback())
    work.recorded = _record(outcome.fail, uuid, work.cluster.uuid, owner, error)
    if work.recorded:
        # For the announcement, and for whoever asked by a call.
        with contextlib.suppress(exception.ObjectNotFound):
            work.cluster.obj_reset_changes()
            work.cluster.refresh()


def carry_out(work, uuid, owner):
    """Call the driver and record the outcome. Returns the object that the caller works with."""
    context = work.context
    with running(context, uuid, owner, work):
        if work.nodegroup is None and work.nodegroup_uuid:
            raise exception.NodeGroupNotFound(nodegroup=work.nodegroup_uuid)
        driver_calls.perform(work)
    return work.nodegroup if work.action in _RETURN_NODEGROUP else work.cluster


_RETURN_NODEGROUP = frozenset({states.NODEGROUP_CREATE, states.NODEGROUP_UPDATE})
