# SPDX-License-Identifier: Apache-2.0
"""Rows for lists: only the columns that are shown, without objects around them.

A list costs the same few statements whatever its length. Rows are read-only tuples with the
columns' names. Who may see what is decided where it is for all other reads.
"""

from typing import Any

import sqlalchemy as sa

from magnum_ng.db.sqlalchemy import conditions, models, paging, session


def _columns(model: type, names: tuple[str, ...]) -> list[Any]:
    return [getattr(model, name) for name in names]


# Statements that are the same each time are made once: making one costs as much as reading a row.

_UUIDS = sa.bindparam('uuids', expanding=True)
_ALIVE = sa.func.coalesce(models.NodeGroup.status, '') != 'DELETE_COMPLETE'
_MASTER = models.NodeGroup.role == 'master'
_NODE_COUNTS = (
    sa.select(models.NodeGroup.cluster_id,
              sa.func.sum(sa.case((_MASTER, 0), else_=models.NodeGroup.node_count)),
              sa.func.sum(sa.case((_MASTER, models.NodeGroup.node_count), else_=0)))
    .where(models.NodeGroup.cluster_id.in_(_UUIDS), _ALIVE)
    .group_by(models.NodeGroup.cluster_id))
_NODEGROUPS = (
    sa.select(*_columns(models.NodeGroup, (
        'cluster_id', 'id', 'name', 'role', 'node_count', 'node_addresses', 'status',
        'status_reason')))
    .where(models.NodeGroup.cluster_id.in_(_UUIDS)))
_TEMPLATE_LABELS = (
    sa.select(models.ClusterTemplate.uuid, models.ClusterTemplate.labels)
    .where(models.ClusterTemplate.uuid.in_(_UUIDS)))


@session.retrying_read
def clusters(context, names, filters=None, limit=None, marker=None, sort_key=None, sort_dir=None):
    """The named columns of the visible clusters of one page; ``marker`` is a row."""
    model = models.Cluster
    select = conditions.cluster_filters(
        sa.select(*_columns(model, names)).where(conditions.visible(context, model)), filters)
    with session.reader() as db:
        return db.execute(paging.page(select, model, db.dialect_name, limit, marker, sort_key,
                                      sort_dir)).all()


@session.retrying_read
def templates(context, names, filters=None, limit=None, marker=None, sort_key=None,
              sort_dir=None):
    """The named columns of the visible templates of one page; ``marker`` is a row."""
    model = models.ClusterTemplate
    select = sa.select(*_columns(model, names)).where(conditions.visible(context, model))
    select = conditions.filtered(select, model, filters, frozenset({'name', 'project_id'}))
    with session.reader() as db:
        return db.execute(paging.page(select, model, db.dialect_name, limit, marker, sort_key,
                                      sort_dir)).all()


@session.retrying_read
def node_counts(uuids) -> dict[str, tuple[int, int]]:
    """How many nodes and how many masters clusters have; those without any are left out."""
    if not uuids:
        return {}
    with session.reader() as db:
        return {uuid: (int(workers or 0), int(of_control or 0))
                for uuid, workers, of_control in db.execute(_NODE_COUNTS, {'uuids': uuids})}


@session.retrying_read
def nodegroups(uuids) -> list[Any]:
    """What the clusters' own answers tell of their nodegroups, in the order of their creation."""
    if not uuids:
        return []
    with session.reader() as db:
        # Sorted here: a database would write the wide rows to a file for it.
        return sorted(db.execute(_NODEGROUPS, {'uuids': uuids}), key=lambda row: row.id)


@session.retrying_read
def template_labels(uuids) -> dict[str, dict]:
    """The labels of templates, whoever owns them; those that are gone are left out."""
    wanted = list({uuid for uuid in uuids if uuid})
    if not wanted:
        return {}
    with session.reader() as db:
        return {uuid: labels or {}
                for uuid, labels in db.execute(_TEMPLATE_LABELS, {'uuids': wanted})}
