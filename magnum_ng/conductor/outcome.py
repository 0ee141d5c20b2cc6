# SPDX-License-Identifier: Apache-2.0
"""How a recorded operation ends: it succeeds, it fails, or it never happened.

Each ending is one transaction that removes the operation, gives up the cluster's lock and writes
what the rows are from now on. It takes effect only while the operation still belongs to the owner
who ends it: whoever has lost the lease has no say any more.

Where a later operation is queued that touches the same thing, its picture of how things were
before is corrected instead of the row: the row shows what that later operation was accepted for.

The row of the cluster is locked by the first statement of each transaction: on MariaDB and MySQL
whatever is read later is then as new as the lock, so no operation that was accepted while the
lock was waited for is overlooked.
"""

import json

import sqlalchemy as sa

from magnum_ng.conductor import reasons
from magnum_ng.conductor import removal
from magnum_ng.conductor import states
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session


#: How the failure of an operation is told while a later one goes on.
EARLIER = 'A request that was accepted earlier has failed: '


def _take(session, uuid, cluster_uuid, owner, expired=False):
    """(operation, cluster row, later operations), the operation removed; None if not ours."""
    # Always the cluster first: everybody locks in this order.
    row = operations.lock_cluster(session, cluster_uuid)
    operation = session.execute(
        sa.select(operations.Operation).where(operations.Operation.uuid == uuid)
    ).scalar_one_or_none()
    if operation is None or not operations.remove(session, uuid, owner, expired):
        return None
    if owner is not None and operation.state == operations.RUNNING:
        operations.release_lock(session, cluster_uuid, owner)
    later = [other for other in operations.of_cluster(session, cluster_uuid)
             if other.id > operation.id]
    return operation, row, later


# It never happened

@db_session.retrying
def undo(uuid, cluster_uuid, owner):
    """Put back everything that accepting the operation has changed.

    Returns whether there was something to undo: an operation of that owner (None: of nobody).
    """
    with db_session.writer() as session:
        taken = _take(session, uuid, cluster_uuid, owner)
        if taken is None:
            return False
        operation, row, later = taken
        if row is not None:
            _retire_new_certificates(session, operation)
            _put_back(session, operation, row, later)
        return True


def _retire_new_certificates(session, operation):
    """A set that a rotation has made for nothing is to be deleted."""
    new = json.loads(operation.arguments).get(operations.NEW_CERTIFICATES)
    if new:
        operations.note_retired(session, operation.cluster_uuid, new.values())


def _put_back(session, operation, row, later):
    guard = states.GUARDS[operation.action]
    before = json.loads(operation.before)
    created = before.get('created')
    if created == 'cluster':
        removal.delete_rows(session, row.uuid)
        return
    if created == 'nodegroup':
        session.execute(sa.delete(models.NodeGroup).where(
            models.NodeGroup.uuid == operation.nodegroup_uuid))
    if later:
        _correct(later[0], lambda picture: picture.update(cluster=before['cluster']))
    elif guard.cluster_status and row.status == guard.cluster_status:
        row.update(before['cluster'])
    for nodegroup_uuid, values in before.get('nodegroups', {}).items():
        _put_back_nodegroup(session, row, nodegroup_uuid, values, later,
                            guard.nodegroup_status)


def _put_back_nodegroup(session, row, nodegroup_uuid, values, later, status):
    if _correct_nodegroup(later, nodegroup_uuid, values):
        return
    for group in operations.lock_nodegroups(
            session, row.uuid, models.NodeGroup.uuid == nodegroup_uuid):
        if group.status != status:
            values = {name: value for name, value in values.items()
                      if name not in ('status', 'status_reason')}
        group.update(values)


def _correct(operation, change):
    picture = json.loads(operation.before)
    change(picture)
    operation.before = json.dumps(picture)


def _correct_nodegroup(later, nodegroup_uuid, values):
    """Correct the picture of the next operation on the nodegroup, if there is one."""
    for other in later:
        if nodegroup_uuid in json.loads(other.before).get('nodegroups', {}):
            _correct(other,
                     lambda picture: picture['nodegroups'][nodegroup_uuid].update(values))
            return True
    return False


# It failed

@db_session.retrying
def fail(uuid, cluster_uuid, owner, error, expired=False):
    """Record the failure: statuses, the reason, and the sizes that were there before.

    :param expired: only if the lease has expired, for who cleans up after somebody else
    :returns: whether it was recorded
    """
    reason = reasons.of(error)
    with db_session.writer() as session:
        taken = _take(session, uuid, cluster_uuid, owner, expired)
        if taken is None:
            return False
        operation, row, later = taken
        if row is None:
            return True
        _retire_new_certificates(session, operation)
        if operation.action == states.DELETE:
            _drop_all(session, row.uuid)
        _fail_cluster(row, operation, later, reason)
        if operation.action in (states.CREATE, states.DELETE):
            _fail_all_nodegroups(session, row.uuid, reason)
        elif operation.nodegroup_uuid:
            _fail_nodegroup(session, operation, later, reason)
        return True


def _fail_cluster(row, operation, later, reason):
    guard = states.GUARDS[operation.action]
    if guard.cluster_status is None:
        # The operation left the status alone, which may be anything that is not deleted by now.
        recorded = row.status not in states.DELETING
    else:
        recorded = row.status == guard.cluster_status
    if not recorded:
        return
    if any(states.GUARDS[other.action].cluster_status == row.status for other in later):
        # Whoever waits for a later operation must not take this failure for the end of it.
        row.status_reason = reasons.of(EARLIER + reason)
        _correct(later[0], lambda picture: picture.update(
            cluster={'status': guard.failed, 'status_reason': reason}))
    else:
        row.status, row.status_reason = guard.failed, reason


def _fail_all_nodegroups(session, cluster_uuid, reason):
    """Nothing is in progress any more."""
    groups = models.NodeGroup
    for action in ('CREATE', 'UPDATE', 'DELETE'):
        session.execute(
            sa.update(groups)
            .where(groups.cluster_id == cluster_uuid, groups.status == f'{action}_IN_PROGRESS')
            .values(status=f'{action}_FAILED', status_reason=reason)
            .execution_options(synchronize_session=False))


def _fail_nodegroup(session, operation, later, reason):
    guard = states.GUARDS[operation.action]
    before = json.loads(operation.before).get('nodegroups', {}).get(operation.nodegroup_uuid, {})
    size = {name: before[name] for name in ('node_count',) if name in before}
    if _correct_nodegroup(later, operation.nodegroup_uuid, size):
        return
    for group in operations.lock_nodegroups(
            session, operation.cluster_uuid,
            models.NodeGroup.uuid == operation.nodegroup_uuid):
        group.update(size)
        if guard.nodegroup_failed:
            group.status, group.status_reason = guard.nodegroup_failed, reason


# It succeeded, as far as the driver's call goes

@db_session.retrying
def succeed(owner, work):
    """Store what the driver has changed in the objects, and leave the rest to the poller.

    Returns whether it was stored.
    """
    with db_session.writer() as session:
        row = operations.lock_cluster(session, work.cluster.uuid)
        if not operations.remove(session, work.uuid, owner):
            return False
        operations.release_lock(session, work.cluster.uuid, owner)
        if row is not None:
            _store(session, row, work)
        return True


def _store(session, row, work):
    guard = states.GUARDS[work.action]
    _store_cluster(row, guard, work.action, work.cluster)
    if work.action == states.CREATE:
        session.execute(
            sa.update(models.NodeGroup).where(models.NodeGroup.cluster_id == row.uuid)
            .values(stack_id=row.stack_id).execution_options(synchronize_session=False))
    elif work.action == states.DELETE:
        _drop_all(session, row.uuid)
    elif work.gone:
        session.execute(sa.delete(models.NodeGroup).where(
            models.NodeGroup.uuid == work.nodegroup_uuid))
    elif work.nodegroup is not None:
        _store_nodegroup(session, guard, work.nodegroup)
    operations.note_retired(session, row.uuid, work.retired)
    if work.action == states.UPGRADE and work.nodegroup.is_default:
        operations.note(session, row.uuid, operations.UPGRADE,
                        work.arguments['cluster_template'])


#: Operations whose driver may say itself that the work is done.
_DRIVER_DECIDES = frozenset({states.CREATE, states.ROTATE_CREDENTIAL})


def _store_cluster(row, guard, action, cluster):
    changes = cluster._column_changes()
    status = {name: changes.pop(name) for name in ('status', 'status_reason')
              if name in changes}
    changes.pop('updated_at', None)
    row.update(changes)
    if row.status in states.DELETING and action != states.DELETE:
        return
    if action in _DRIVER_DECIDES or status.get('status') == states.S.DELETE_COMPLETE:
        row.update(status)
    elif guard.cluster_status and row.status not in (guard.cluster_status,
                                                     states.S.DELETE_COMPLETE):
        # Whatever the driver has written, the poller asks it for the end of the work.
        row.status, row.status_reason = guard.cluster_status, None


def _store_nodegroup(session, guard, nodegroup):
    changes = nodegroup._column_changes()
    changes.pop('updated_at', None)
    for group in operations.lock_nodegroups(
            session, nodegroup.cluster_id, models.NodeGroup.uuid == nodegroup.uuid):
        if group.status != guard.nodegroup_status:
            for name in ('status', 'status_reason'):
                changes.pop(name, None)
        group.update(changes)


# A deletion has overtaken it

@db_session.retrying
def drop(uuid, cluster_uuid, owner):
    """Forget an operation that a deletion has overtaken; its sizes have never come to be.

    Returns whether it is gone; it is not when there is no deletion that a conductor has taken.
    """
    with db_session.writer() as session:
        operations.lock_cluster(session, cluster_uuid)
        others = operations.of_cluster(session, cluster_uuid)
        if not any(other.uuid == uuid and other.owner == owner for other in others):
            return True
        if not any(other.action == states.DELETE and other.owner for other in others):
            return False
        operation, _row, later = _take(session, uuid, cluster_uuid, owner)
        _put_back_sizes(session, operation, later)
        return True


def _drop_all(session, cluster_uuid):
    """Forget what was accepted before a deletion and has not begun."""
    for operation in reversed(operations.of_cluster(session, cluster_uuid)):
        _put_back_sizes(session, operation, ())
    operations.remove_all(session, cluster_uuid)


def _put_back_sizes(session, operation, later):
    for nodegroup_uuid, values in json.loads(operation.before).get('nodegroups', {}).items():
        size = {'node_count': values['node_count']}
        if not _correct_nodegroup(later, nodegroup_uuid, size):
            session.execute(
                sa.update(models.NodeGroup).where(models.NodeGroup.uuid == nodegroup_uuid)
                .values(**size).execution_options(synchronize_session='fetch'))
