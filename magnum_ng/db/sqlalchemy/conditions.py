# SPDX-License-Identifier: Apache-2.0
"""Which rows a caller may see, and which ones were asked for, as one condition each."""

from typing import Any

import sqlalchemy as sa
from oslo_utils import strutils, uuidutils
from sqlalchemy.dialects import mysql

from magnum_ng.common import exception
from magnum_ng.db.sqlalchemy import models, session, values


def owner(context) -> tuple[str, Any]:
    """Return the column by which rows belong to the caller, and its value."""
    if context.project_id:
        return 'project_id', context.project_id
    return 'user_id', context.user_id


def own(context, model) -> Any:
    """Return the condition for what belongs to the caller."""
    name, value = owner(context)
    return getattr(model, name) == value


def sees_everything(context) -> bool:
    """Tell whether the caller may see the rows of all projects."""
    return context.is_admin and context.all_tenants


def visible(context, model) -> Any:
    """Return the condition for what the caller may see."""
    if sees_everything(context):
        return sa.true()
    if model is models.ClusterTemplate:
        public: Any = model.public.is_(True)
        if not context.is_admin:
            # Rows that are older than the column say NULL.
            public = sa.and_(public, model.hidden.is_not(True))
        return sa.or_(own(context, model), public)
    return own(context, model)


def visible_nodegroup(context) -> Any:
    """Return the condition for nodegroups, which an administrator sees anyway."""
    model = models.NodeGroup
    return sa.true() if context.is_admin else model.project_id == context.project_id


def identity(model, value) -> Any:
    """Return the condition for an id or a UUID."""
    if strutils.is_int_like(value):
        # No database likes to compare a column with a number that it cannot hold.
        number = int(value)
        return model.id == number if 0 <= number <= values.MAX_INTEGER else sa.false()
    if uuidutils.is_uuid_like(value):
        return model.uuid == value
    raise exception.InvalidIdentity(identity=value)


def equals(column, value) -> Any:
    """Return the condition for a value, which no row has if no database takes it."""
    if isinstance(value, str):
        if not values.representable(value):
            return sa.false()
        if max(value, default='') > '\uffff' and session.get_engine().dialect.name == 'mysql':
            # It does not compare these with a column of three bytes a character.
            column = sa.cast(column, mysql.CHAR(charset='utf8mb4'))
    return column == value


def filtered(select, model, filters, names) -> Any:
    """Add a condition for each known filter; unknown ones are not looked at."""
    for name, value in (filters or {}).items():
        if name not in names:
            continue
        column = getattr(model, name)
        if name == 'status':
            wanted = [value] if isinstance(value, str) else value
            # What no status looks like is nothing that every database could compare.
            select = select.where(column.in_(
                [status for status in wanted if status.isascii() and '\x00' not in status]))
        else:
            select = select.where(equals(column, value))
    return select


CLUSTER_FILTERS = frozenset({
    'cluster_template_id', 'name', 'stack_id', 'api_address', 'project_id', 'user_id', 'status'})
TEMPLATE_FILTERS = frozenset(models.ClusterTemplate.__table__.columns.keys()) - {'labels'}
NODEGROUP_FILTERS = frozenset({
    'name', 'node_count', 'node_addresses', 'role', 'is_default', 'status'})
QUOTA_FILTERS = frozenset({'resource', 'project_id'})
FEDERATION_FILTERS = frozenset({
    'name', 'project_id', 'hostcluster_id', 'member_ids', 'properties', 'status'})


def cluster_filters(select, filters) -> Any:
    """Add a condition for each known filter of clusters."""
    select = filtered(select, models.Cluster, filters, CLUSTER_FILTERS)
    role = models.NodeGroup.role
    for name, machines in (('node_count', role != 'master'), ('master_count', role == 'master')):
        if filters and name in filters:
            select = select.where(models.Cluster.uuid.in_(
                sa.select(models.NodeGroup.cluster_id).where(machines)
                .group_by(models.NodeGroup.cluster_id)
                .having(sa.func.sum(models.NodeGroup.node_count) == filters[name])))
    return select


def by_id(model, value) -> Any:
    """Return the condition for an id alone."""
    return identity(model, value) if strutils.is_int_like(value) else sa.false()
