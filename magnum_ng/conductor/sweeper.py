# SPDX-License-Identifier: Apache-2.0
"""Clean up after those who cannot any more: lost messages and dead conductors.

Every conductor does it. What somebody has begun ends with the condition that it is still as it
was found, so two that sweep at once do nothing twice.
"""

import os

from oslo_db import exception as db_exc
import sqlalchemy as sa

from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.conductor import notifications
from magnum_ng.conductor import outcome
from magnum_ng.conductor import reasons
from magnum_ng.conductor import removal
from magnum_ng.conductor import states
import magnum_ng.conf
from magnum_ng.db import api as db_api
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng import objects

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

#: Seconds between two sweeps, unless leases are shorter.
INTERVAL = 15

UNCLAIMED = 'No conductor has taken up the request. Please try again.'
ABANDONED = ('The conductor that was carrying out the request has stopped in the middle of it. '
             'Please try again.')


def interval():
    return min(INTERVAL, CONF.conductor.operation_lease / 2)


class Sweeper:
    def __init__(self):
        self._sweeps = 0

    def sweep(self):
        self._each(self._fail, operations.expired())
        removed = operations.remove_expired_locks()
        if removed:
            LOG.warning('%d locks of conductors that have gone silent were removed', removed)
        self._each(self._finish, operations.forgotten_upgrades())
        self._each(self._delete_retired,
                   operations.forgotten_certificates(CONF.conductor.operation_lease))
        if self._sweeps % 40 == 0:
            db_api.get_instance().expire_magnum_services(CONF.conductor.service_expire_time)
            purge_certificate_files()
        self._sweeps += 1

    @staticmethod
    def _each(clean, found):
        """One that cannot be cleaned up must not keep the others from it."""
        for item in found:
            try:
                clean(item)
            except db_exc.DBConnectionError:
                raise
            except Exception as error:
                LOG.error('What somebody has left behind could not be cleaned up: %s',
                          reasons.short(error))

    @staticmethod
    def _fail(operation):
        reason = ABANDONED if operation.owner else UNCLAIMED
        if not outcome.fail(operation.uuid, operation.cluster_uuid, operation.owner, reason,
                            expired=True):
            return
        LOG.error('%(action)s of cluster %(cluster)s has failed: %(reason)s',
                  {'action': operation.action, 'cluster': operation.cluster_uuid,
                   'reason': reason})
        action = states.NOTIFIED.get(operation.action)
        cluster = _cluster(operation.cluster_uuid)
        if cluster is None:
            return
        removal.delete_retired(cluster._context, cluster)
        if action:
            notifications.notify_about_cluster_operation(
                cluster._context, action, 'failure', cluster)

    @staticmethod
    def _delete_retired(uuid):
        cluster = _cluster(uuid)
        if cluster is not None:
            removal.delete_retired(cluster._context, cluster)

    @staticmethod
    def _finish(uuid):
        # Late: the poller is above the conductor's own modules.
        from magnum_ng.service import status

        status.finish(magnum_context.make_admin_context(all_tenants=True), uuid)


def _cluster(uuid):
    context = magnum_context.make_admin_context(all_tenants=True)
    try:
        return objects.Cluster.get_by_uuid(context, uuid)
    except exception.ClusterNotFound:
        return None


def purge_certificate_files():
    """Remove the files made for clusters that do not exist any more."""
    try:
        names = os.listdir(CONF.cluster.temp_cache_dir)
    except OSError:
        return
    if not names:
        return
    with db_session.reader() as session:
        known = session.execute(
            sa.select(models.Cluster.uuid).where(models.Cluster.uuid.in_(names))).scalars().all()
    cert_manager.purge_client_files(known)
