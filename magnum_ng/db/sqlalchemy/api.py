# SPDX-License-Identifier: Apache-2.0
"""The methods that read and write the database.

Names and arguments are those of the original. Rows are returned detached, complete and in a
total order. ``context`` decides what is visible: an administrator who asks for all tenants sees
everything, everybody else what belongs to the own project (or, without one, to the user).

``update_*`` and ``destroy_*`` look at no context: the caller has read the row before.
"""

import datetime
import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import sqlalchemy as sa
from oslo_db import exception as db_exc
from oslo_utils import timeutils, uuidutils

from magnum_ng.common import exception
from magnum_ng.db.sqlalchemy import models, paging, session, values as checks
from magnum_ng.db.sqlalchemy.conditions import (
    FEDERATION_FILTERS, NODEGROUP_FILTERS, QUOTA_FILTERS, TEMPLATE_FILTERS, by_id,
    cluster_filters, equals, filtered, identity, own, owner, sees_everything, visible,
    visible_nodegroup)
from magnum_ng.i18n import _

get_engine = session.get_engine
reader = session.reader
writer = session.writer


class Kind(NamedTuple):
    """A table and the errors that speak of its rows."""

    model: type
    not_found: Any
    already_exists: Any
    several: str = ''
    frozen_uuid: str = ''


CLUSTER = Kind(
    models.Cluster,
    lambda key: exception.ClusterNotFound(cluster=key),
    lambda row: exception.ClusterAlreadyExists(uuid=row['uuid']),
    _('Multiple clusters exist with same name. Please use the cluster uuid instead.'),
    _('Cannot overwrite UUID for an existing Cluster.'))
TEMPLATE = Kind(
    models.ClusterTemplate,
    lambda key: exception.ClusterTemplateNotFound(clustertemplate=key),
    lambda row: exception.ClusterTemplateAlreadyExists(uuid=row['uuid']),
    _('Multiple ClusterTemplates exist with same name. Please use the ClusterTemplate uuid '
      'instead.'),
    _('Cannot overwrite UUID for an existing ClusterTemplate.'))
NODEGROUP = Kind(
    models.NodeGroup,
    lambda key: exception.NodeGroupNotFound(nodegroup=key),
    lambda row: exception.NodeGroupAlreadyExists(name=row['name'], cluster_id=row['cluster_id']),
    _('Multiple nodegroups exist with same name. Please use the nodegroup uuid instead.'))
KEYPAIR = Kind(
    models.X509KeyPair,
    lambda key: exception.X509KeyPairNotFound(x509keypair=key),
    lambda row: exception.X509KeyPairAlreadyExists(uuid=row['uuid']),
    frozen_uuid=_('Cannot overwrite UUID for an existing X509KeyPair.'))
SERVICE = Kind(
    models.MagnumService,
    lambda key: exception.MagnumServiceNotFound(magnum_service_id=key),
    lambda row: exception.MagnumServiceAlreadyExists(id=row['id']))
QUOTA = Kind(
    models.Quota,
    lambda key: exception.QuotaNotFound(msg=key),
    lambda row: exception.QuotaAlreadyExists(
        project_id=row['project_id'], resource=row['resource']))
FEDERATION = Kind(
    models.Federation,
    lambda key: exception.FederationNotFound(federation=key),
    lambda row: exception.FederationAlreadyExists(uuid=row['uuid']),
    _('Multiple federations exist with same name. Please use the federation uuid instead.'),
    _('Cannot overwrite UUID for an existing Federation.'))


# Five helpers that everything else is made of.

@session.retrying_read
def _get(kind: Kind, key: Any, *conditions: Any, own: Any = None) -> Any:
    """Return the one row that meets the conditions.

    :param key: what the caller asked for, to say so when there is none
    :param own: where several rows match, one that meets this condition wins
    """
    select = sa.select(kind.model).where(*conditions)
    if own is not None:
        select = select.order_by(sa.case((own, 0), else_=1))
        select = select.add_columns(sa.case((own, 1), else_=0))
    with reader() as db:
        found = db.execute(select.limit(2)).all()
    if not found:
        raise kind.not_found(key)
    if len(found) == 2 and (own is None or found[0][1] == found[1][1]):
        raise exception.Conflict(kind.several)
    return found[0][0]


@session.retrying_read
def _list(kind: Kind, select: Any, limit=None, marker=None, sort_key=None, sort_dir=None) -> list:
    """Return the rows of one page."""
    with reader() as db:
        if isinstance(marker, str):
            marker = _get(kind, marker, equals(kind.model.uuid, marker))
        return list(db.scalars(paging.page(
            select, kind.model, db.dialect_name, limit, marker, sort_key, sort_dir)))


@session.retrying
def _create(kind: Kind, values: dict[str, Any]) -> Any:
    """Insert a row; a row without a UUID gets one."""
    if 'uuid' in kind.model.__table__.columns and not values.get('uuid'):
        values['uuid'] = uuidutils.generate_uuid()
    checks.check(kind.model, values)
    row = kind.model()
    row.update(values)
    with writer() as db:
        db.add(row)
        try:
            db.flush()
        except db_exc.DBDuplicateEntry as error:
            raise kind.already_exists(row) from error
        except db_exc.DBError as error:
            raise _refusal(error) from error
    return row


@session.retrying
def _update(kind: Kind, key: Any, condition: Any, values: dict[str, Any], allowed=None) -> Any:
    """Change the row that meets the condition, under its lock.

    :param allowed: called with the session and the row as it is; tells whether to go on
    :returns: the row, or None if the change was not allowed
    """
    if kind.frozen_uuid and 'uuid' in values:
        raise exception.InvalidParameterValue(err=kind.frozen_uuid)
    checks.check(kind.model, values)
    with writer() as db:
        row = db.scalars(sa.select(kind.model).where(condition).with_for_update()).first()
        if row is None:
            raise kind.not_found(key)
        if allowed is not None and not allowed(db, row):
            return None
        row.update(values)
        # When the statement fails the row forgets what it was to become.
        wanted = row.as_dict()
        try:
            db.flush()
        except db_exc.DBDuplicateEntry as error:
            raise kind.already_exists(wanted) from error
        except db_exc.DBError as error:
            raise _refusal(error) from error
        return row


@session.retrying
def _delete(kind: Kind, key: Any, condition: Any) -> None:
    """Delete the row that meets the condition."""
    with writer() as db:
        if not db.execute(sa.delete(kind.model).where(condition)).rowcount:
            raise kind.not_found(key)


@functools.cache
def _cluster_by_uuid(column: str | None) -> Any:
    """Return the statement for a cluster, of an owner unless ``column`` is None.

    It is what most requests begin with, and making it costs as much as reading the row.
    """
    model = models.Cluster
    select = sa.select(model).where(model.uuid == sa.bindparam('uuid'))
    return select if column is None else select.where(
        getattr(model, column) == sa.bindparam('owner'))


@session.retrying_read
def _row(select: Any, parameters: dict[str, Any]) -> Any:
    with reader() as db:
        return db.scalars(select, parameters).first()


@session.retrying_read
def _scalar(select: Any) -> Any:
    with reader() as db:
        return db.scalar(select)


# What MySQL says of a text with characters that the column's character set does not have.
_WRONG_CHARACTERS = 1366


def _refusal(error: db_exc.DBError) -> Exception:
    """Return the error for the caller: a value that cannot be stored is the caller's mistake."""
    arguments = getattr(getattr(error.inner_exception, 'orig', None), 'args', ())
    if isinstance(error, db_exc.DBDataError) or _WRONG_CHARACTERS in arguments[:1]:
        return exception.InvalidParameterValue(
            err=_('The database cannot store one of the values: it is too long, too large or '
                  'contains characters that the table does not hold.'))
    return error


class Connection:
    """All of it; get it through :func:`magnum_ng.db.api.get_instance`."""

    # Clusters

    def get_cluster_list(self, context, filters=None, limit=None, marker=None, sort_key=None,
                         sort_dir=None):
        """Return visible clusters."""
        model = models.Cluster
        select = cluster_filters(sa.select(model).where(visible(context, model)), filters)
        return _list(CLUSTER, select, limit, marker, sort_key, sort_dir)

    def create_cluster(self, values):
        """Insert a cluster."""
        return _create(CLUSTER, values)

    def get_cluster_by_id(self, context, cluster_id):
        """Return a visible cluster."""
        model = models.Cluster
        return _get(CLUSTER, cluster_id, by_id(model, cluster_id), visible(context, model))

    def get_cluster_by_name(self, context, cluster_name):
        """Return the visible cluster of that name; one of the own project wins."""
        return _by_name(CLUSTER, context, cluster_name)

    def get_cluster_by_uuid(self, context, cluster_uuid):
        """Return a visible cluster."""
        model = models.Cluster
        if not (isinstance(cluster_uuid, str) and cluster_uuid.isascii()
                and checks.representable(cluster_uuid)):
            return _get(CLUSTER, cluster_uuid, equals(model.uuid, cluster_uuid),
                        visible(context, model))
        column, value = (None, None) if sees_everything(context) else owner(context)
        row = _row(_cluster_by_uuid(column), {'uuid': cluster_uuid, 'owner': value})
        if row is None:
            raise CLUSTER.not_found(cluster_uuid)
        return row

    def get_cluster_count_all(self, context, filters=None):
        """Return the number of visible clusters."""
        model = models.Cluster
        return _scalar(cluster_filters(
            sa.select(sa.func.count(model.id)).where(visible(context, model)), filters))

    def get_cluster_stats(self, context, project_id=None):
        """Return the numbers of clusters and of nodes, of a project or of all."""
        groups = models.NodeGroup
        clusters = sa.select(sa.func.count(models.Cluster.id))
        nodes = sa.select(sa.func.sum(groups.node_count)).where(
            sa.func.coalesce(groups.status, '') != 'DELETE_COMPLETE')
        if project_id:
            clusters = clusters.where(models.Cluster.project_id == project_id)
            nodes = nodes.where(groups.project_id == project_id)
        return _stats(clusters, nodes)

    def update_cluster(self, cluster_id, values, expect_status=None):
        """Change a cluster.

        :param expect_status: change it only while this is its status
        :returns: the row; None if the status was another one, and then nothing has changed
        """
        def unchanged(db, row):
            return expect_status is None or row.status == expect_status

        return _update(CLUSTER, cluster_id, identity(models.Cluster, cluster_id), values,
                       unchanged)

    @session.retrying
    def destroy_cluster(self, cluster_id):
        """Delete a cluster together with its nodegroups."""
        cluster, groups = models.Cluster, models.NodeGroup
        condition = identity(cluster, cluster_id)
        with writer() as db:
            uuid = db.scalar(sa.select(cluster.uuid).where(condition))
            if uuid is not None:
                db.execute(sa.delete(groups).where(groups.cluster_id == uuid))
            _delete(CLUSTER, cluster_id, condition)

    # Templates

    def get_cluster_template_list(self, context, filters=None, limit=None, marker=None,
                                  sort_key=None, sort_dir=None):
        """Return visible templates."""
        model = models.ClusterTemplate
        select = filtered(sa.select(model).where(visible(context, model)), model, filters,
                           TEMPLATE_FILTERS)
        return _list(TEMPLATE, select, limit, marker, sort_key, sort_dir)

    def create_cluster_template(self, values):
        """Insert a template."""
        return _create(TEMPLATE, values)

    def get_cluster_template_by_id(self, context, cluster_template_id):
        """Return a visible template."""
        model = models.ClusterTemplate
        return _get(TEMPLATE, cluster_template_id, by_id(model, cluster_template_id),
                    visible(context, model))

    def get_cluster_template_by_uuid(self, context, cluster_template_uuid):
        """Return a visible template."""
        model = models.ClusterTemplate
        return _get(TEMPLATE, cluster_template_uuid, equals(model.uuid, cluster_template_uuid),
                    visible(context, model))

    def get_cluster_template_by_name(self, context, cluster_template_name):
        """Return the visible template of that name; one of the own project wins."""
        return _by_name(TEMPLATE, context, cluster_template_name)

    @session.retrying_read
    def get_cluster_templates_by_uuids(self, uuids: Iterable[str]) -> dict:
        """Return templates by UUID, whoever owns them: clusters keep the one they came from."""
        wanted = {uuid for uuid in uuids if uuid}
        if not wanted:
            return {}
        model = models.ClusterTemplate
        with reader() as db:
            return {row.uuid: row
                    for row in db.scalars(sa.select(model).where(model.uuid.in_(wanted)))}

    @session.retrying
    def destroy_cluster_template(self, cluster_template_id):
        """Delete a template that no cluster refers to."""
        model = models.ClusterTemplate
        condition = identity(model, cluster_template_id)
        with writer() as db:
            uuid = db.scalar(sa.select(model.uuid).where(condition).with_for_update())
            if uuid is not None and _in_use(db, uuid):
                raise exception.ClusterTemplateReferenced(clustertemplate=cluster_template_id)
            _delete(TEMPLATE, cluster_template_id, condition)

    def update_cluster_template(self, cluster_template_id, values):
        """Change a template; one that clusters refer to only in what they do not depend on."""
        def free_to_change(db, row):
            if not _harmless(values) and _in_use(db, row.uuid):
                raise exception.ClusterTemplateReferenced(clustertemplate=cluster_template_id)
            return True

        return _update(TEMPLATE, cluster_template_id,
                       identity(models.ClusterTemplate, cluster_template_id), values,
                       free_to_change)

    # Nodegroups

    def create_nodegroup(self, values):
        """Insert a nodegroup."""
        return _create(NODEGROUP, values)

    def destroy_nodegroup(self, cluster_id, nodegroup_id):
        """Delete a nodegroup of a cluster."""
        _delete(NODEGROUP, nodegroup_id, _nodegroup(cluster_id, nodegroup_id))

    def update_nodegroup(self, cluster_id, nodegroup_id, values):
        """Change a nodegroup of a cluster."""
        return _update(NODEGROUP, nodegroup_id, _nodegroup(cluster_id, nodegroup_id), values)

    def get_nodegroup_by_id(self, context, cluster_id, nodegroup_id):
        """Return a visible nodegroup of a cluster."""
        model = models.NodeGroup
        return _get(NODEGROUP, nodegroup_id, model.cluster_id == cluster_id,
                    by_id(model, nodegroup_id), visible_nodegroup(context))

    def get_nodegroup_by_uuid(self, context, cluster_id, nodegroup_uuid):
        """Return a visible nodegroup of a cluster."""
        model = models.NodeGroup
        return _get(NODEGROUP, nodegroup_uuid, model.cluster_id == cluster_id,
                    equals(model.uuid, nodegroup_uuid), visible_nodegroup(context))

    def get_nodegroup_by_name(self, context, cluster_id, nodegroup_name):
        """Return a visible nodegroup of a cluster."""
        model = models.NodeGroup
        return _get(NODEGROUP, nodegroup_name, model.cluster_id == cluster_id,
                    equals(model.name, nodegroup_name), visible_nodegroup(context))

    def list_cluster_nodegroups(self, context, cluster_id, filters=None, limit=None, marker=None,
                                sort_key=None, sort_dir=None):
        """Return the visible nodegroups of a cluster."""
        model = models.NodeGroup
        select = sa.select(model).where(
            model.cluster_id == cluster_id, visible_nodegroup(context))
        select = filtered(select, model, filters, NODEGROUP_FILTERS)
        return _list(NODEGROUP, select, limit, marker, sort_key, sort_dir)

    @session.retrying_read
    def get_nodegroups_of_clusters(self, context, cluster_uuids: Iterable[str]) -> dict:
        """Return the nodegroups of clusters that the caller has read, by cluster UUID."""
        found: dict[str, list] = {uuid: [] for uuid in cluster_uuids}
        if found:
            model = models.NodeGroup
            with reader() as db:
                rows = list(db.scalars(sa.select(model).where(model.cluster_id.in_(found))))
            # Here it costs nothing; a database would write the wide rows to a file for it.
            rows.sort(key=lambda row: row.id)
            for row in rows:
                found[row.cluster_id].append(row)
        return found

    def get_cluster_nodegroup_count(self, context, cluster_id):
        """Return the number of visible nodegroups of a cluster."""
        model = models.NodeGroup
        return _scalar(sa.select(sa.func.count(model.id)).where(
            model.cluster_id == cluster_id, visible_nodegroup(context)))

    # Key pairs

    def create_x509keypair(self, values):
        """Insert a key pair."""
        return _create(KEYPAIR, values)

    def get_x509keypair_by_id(self, context, x509keypair_id):
        """Return a visible key pair."""
        model = models.X509KeyPair
        return _get(KEYPAIR, x509keypair_id, by_id(model, x509keypair_id),
                    visible(context, model))

    def get_x509keypair_by_uuid(self, context, x509keypair_uuid):
        """Return a visible key pair."""
        model = models.X509KeyPair
        return _get(KEYPAIR, x509keypair_uuid, equals(model.uuid, x509keypair_uuid),
                    visible(context, model))

    def destroy_x509keypair(self, x509keypair_id):
        """Delete a key pair."""
        _delete(KEYPAIR, x509keypair_id, identity(models.X509KeyPair, x509keypair_id))

    def update_x509keypair(self, x509keypair_id, values):
        """Change a key pair."""
        return _update(KEYPAIR, x509keypair_id, identity(models.X509KeyPair, x509keypair_id),
                       values)

    def get_x509keypair_list(self, context, filters=None, limit=None, marker=None, sort_key=None,
                             sort_dir=None):
        """Return visible key pairs."""
        model = models.X509KeyPair
        select = sa.select(model).where(visible(context, model))
        return _list(KEYPAIR, select, limit, marker, sort_key, sort_dir)

    # Services

    def create_magnum_service(self, values):
        """Insert the record of a process."""
        return _create(SERVICE, values)

    def update_magnum_service(self, magnum_service_id, values):
        """Change the record of a process; a grown report count is a sign of life."""
        def stamp(db, row):
            if values.get('report_count', 0) > row.report_count:
                row.last_seen_up = timeutils.utcnow()
            return True

        return _update(SERVICE, magnum_service_id, models.MagnumService.id == magnum_service_id,
                       values, stamp)

    def destroy_magnum_service(self, magnum_service_id):
        """Delete the record of a process."""
        _delete(SERVICE, magnum_service_id, models.MagnumService.id == magnum_service_id)

    @session.retrying
    def expire_magnum_services(self, seconds: float) -> int:
        """Delete the records of processes not heard of for so long; return how many."""
        model = models.MagnumService
        last_sign = sa.func.coalesce(model.last_seen_up, model.updated_at, model.created_at)
        oldest = timeutils.utcnow() - datetime.timedelta(seconds=seconds)
        with writer() as db:
            return db.execute(sa.delete(model).where(last_sign < oldest).execution_options(
                synchronize_session=False)).rowcount

    @session.retrying_read
    def get_magnum_service_by_host_and_binary(self, host, binary):
        """Return the record of a process, or None."""
        model = models.MagnumService
        with reader() as db:
            return db.scalars(
                sa.select(model).where(model.host == host, model.binary == binary)).first()

    def get_magnum_service_list(self, disabled=None, limit=None, marker=None, sort_key=None,
                                sort_dir=None):
        """Return the records of all processes."""
        select = sa.select(models.MagnumService)
        if disabled is not None:
            select = select.where(models.MagnumService.disabled.is_(bool(disabled)))
        return _list(SERVICE, select, limit, marker, sort_key, sort_dir)

    # Quotas

    def create_quota(self, values):
        """Insert a quota."""
        return _create(QUOTA, values)

    def get_quota_list(self, context, filters=None, limit=None, marker=None, sort_key=None,
                       sort_dir=None):
        """Return quotas."""
        select = filtered(sa.select(models.Quota), models.Quota, filters, QUOTA_FILTERS)
        return _list(QUOTA, select, limit, marker, sort_key, sort_dir)

    def get_quota_by_id(self, context, quota_id):
        """Return a quota."""
        return _get(QUOTA, _('quota id %s .') % quota_id, by_id(models.Quota, quota_id))

    def quota_get_all_by_project_id(self, project_id):
        """Return the quotas of a project."""
        return _list(QUOTA, sa.select(models.Quota).where(models.Quota.project_id == project_id))

    def get_quota_by_project_id_resource(self, project_id, resource):
        """Return a project's quota of a resource."""
        return _get(QUOTA, *_quota(project_id, resource))

    def update_quota(self, project_id, values):
        """Change a project's quota of ``values['resource']``."""
        return _update(QUOTA, *_quota(project_id, values['resource']), values)

    def delete_quota(self, project_id, resource):
        """Delete a project's quota of a resource."""
        _delete(QUOTA, *_quota(project_id, resource))

    # Federations

    def get_federation_by_id(self, context, federation_id):
        """Return a visible federation."""
        model = models.Federation
        return _get(FEDERATION, federation_id, by_id(model, federation_id),
                    visible(context, model))

    def get_federation_by_uuid(self, context, federation_uuid):
        """Return a visible federation."""
        model = models.Federation
        return _get(FEDERATION, federation_uuid, equals(model.uuid, federation_uuid),
                    visible(context, model))

    def get_federation_by_name(self, context, federation_name):
        """Return the visible federation of that name; one of the own project wins."""
        return _by_name(FEDERATION, context, federation_name)

    def get_federation_list(self, context, limit=None, marker=None, sort_key=None, sort_dir=None,
                            filters=None):
        """Return visible federations."""
        model = models.Federation
        select = filtered(sa.select(model).where(visible(context, model)), model, filters,
                           FEDERATION_FILTERS)
        return _list(FEDERATION, select, limit, marker, sort_key, sort_dir)

    def create_federation(self, values):
        """Insert a federation."""
        return _create(FEDERATION, values)

    def destroy_federation(self, federation_id):
        """Delete a federation."""
        _delete(FEDERATION, federation_id, identity(models.Federation, federation_id))

    def update_federation(self, federation_id, values):
        """Change a federation."""
        return _update(FEDERATION, federation_id, identity(models.Federation, federation_id),
                       values)


def _by_name(kind: Kind, context, name) -> Any:
    model = kind.model
    return _get(kind, name, equals(model.name, name), visible(context, model),
                own=own(context, model))


def _nodegroup(cluster_id, nodegroup_id) -> Any:
    return sa.and_(models.NodeGroup.cluster_id == cluster_id,
                   identity(models.NodeGroup, nodegroup_id))


def _quota(project_id, resource) -> tuple[str, Any]:
    """Return how to name a quota and how to find it."""
    return (_('project_id %(project_id)s resource %(resource)s.')
            % {'project_id': project_id, 'resource': resource},
            sa.and_(models.Quota.project_id == project_id, models.Quota.resource == resource))


def _in_use(db, template_uuid) -> bool:
    return db.scalar(sa.select(models.Cluster.id).where(
        models.Cluster.cluster_template_id == template_uuid).limit(1)) is not None


def _harmless(values) -> bool:
    """Tell whether clusters of a template do not notice a change: one field, and one of these."""
    if len(values) != 1:
        return False
    (name, value), = values.items()
    return (name in ('name', 'hidden') or name == 'public' and value is True
            or name == 'tags' and value is not None)


@session.retrying_read
def _stats(clusters, nodes) -> tuple[int, int]:
    with reader() as db:
        clusters, nodes = db.execute(
            sa.select(clusters.scalar_subquery(), nodes.scalar_subquery())).one()
    return clusters, int(nodes or 0)


_connection = Connection()


def get_backend() -> Connection:
    """Return the methods of this module; they keep no state."""
    return _connection
