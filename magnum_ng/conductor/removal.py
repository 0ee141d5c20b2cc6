# SPDX-License-Identifier: Apache-2.0
"""The end of a cluster: its certificates, its nodegroups, its row, and what is known about it."""

import sqlalchemy as sa

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session

LOG = logging.getLogger(__name__)


def delete_rows(session, cluster_uuid):
    """Everything that the database holds of a cluster, in the caller's transaction."""
    session.execute(sa.delete(models.NodeGroup).where(
        models.NodeGroup.cluster_id == cluster_uuid))
    operations.remove_all(session, cluster_uuid)
    operations.forget(session, cluster_uuid)
    session.execute(sa.delete(operations.Lock).where(
        operations.Lock.cluster_uuid == cluster_uuid))
    session.execute(sa.delete(models.Cluster).where(models.Cluster.uuid == cluster_uuid))


def delete_retired(context, cluster):
    """Delete the certificates that have been replaced, and forget about them.

    Returns the references of what could not be deleted.
    """
    with db_session.reader() as session:
        notes = operations.retired(session, cluster.uuid)
    return _delete_noted(context, cluster, notes) if notes else []


@db_session.retrying
def _delete_noted(context, cluster, notes):
    # Keys that are kept in the database go together with the notes.
    with db_session.writer() as session:
        left = cert_manager.delete_certificates(notes, cluster, context)
        operations.forget(session, cluster.uuid, list(notes))
    return left


def complete(context, cluster):
    """Remove a cluster that the driver has reported as deleted.

    Returns the references of certificates that could not be deleted.
    """
    with db_session.reader() as session:
        notes = operations.retired(session, cluster.uuid)
    left = _delete_all(context, cluster, notes)
    LOG.info('Cluster %s has been deleted', cluster.uuid)
    return left


@db_session.retrying
def _delete_all(context, cluster, notes):
    # One transaction for the rows and, where they are kept in the database, the keys. It begins
    # with its first statement, so other back ends are done with before it.
    with db_session.writer() as session:
        left = cert_manager.delete_certificates(notes, cluster, context) if notes else []
        left = left + cert_manager.delete_certificates_from_cluster(cluster, context)
        operations.lock_cluster(session, cluster.uuid)
        delete_rows(session, cluster.uuid)
    return left


def force(context, cluster):
    """Remove a cluster without asking its driver. Returns what is left in the cloud.

    :raises Conflict: the driver is at work for it
    """
    nodegroups = cluster.nodegroups
    with db_session.reader() as session:
        if operations.is_running(session, cluster.uuid):
            raise exception.OperationInProgress(cluster_name=cluster.name or cluster.uuid,
                                                code=409)
    certificates = complete(context, cluster)
    LOG.warning('Cluster %(uuid)s was removed by force; stack %(stack)s may be left in the cloud',
                {'uuid': cluster.uuid, 'stack': cluster.stack_id})
    return {
        'uuid': cluster.uuid,
        'name': cluster.name,
        'project_id': cluster.project_id,
        'stack_id': cluster.stack_id,
        'api_address': cluster.api_address,
        'certificates': certificates,
        'nodegroups': [
            {'uuid': group.uuid, 'name': group.name, 'stack_id': group.stack_id,
             'node_count': group.node_count, 'node_addresses': list(group.node_addresses or ())}
            for group in nodegroups],
    }
