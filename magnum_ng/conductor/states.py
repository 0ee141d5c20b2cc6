# SPDX-License-Identifier: Apache-2.0
"""The guard table: which operation is allowed in which status.

Everything that decides about an operation reads this table: the API, the conductor, the tests
that walk every operation through every status, and the diagram in the documentation.
"""

import typing

from magnum_ng.common import exception
from magnum_ng.i18n import _
from magnum_ng.objects import fields

S = fields.ClusterStatus

#: Nothing is going on and nothing went wrong.
SETTLED = frozenset({
    S.CREATE_COMPLETE, S.UPDATE_COMPLETE, S.RESUME_COMPLETE, S.RESTORE_COMPLETE,
    S.ROLLBACK_COMPLETE, S.SNAPSHOT_COMPLETE, S.CHECK_COMPLETE, S.ADOPT_COMPLETE})

#: An update is going on (more may be queued behind it), or has failed and may be tried again.
RETRY = frozenset({S.UPDATE_IN_PROGRESS, S.UPDATE_FAILED})

#: The cluster is being deleted, or is gone.
DELETING = frozenset({S.DELETE_IN_PROGRESS, S.DELETE_COMPLETE})

#: The driver is asked until it reports the end.
IN_PROGRESS = frozenset({
    S.CREATE_IN_PROGRESS, S.UPDATE_IN_PROGRESS, S.DELETE_IN_PROGRESS, S.ROLLBACK_IN_PROGRESS})

#: Clusters whose health is asked for.
HEALTH_POLLED = frozenset({
    S.CREATE_IN_PROGRESS, S.CREATE_FAILED, S.CREATE_COMPLETE, S.UPDATE_IN_PROGRESS,
    S.UPDATE_COMPLETE, S.UPDATE_FAILED, S.DELETE_IN_PROGRESS, S.DELETE_FAILED,
    S.ROLLBACK_IN_PROGRESS})

EVERY = frozenset(S.ALL)

#: A nodegroup that exists in the cloud and is not about to go.
_LIVE = EVERY - DELETING - {S.DELETE_FAILED, S.CREATE_FAILED}


class Guard(typing.NamedTuple):
    """What an operation needs, and what it makes of the statuses.

    ``doing`` is how a refusal names it. ``cluster`` and ``nodegroup`` are the statuses in which
    it is allowed (``nodegroup``: of the nodegroup it works on, if it works on one; a nodegroup
    without a status never refuses). ``cluster_status`` and ``nodegroup_status`` are written when
    it is accepted (None: left alone), ``failed`` and ``nodegroup_failed`` when it has failed.
    """

    doing: str
    cluster: frozenset
    cluster_status: str | None
    failed: str
    nodegroup: frozenset = EVERY
    nodegroup_status: str | None = None
    nodegroup_failed: str | None = None
    doing_nodegroup: str | None = None


CREATE = 'create'
UPDATE = 'update'
RESIZE = 'resize'
UPGRADE = 'upgrade'
DELETE = 'delete'
NODEGROUP_CREATE = 'nodegroup_create'
NODEGROUP_UPDATE = 'nodegroup_update'
NODEGROUP_DELETE = 'nodegroup_delete'
ROTATE_CA = 'rotate_ca_certificate'
ROTATE_CREDENTIAL = 'rotate_credential'

_UPDATING = (S.UPDATE_IN_PROGRESS, S.UPDATE_FAILED)

GUARDS = {
    CREATE: Guard(_('Creating a cluster'), frozenset(), S.CREATE_IN_PROGRESS, S.CREATE_FAILED,
                  EVERY, S.CREATE_IN_PROGRESS, S.CREATE_FAILED),
    UPDATE: Guard(_('Updating a cluster'), SETTLED, *_UPDATING, _LIVE, *_UPDATING),
    RESIZE: Guard(_('Resizing a cluster'), SETTLED | RETRY, *_UPDATING, _LIVE, *_UPDATING,
                  doing_nodegroup=_('Resizing a nodegroup')),
    UPGRADE: Guard(_('Upgrading a cluster'), SETTLED | {S.UPDATE_FAILED}, *_UPDATING, _LIVE,
                   *_UPDATING, doing_nodegroup=_('Upgrading a nodegroup')),
    DELETE: Guard(_('Deleting a cluster'), EVERY, S.DELETE_IN_PROGRESS, S.DELETE_FAILED),
    NODEGROUP_CREATE: Guard(_('Creating a nodegroup of a cluster'), SETTLED | RETRY, *_UPDATING,
                            EVERY, S.CREATE_IN_PROGRESS, S.CREATE_FAILED),
    NODEGROUP_UPDATE: Guard(_('Updating a nodegroup of a cluster'), SETTLED | RETRY, *_UPDATING,
                            SETTLED | RETRY, *_UPDATING,
                            doing_nodegroup=_('Updating a nodegroup')),
    NODEGROUP_DELETE: Guard(_('Deleting a nodegroup of a cluster'),
                            SETTLED | RETRY | {S.ROLLBACK_FAILED, S.RESUME_FAILED}, *_UPDATING,
                            EVERY, S.DELETE_IN_PROGRESS, S.DELETE_FAILED),
    ROTATE_CA: Guard(_('Updating a cluster'), SETTLED | {S.UPDATE_FAILED}, *_UPDATING),
    ROTATE_CREDENTIAL: Guard(_('Rotating the credential of a cluster'), SETTLED | RETRY, None,
                             S.UPDATE_FAILED),
}

#: Which notification tells of an operation; nodegroup operations and credential rotation tell none.
NOTIFIED = {CREATE: 'create', UPDATE: 'update', RESIZE: 'update', UPGRADE: 'update',
            DELETE: 'delete', ROTATE_CA: 'update'}


def check(action, status, nodegroup_status=None):
    """Refuse what the table does not allow.

    :raises OperationNotAllowed: 409; the text tells the status that stands in the way
    """
    guard = GUARDS[action]
    if status not in guard.cluster:
        raise exception.OperationNotAllowed(operation=guard.doing, status=status)
    if nodegroup_status is not None and nodegroup_status not in guard.nodegroup:
        raise exception.OperationNotAllowed(
            operation=guard.doing_nodegroup or guard.doing, status=nodegroup_status)
