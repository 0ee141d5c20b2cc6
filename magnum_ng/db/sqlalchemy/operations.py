# SPDX-License-Identifier: Apache-2.0
"""Recorded operations, cluster locks and notes: the statements behind the state of a cluster.

Functions that take a session belong into the caller's transaction; the others are a transaction
of their own. Times are those of the process: leases are long compared with the difference that
synchronised clocks show.
"""

import datetime
import json

from oslo_db import exception as db_exc
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy as sa

from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import ng_models
from magnum_ng.db.sqlalchemy import session as db_session

Operation = ng_models.Operation
Lock = ng_models.ClusterLock
Note = ng_models.ClusterNote

#: Accepted; no conductor has it yet.
QUEUED = 'queued'
#: A conductor has it and waits for its turn.
WAITING = 'waiting'
#: The driver is at work.
RUNNING = 'running'

DELETE = 'delete'

FOR_OPERATION = 'operation'
FOR_POLL = 'poll'

#: Argument of a rotation at work: the references of the set that it has made.
NEW_CERTIFICATES = 'new_certificates'

#: Kinds of notes.
UPGRADE = 'upgrade'
TIMEOUT = 'timeout'
RETIRED = 'retired-'


def in_seconds(seconds):
    return timeutils.utcnow() + datetime.timedelta(seconds=seconds)


def any_recorded(session, cluster_uuid):
    """Whether an operation is recorded for the cluster."""
    return session.execute(
        sa.select(Operation.id).where(Operation.cluster_uuid == cluster_uuid)
        .limit(1)).first() is not None


# Rows that are locked while something is decided

def lock_cluster(session, uuid):
    """The row of a cluster, locked and as it is now; None if there is none."""
    return session.execute(
        sa.select(models.Cluster).where(models.Cluster.uuid == uuid).with_for_update()
        .execution_options(populate_existing=True)).scalar_one_or_none()


def lock_nodegroups(session, cluster_uuid, *where):
    """Rows of the cluster's nodegroups in their order, locked."""
    return session.execute(
        sa.select(models.NodeGroup)
        .where(models.NodeGroup.cluster_id == cluster_uuid, *where)
        .order_by(models.NodeGroup.id).with_for_update()
        .execution_options(populate_existing=True)).scalars().all()


_known_projects: set[str] = set()
#: Of another database nothing is known.
forget_projects = _known_projects.clear


def ensure_project_lock(project_id):
    """Make the row that ``lock_project`` locks, in a transaction of its own."""
    if project_id in _known_projects:
        return
    try:
        with db_session.writer() as session:
            if session.get(ng_models.ProjectLock, project_id) is None:
                session.add(ng_models.ProjectLock(project_id=project_id))
    except db_exc.DBDuplicateEntry:
        pass
    _known_projects.add(project_id)


def lock_project(session, project_id):
    """Keep others from adding clusters to the project until the transaction ends."""
    found = session.execute(
        sa.select(ng_models.ProjectLock)
        .where(ng_models.ProjectLock.project_id == project_id).with_for_update()).scalar()
    if found is None:
        # Not the database any more that it was made in.
        _known_projects.discard(project_id)
        raise db_exc.RetryRequest(db_exc.DBError())


@db_session.retrying
def set_columns(cluster_uuid, values):
    """Write columns of a cluster that only one can write. Returns whether it is there."""
    with db_session.writer() as session:
        return bool(session.execute(
            sa.update(models.Cluster).where(models.Cluster.uuid == cluster_uuid)
            .values(**values).execution_options(synchronize_session=False)).rowcount)


# Recorded operations

def record(session, context, action, cluster_uuid, arguments, before, wait,
           nodegroup_uuid=None, owner=None, alone=False):
    """Insert an operation; it is claimed at once for ``owner``, if one is given.

    :param alone: there can be no other one of the cluster: it begins at once, with the lock
    """
    operation = Operation(
        uuid=uuidutils.generate_uuid(), cluster_uuid=cluster_uuid, action=action,
        nodegroup_uuid=nodegroup_uuid, arguments=json.dumps(arguments),
        before=json.dumps(before), owner=owner,
        state=QUEUED if not owner else RUNNING if alone else WAITING,
        expires_at=in_seconds(wait), user_id=context.user_id, project_id=context.project_id,
        request_id=context.request_id)
    session.add(operation)
    if owner and alone:
        session.add(Lock(cluster_uuid=cluster_uuid, owner=owner, purpose=FOR_OPERATION,
                         expires_at=operation.expires_at))
    session.flush()
    return operation


def get(uuid):
    with db_session.reader() as session:
        return session.execute(
            sa.select(Operation).where(Operation.uuid == uuid)).scalar_one_or_none()


def of_cluster(session, cluster_uuid):
    """The operations of a cluster in the order in which they were accepted."""
    return session.execute(
        sa.select(Operation).where(Operation.cluster_uuid == cluster_uuid)
        .order_by(Operation.id).execution_options(populate_existing=True)).scalars().all()


@db_session.retrying
def claim(uuid, owner, lease):
    """Take an operation that nobody has. Returns it, or None."""
    with db_session.writer() as session:
        taken = session.execute(
            sa.update(Operation).where(Operation.uuid == uuid, Operation.owner.is_(None))
            .values(owner=owner, state=WAITING, expires_at=in_seconds(lease))
            .execution_options(synchronize_session=False)).rowcount
        if not taken:
            return None
        return session.execute(
            sa.select(Operation).where(Operation.uuid == uuid)).scalar_one_or_none()


@db_session.retrying
def hand_back(uuids, owner, wait):
    """Give up claims; whoever gets the message again may take the operations."""
    if not uuids:
        return
    with db_session.writer() as session:
        session.execute(
            sa.update(Operation)
            .where(Operation.uuid.in_(uuids), Operation.owner == owner,
                   Operation.state == WAITING)
            .values(owner=None, state=QUEUED, expires_at=in_seconds(wait))
            .execution_options(synchronize_session=False))


def remove(session, uuid, owner, expired=False):
    """Delete the row of an operation that still belongs to the owner (None: to nobody)."""
    where = [Operation.uuid == uuid,
             Operation.owner.is_(None) if owner is None else Operation.owner == owner]
    if expired:
        where.append(Operation.expires_at < timeutils.utcnow())
    return bool(session.execute(
        sa.delete(Operation).where(*where)
        .execution_options(synchronize_session=False)).rowcount)


@db_session.retrying
def add_argument(uuid, name, value):
    """Add to what is recorded of an operation at work. Returns whether it is still recorded."""
    with db_session.writer() as session:
        operation = session.execute(
            sa.select(Operation).where(Operation.uuid == uuid)
            .with_for_update()).scalar_one_or_none()
        if operation is None:
            return False
        operation.arguments = json.dumps({**json.loads(operation.arguments), name: value})
        session.flush()
        return True


def remove_all(session, cluster_uuid):
    session.execute(
        sa.delete(Operation).where(Operation.cluster_uuid == cluster_uuid)
        .execution_options(synchronize_session=False))


@db_session.retrying
def turns(cluster_uuids):
    """Whose turn it is: {cluster uuid: [(id, uuid, action, state, claimed)]} in their order."""
    with db_session.reader() as session:
        found: dict[str, list] = {uuid: [] for uuid in cluster_uuids}
        for row in session.execute(
                sa.select(Operation.cluster_uuid, Operation.id, Operation.uuid,
                          Operation.action, Operation.state, Operation.owner.is_not(None))
                .where(Operation.cluster_uuid.in_(cluster_uuids)).order_by(Operation.id)):
            found[row[0]].append(tuple(row[1:]))
        return found


@db_session.retrying
def expired():
    """Operations whose conductor has gone silent, or that none has ever taken."""
    with db_session.reader() as session:
        return session.execute(
            sa.select(Operation).where(Operation.expires_at < timeutils.utcnow())
            .order_by(Operation.id).limit(500)).scalars().all()


# Locks

@db_session.retrying
def take_lock(cluster_uuid, owner, purpose, lease):
    """Take the lock of a cluster, also from an owner whose lease has expired."""
    values = {'owner': owner, 'purpose': purpose, 'expires_at': in_seconds(lease)}
    try:
        with db_session.writer() as session:
            session.execute(sa.insert(Lock).values(cluster_uuid=cluster_uuid, **values))
        return True
    except db_exc.DBDuplicateEntry:
        pass
    with db_session.writer() as session:
        return bool(session.execute(
            sa.update(Lock)
            .where(Lock.cluster_uuid == cluster_uuid, Lock.expires_at < timeutils.utcnow())
            .values(**values).execution_options(synchronize_session=False)).rowcount)


@db_session.retrying
def take_locks(cluster_uuids, owner, purpose, lease):
    """Take the locks of many clusters that seemed free. Returns the uuids that were."""
    rows = [{'cluster_uuid': uuid, 'owner': owner, 'purpose': purpose,
             'expires_at': in_seconds(lease)} for uuid in cluster_uuids]
    if not rows:
        return set()
    try:
        with db_session.writer() as session:
            session.execute(sa.insert(Lock), rows)
        return set(cluster_uuids)
    except db_exc.DBDuplicateEntry:
        return {uuid for uuid in cluster_uuids if take_lock(uuid, owner, purpose, lease)}


@db_session.retrying
def release_locks(cluster_uuids, owner):
    if not cluster_uuids:
        return
    with db_session.writer() as session:
        session.execute(
            sa.delete(Lock).where(Lock.cluster_uuid.in_(list(cluster_uuids)),
                                  Lock.owner == owner)
            .execution_options(synchronize_session=False))


def release_lock(session, cluster_uuid, owner):
    session.execute(
        sa.delete(Lock).where(Lock.cluster_uuid == cluster_uuid, Lock.owner == owner)
        .execution_options(synchronize_session=False))


@db_session.retrying
def renew(owner, operations, locks, lease):
    """Renew the leases of what a living process works on."""
    until = in_seconds(lease)
    with db_session.writer() as session:
        if operations:
            session.execute(
                sa.update(Operation)
                .where(Operation.owner == owner, Operation.uuid.in_(list(operations)))
                .values(expires_at=until).execution_options(synchronize_session=False))
        if locks:
            session.execute(
                sa.update(Lock)
                .where(Lock.owner == owner, Lock.cluster_uuid.in_(list(locks)))
                .values(expires_at=until).execution_options(synchronize_session=False))


@db_session.retrying
def remove_expired_locks():
    """Remove the locks of processes that have gone silent. Returns how many."""
    with db_session.reader() as session:
        found = session.execute(
            sa.select(Lock.cluster_uuid).where(Lock.expires_at < timeutils.utcnow())
            .limit(500)).scalars().all()
    if not found:
        return 0
    # By the key: looking for the time would lock the rows of everybody else.
    with db_session.writer() as session:
        return session.execute(
            sa.delete(Lock)
            .where(Lock.cluster_uuid.in_(found), Lock.expires_at < timeutils.utcnow())
            .execution_options(synchronize_session=False)).rowcount


def is_running(session, cluster_uuid):
    """Whether a driver call of an operation may be going on for the cluster."""
    return session.execute(
        sa.select(Lock.cluster_uuid).where(
            Lock.cluster_uuid == cluster_uuid, Lock.purpose == FOR_OPERATION,
            Lock.expires_at >= timeutils.utcnow())).first() is not None


# Notes

def note(session, cluster_uuid, kind, value=None):
    """Remember something about a cluster, in the place of what was remembered before."""
    changed = session.execute(
        sa.update(Note).where(Note.cluster_uuid == cluster_uuid, Note.kind == kind)
        .values(value=value, updated_at=timeutils.utcnow())
        .execution_options(synchronize_session=False)).rowcount
    if not changed:
        session.add(Note(cluster_uuid=cluster_uuid, kind=kind, value=value))
        session.flush()


def forget(session, cluster_uuid, kind=None):
    where = [Note.cluster_uuid == cluster_uuid]
    if kind:
        where.append(Note.kind.in_([kind] if isinstance(kind, str) else kind))
    session.execute(
        sa.delete(Note).where(*where).execution_options(synchronize_session=False))


def note_retired(session, cluster_uuid, references):
    """Remember certificates that are to be deleted."""
    session.add_all([
        # A kind of its own for each: what an earlier rotation has left may still be there.
        Note(cluster_uuid=cluster_uuid, kind=f'{RETIRED}{uuidutils.generate_uuid()[:8]}',
             value=reference)
        for reference in references])
    session.flush()


def retired(session, cluster_uuid):
    """{kind of the note: reference} of certificates of the cluster that are to be deleted."""
    return dict(session.execute(
        sa.select(Note.kind, Note.value)
        .where(Note.cluster_uuid == cluster_uuid, Note.kind.startswith(RETIRED))).all())


@db_session.retrying
def forgotten_certificates(seconds):
    """Clusters with certificates that were to be deleted so long ago: [uuid]."""
    with db_session.reader() as session:
        return session.execute(
            sa.select(Note.cluster_uuid).distinct()
            .where(Note.kind.startswith(RETIRED),
                   Note.created_at < in_seconds(-seconds)).limit(500)).scalars().all()


def get_note(session, cluster_uuid, kind):
    return session.execute(
        sa.select(Note.value)
        .where(Note.cluster_uuid == cluster_uuid, Note.kind == kind)).scalar()


@db_session.retrying
def forgotten_upgrades():
    """Clusters with a note of an upgrade that is over: [uuid]."""
    with db_session.reader() as session:
        return session.execute(
            sa.select(models.Cluster.uuid)
            .join(Note, sa.and_(Note.cluster_uuid == models.Cluster.uuid, Note.kind == UPGRADE))
            .where(models.Cluster.status.not_like('%_IN_PROGRESS'),
                   ~sa.exists().where(Operation.cluster_uuid == models.Cluster.uuid),
                   ~_has_nodegroup_in_progress())
            .limit(500)).scalars().all()


def _has_nodegroup_in_progress():
    return sa.exists().where(models.NodeGroup.cluster_id == models.Cluster.uuid,
                             models.NodeGroup.status.like('%_IN_PROGRESS'))


# Clusters to look at

def _free():
    """Nobody is at work for the cluster, and nothing is queued."""
    return (
        ~sa.exists().where(Operation.cluster_uuid == models.Cluster.uuid),
        ~sa.exists().where(Lock.cluster_uuid == models.Cluster.uuid))


@db_session.retrying
def to_poll(statuses, given_up_since):
    """Rows of free clusters in one of the statuses, or whose creation was given up lately."""
    lately = sa.exists().where(Note.cluster_uuid == models.Cluster.uuid, Note.kind == TIMEOUT,
                               Note.created_at >= given_up_since)
    with db_session.reader() as session:
        return session.execute(
            sa.select(models.Cluster)
            # The list by itself lets the database use its index on the status.
            .where(models.Cluster.status.in_([*statuses, 'CREATE_FAILED']),
                   sa.or_(models.Cluster.status != 'CREATE_FAILED', lately), *_free())
            .order_by(models.Cluster.id)).scalars().all()


@db_session.retrying
def given_up():
    """The same of clusters whose creation was given up, but may still be completed."""
    with db_session.reader() as session:
        return session.execute(
            sa.select(models.Cluster)
            .join(Note, sa.and_(Note.cluster_uuid == models.Cluster.uuid, Note.kind == TIMEOUT))
            .where(models.Cluster.status == 'CREATE_FAILED', *_free())
            .order_by(models.Cluster.id)).scalars().all()


@db_session.retrying
def half_failed():
    """The same of clusters where one operation has failed and the work of another goes on."""
    with db_session.reader() as session:
        return session.execute(
            sa.select(models.Cluster)
            .where(models.Cluster.status == 'UPDATE_FAILED', _has_nodegroup_in_progress(),
                   *_free())
            .order_by(models.Cluster.id)).scalars().all()


@db_session.retrying
def to_monitor(statuses, after_id, limit):
    """[(cluster row, template row or None)] of the next clusters, for a look at their health."""
    cluster, template = models.Cluster, models.ClusterTemplate
    with db_session.reader() as session:
        return session.execute(
            sa.select(cluster, template)
            .outerjoin(template, template.uuid == cluster.cluster_template_id)
            .where(cluster.status.in_(statuses), cluster.id > after_id)
            .order_by(cluster.id).limit(limit)).all()
