# SPDX-License-Identifier: Apache-2.0
"""Decide, then hand over: what the API does with every request that changes a cluster.

Each function is a context manager. Entering it decides in one transaction; what is refused is
refused there. The body sends the message to a conductor. When the broker does not take it, the
decision is undone and the caller gets a 503; when a conductor takes longer to answer than the
caller can wait, the request counts as accepted: it is recorded, and its outcome will be.
"""

import contextlib
import functools

import oslo_messaging as messaging

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.conductor import acceptance
from magnum_ng.conductor import outcome
from magnum_ng.conductor import reasons
from magnum_ng.conductor import removal
from magnum_ng.conductor import states
from magnum_ng.servicegroup import fleet

LOG = logging.getLogger(__name__)

_BROKER_MODULES = ('amqp', 'kombu', 'oslo_messaging')


def _is_broker_error(error):
    return isinstance(error, (messaging.MessagingException, OSError)) or (
        type(error).__module__.partition('.')[0] in _BROKER_MODULES)


@contextlib.contextmanager
def _handing_over(context, operation, *objs):
    if operation is None:
        yield None
        return
    context.operation = operation.uuid
    try:
        yield operation
    except messaging.MessagingTimeout:
        LOG.info('The conductor has not answered in time; %(action)s of cluster %(cluster)s '
                 'goes on.', {'action': operation.action, 'cluster': operation.cluster_uuid})
    except Exception as error:
        # An operation that a conductor has claimed is its own to end.
        undone = outcome.undo(operation.uuid, operation.cluster_uuid, owner=None)
        _refresh(objs)
        if not _is_broker_error(error) or isinstance(error, messaging.RemoteError):
            raise
        LOG.error('%(action)s of cluster %(cluster)s could not be handed over: %(error)s',
                  {'action': operation.action, 'cluster': operation.cluster_uuid,
                   'error': reasons.short(error)})
        if undone:
            raise exception.ConductorUnavailable() from error
    finally:
        context.operation = None


def _refresh(objs):
    for obj in objs:
        # What the undo has removed cannot be read again, and is not needed.
        with contextlib.suppress(exception.ObjectNotFound):
            obj.refresh()


def _decision(function):
    """A context manager of those below."""
    manager = contextlib.contextmanager(function)

    @functools.wraps(function)
    def decide(*args, **kwargs):
        fleet.check()
        return manager(*args, **kwargs)

    return decide


@_decision
def create_cluster(context, cluster, master_count, node_count, create_timeout=None):
    """403 when the project's quota is used up."""
    operation = acceptance.create_cluster(
        context, cluster, master_count, node_count, create_timeout)
    with _handing_over(context, operation):
        yield operation


@_decision
def update_cluster(context, cluster, node_count, rollback=False):
    """A size of the default worker group. Yields None when there is nothing to do."""
    operation = acceptance.update_cluster(context, cluster, node_count, rollback)
    with _handing_over(context, operation, cluster):
        yield operation


@_decision
def resize_cluster(context, cluster, node_count, nodes_to_remove, nodegroup):
    operation = acceptance.resize_cluster(
        context, cluster, node_count, nodes_to_remove, nodegroup)
    with _handing_over(context, operation, cluster, nodegroup):
        yield operation


@_decision
def upgrade_cluster(context, cluster, cluster_template, max_batch_size, nodegroup,
                    rollback=False):
    operation = acceptance.upgrade_cluster(
        context, cluster, cluster_template, max_batch_size, nodegroup, rollback)
    with _handing_over(context, operation, cluster, nodegroup):
        yield operation


@_decision
def delete_cluster(context, cluster):
    """Yields None while a deletion is under way: then there is nothing to send."""
    operation = acceptance.delete_cluster(context, cluster)
    with _handing_over(context, operation, cluster):
        yield operation


@_decision
def create_nodegroup(context, cluster, nodegroup):
    operation = acceptance.create_nodegroup(context, cluster, nodegroup)
    with _handing_over(context, operation, cluster):
        yield operation


@_decision
def update_nodegroup(context, cluster, nodegroup):
    operation = acceptance.update_nodegroup(context, cluster, nodegroup)
    with _handing_over(context, operation, cluster, nodegroup):
        yield operation


@_decision
def delete_nodegroup(context, cluster, nodegroup):
    """Yields None while a deletion is under way: then there is nothing to send."""
    operation = acceptance.delete_nodegroup(context, cluster, nodegroup)
    with _handing_over(context, operation, cluster, nodegroup):
        yield operation


@_decision
def rotate_ca_certificate(context, cluster):
    operation = acceptance.rotate(context, states.ROTATE_CA, cluster)
    with _handing_over(context, operation, cluster):
        yield operation


@_decision
def rotate_credential(context, cluster):
    operation = acceptance.rotate(context, states.ROTATE_CREDENTIAL, cluster)
    with _handing_over(context, operation, cluster):
        yield operation


def report_health(context, cluster, health_status, health_status_reason):
    """Store a health report: at once, in any status, and nothing but the report."""
    acceptance.report_health(cluster, health_status, health_status_reason)


def force_delete_cluster(context, cluster):
    """Remove the record of a cluster without its driver. Returns what is left in the cloud."""
    return removal.force(context, cluster)
