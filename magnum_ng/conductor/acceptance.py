# SPDX-License-Identifier: Apache-2.0
"""What it takes to accept an operation: one transaction each.

Each function locks the rows, compares them with the guard table, writes the new statuses and
sizes, and records the operation together with what an undo has to put back. It returns the
recorded operation, or None when there is nothing to do, and leaves the objects that it was given
as the rows now are. With ``owner``, a conductor accepts the operation for itself.
"""

from oslo_utils import uuidutils
import sqlalchemy as sa

from magnum_ng.common import counts
from magnum_ng.common import exception
import magnum_ng.conf
from magnum_ng.conductor import states
from magnum_ng.db import api as db_api
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.i18n import _

CONF = magnum_ng.conf.CONF

#: What a nodegroup's row is restored to when the operation fails, or is undone.
_PICTURE = ('status', 'status_reason', 'node_count')


def _wait(owner):
    return CONF.conductor.operation_lease if owner else CONF.conductor.operation_claim_timeout


def _load(obj, row):
    if obj is not None and row is not None:
        obj._from_db_object(obj, row)


def _lock(session, cluster):
    row = operations.lock_cluster(session, cluster.uuid)
    if row is None:
        raise exception.ClusterNotFound(cluster=cluster.uuid)
    return row


def _lock_nodegroup(session, cluster, nodegroup=None):
    """The row of a nodegroup, or of the default worker group."""
    group = models.NodeGroup
    if nodegroup is not None:
        where = (group.uuid == nodegroup.uuid,)
    else:
        where = (group.is_default.is_(True), group.role != 'master')
    rows = operations.lock_nodegroups(session, cluster.uuid, *where)
    if not rows:
        raise exception.NodeGroupNotFound(
            nodegroup=nodegroup.uuid if nodegroup is not None else 'default-worker')
    return rows[0]


def _check_bounds(row, node_count):
    below = node_count < (row.min_node_count or 0)
    above = row.max_node_count is not None and node_count > row.max_node_count
    if below or above:
        raise exception.NGResizeOutBounds(
            nodegroup=row.name, min_nc=row.min_node_count, max_nc=row.max_node_count)


def _accept(session, context, action, row, arguments, owner, group=None, changes=None,
            created=False):
    """Check the guard, picture the rows, change them, record the operation.

    :param created: cluster or nodegroup: the row that was inserted for it, after a check
    """
    guard = states.GUARDS[action]
    if not created:
        states.check(action, row.status, group.status if group is not None else None)
    before = {'cluster': {'status': row.status, 'status_reason': row.status_reason}}
    if guard.cluster_status:
        row.status, row.status_reason = guard.cluster_status, None
    if group is not None and not created:
        names = set(_PICTURE).union(changes or ())
        before['nodegroups'] = {group.uuid: {name: getattr(group, name) for name in names}}
        group.update(changes or {})
        group.status, group.status_reason = guard.nodegroup_status, None
    if created:
        before['created'] = created
    session.flush()
    return operations.record(
        session, context, action, row.uuid, arguments, before, _wait(owner), owner=owner,
        nodegroup_uuid=group.uuid if group is not None else None, alone=created == 'cluster')


# Clusters

@db_session.retrying
def create_cluster(context, cluster, master_count, node_count, create_timeout=None, owner=None,
                   check_quota=True):
    """The cluster, its two default nodegroups and the operation, within the project's quota.

    :raises ResourceLimitExceeded: the project has as many clusters as it may have
    :raises InvalidParameterValue: a label that bounds the worker group is no number
    """
    groups = default_nodegroups(cluster, master_count, node_count)
    if check_quota:
        operations.ensure_project_lock(cluster.project_id)
    with db_session.writer() as session:
        if check_quota:
            operations.lock_project(session, cluster.project_id)
            check_cluster_quota(session, cluster.project_id)
        row = insert_cluster(session, cluster, groups, states.S.CREATE_IN_PROGRESS)
        operation = _accept(
            session, context, states.CREATE, row, {'create_timeout': create_timeout}, owner,
            created='cluster')
        _load(cluster, row)
    return operation


def insert_cluster(session, cluster, groups, status, reason=None):
    values = cluster._column_changes()
    values.update(status=status, status_reason=reason)
    values['uuid'] = values.get('uuid') or uuidutils.generate_uuid()
    row = db_api.get_instance().create_cluster(values)
    session.execute(sa.insert(models.NodeGroup), [
        dict(group, cluster_id=row.uuid, status=status, status_reason=reason)
        for group in groups])
    return row


@db_session.retrying
def record_failed_creation(cluster, master_count, node_count, reason):
    """Make the cluster of a request that was answered already, but cannot be carried out."""
    groups = default_nodegroups(cluster, master_count, node_count, bounds=False)
    with db_session.writer() as session:
        row = insert_cluster(session, cluster, groups, states.S.CREATE_FAILED, reason)
        _load(cluster, row)


def check_cluster_quota(session, project_id):
    """Refuse when the project has as many clusters as its limit; call under the project's lock."""
    limit = session.execute(
        sa.select(models.Quota.hard_limit).where(
            models.Quota.project_id == project_id,
            models.Quota.resource == 'Cluster')).scalar()
    if limit is None:
        limit = CONF.quotas.max_clusters_per_project
    count = session.execute(
        sa.select(sa.func.count(models.Cluster.id))
        .where(models.Cluster.project_id == project_id)).scalar()
    if count >= limit:
        raise exception.ResourceLimitExceeded(msg=_(
            'You have reached the maximum clusters per project, %d. You may delete a cluster '
            'to make room for a new one.') % limit)


def default_nodegroups(cluster, master_count, node_count, bounds=True):
    """The values of the two nodegroups that every cluster has."""
    template = cluster.cluster_template
    given = {name: getattr(cluster, name) if cluster.obj_attr_is_set(name) else None
             for name in ('docker_volume_size', 'flavor_id', 'labels', 'master_flavor_id')}
    shared = {
        'project_id': cluster.project_id, 'is_default': True, 'image_id': template.image_id,
        'docker_volume_size': given['docker_volume_size'],
        'labels': dict(given['labels'] or {}),
        'node_addresses': [], 'node_labels': {}, 'node_taints': [],
    }
    worker_bounds = bounds_from_labels(given['labels']) if bounds else {}
    return [
        dict(shared, uuid=uuidutils.generate_uuid(), name='default-master', role='master',
             flavor_id=given['master_flavor_id'] or template.master_flavor_id,
             node_count=master_count, min_node_count=0, max_node_count=None),
        dict(shared, uuid=uuidutils.generate_uuid(), name='default-worker', role='worker',
             flavor_id=given['flavor_id'] or template.flavor_id, node_count=node_count,
             **dict({'min_node_count': 0, 'max_node_count': None}, **worker_bounds)),
    ]


def bounds_from_labels(labels):
    """``min_node_count`` and ``max_node_count``, as far as labels give them."""
    found = {name: counts.of_label(labels, name) for name in ('min_node_count', 'max_node_count')}
    return {name: count for name, count in found.items() if count is not None}


@db_session.retrying
def update_cluster(context, cluster, node_count, rollback=False, owner=None):
    """A new size of the default worker group; None when it has that size already."""
    with db_session.writer() as session:
        row = _lock(session, cluster)
        group = _lock_nodegroup(session, cluster)
        states.check(states.UPDATE, row.status, group.status)
        operation = None
        if node_count is not None and node_count != group.node_count:
            _check_bounds(group, node_count)
            operation = _accept(
                session, context, states.UPDATE, row,
                {'node_count': node_count, 'rollback': rollback}, owner, group,
                {'node_count': node_count})
        _load(cluster, row)
    return operation


@db_session.retrying
def resize_cluster(context, cluster, node_count, nodes_to_remove, nodegroup=None, owner=None):
    """A new size of a nodegroup. The same size is an operation too: nodes may be replaced."""
    with db_session.writer() as session:
        row = _lock(session, cluster)
        group = _lock_nodegroup(session, cluster, nodegroup)
        states.check(states.RESIZE, row.status, group.status)
        _check_bounds(group, node_count)
        operation = _accept(
            session, context, states.RESIZE, row,
            {'node_count': node_count, 'nodes_to_remove': nodes_to_remove}, owner, group,
            {'node_count': node_count})
        _load(cluster, row)
        _load(nodegroup, group)
    return operation


@db_session.retrying
def upgrade_cluster(context, cluster, cluster_template, max_batch_size, nodegroup,
                    rollback=False, owner=None):
    with db_session.writer() as session:
        row = _lock(session, cluster)
        group = _lock_nodegroup(session, cluster, nodegroup)
        operation = _accept(
            session, context, states.UPGRADE, row,
            {'cluster_template': cluster_template.uuid, 'max_batch_size': max_batch_size,
             'rollback': rollback}, owner, group)
        _load(cluster, row)
        _load(nodegroup, group)
    return operation


@db_session.retrying
def delete_cluster(context, cluster, owner=None):
    """The deletion of a cluster, whatever its status; None while one is under way."""
    with db_session.writer() as session:
        row = _lock(session, cluster)
        operation = None
        if row.status not in states.DELETING:
            operation = _accept(session, context, states.DELETE, row, {}, owner)
        _load(cluster, row)
    return operation


@db_session.retrying
def rotate(context, action, cluster, owner=None):
    """The rotation of certificates or of credentials."""
    with db_session.writer() as session:
        row = _lock(session, cluster)
        operation = _accept(session, context, action, row, {}, owner)
        _load(cluster, row)
    return operation


# Nodegroups

@db_session.retrying
def create_nodegroup(context, cluster, nodegroup, owner=None):
    with db_session.writer() as session:
        row = _lock(session, cluster)
        states.check(states.NODEGROUP_CREATE, row.status)
        values = nodegroup._column_changes()
        values.update(status=states.S.CREATE_IN_PROGRESS, status_reason=None,
                      cluster_id=row.uuid)
        values['uuid'] = values.get('uuid') or uuidutils.generate_uuid()
        group = db_api.get_instance().create_nodegroup(values)
        operation = _accept(session, context, states.NODEGROUP_CREATE, row, {}, owner, group,
                            created='nodegroup')
        _load(cluster, row)
        _load(nodegroup, group)
    return operation


@db_session.retrying
def update_nodegroup(context, cluster, nodegroup, owner=None):
    """The pending changes of the nodegroup object, written."""
    changes = nodegroup._column_changes()
    for name in ('id', 'uuid', 'status', 'status_reason', 'created_at', 'updated_at'):
        changes.pop(name, None)
    with db_session.writer() as session:
        row = _lock(session, cluster)
        group = _lock_nodegroup(session, cluster, nodegroup)
        operation = _accept(session, context, states.NODEGROUP_UPDATE, row, {}, owner, group,
                            changes)
        _load(cluster, row)
        _load(nodegroup, group)
    return operation


@db_session.retrying
def delete_nodegroup(context, cluster, nodegroup, owner=None):
    """The deletion of a nodegroup; None while one is under way."""
    with db_session.writer() as session:
        row = _lock(session, cluster)
        group = _lock_nodegroup(session, cluster, nodegroup)
        if group.is_default:
            raise exception.DeletingDefaultNGNotSupported()
        operation = None
        if group.status in states.DELETING:
            if row.status in states.DELETING:
                states.check(states.NODEGROUP_DELETE, row.status)
        else:
            operation = _accept(session, context, states.NODEGROUP_DELETE, row, {}, owner, group)
        _load(cluster, row)
        _load(nodegroup, group)
    return operation


# No operation

@db_session.retrying
def report_health(cluster, health_status, health_status_reason):
    """Store what somebody found out about the health of the cluster, whatever its status."""
    with db_session.writer() as session:
        row = _lock(session, cluster)
        row.health_status = health_status
        row.health_status_reason = {
            key: str(value) for key, value in (health_status_reason or {}).items()}
        session.flush()
        _load(cluster, row)
