# SPDX-License-Identifier: Apache-2.0
"""Pages of a list: a total order, and what comes after a marker.

Rows are ordered by the sort column and then by id. Rows without a value come first in ascending
and last in descending order, on every database. Databases differ in where they put NULL, and a
comparison with NULL is never true, so both need saying.
"""

from typing import Any

import sqlalchemy as sa

from magnum_ng.common import exception
from magnum_ng.i18n import _


def page(select: sa.Select, model: type, dialect_name: str, limit: int | None = None,
         marker: Any = None, sort_key: str | None = None, sort_dir: str | None = None
         ) -> sa.Select:
    """Order a select, begin it after the marker and end it at the limit.

    :param marker: the last row of the page before: anything with an ``id``
    """
    column = sort_column(model, sort_key)
    descending = sort_dir == 'desc'
    if marker is not None:
        select = select.where(_after(model, column, int(marker.id), descending))
    if column is not model.id:
        select = select.order_by(_ordered(column, descending, dialect_name))
    select = select.order_by(model.id.desc() if descending else model.id.asc())
    return select.limit(limit) if limit else select


def sort_column(model: type, sort_key: str | None) -> Any:
    """Return the column to sort by; only columns of the table are accepted."""
    if not sort_key:
        return model.id
    if sort_key not in model.__table__.columns:
        raise exception.InvalidParameterValue(
            err=_('The sort_key value "%(key)s" is an invalid field for sorting')
            % {'key': sort_key})
    return getattr(model, sort_key)


def _ordered(column: Any, descending: bool, dialect_name: str) -> Any:
    order = column.desc() if descending else column.asc()
    if dialect_name == 'postgresql':
        return order.nulls_last() if descending else order.nulls_first()
    return order


def _after(model: type, column: Any, marker_id: int, descending: bool) -> Any:
    later = model.id < marker_id if descending else model.id > marker_id
    if column is model.id:
        return later
    # The value is the stored one: what an object says may be a default in place of NULL.
    other = sa.orm.aliased(model)
    value = sa.select(sa.type_coerce(getattr(other, column.key), column.type)).where(
        other.id == marker_id).scalar_subquery()
    if descending:
        beyond = sa.or_(column < value, sa.and_(value.is_not(None), column.is_(None)))
    else:
        beyond = sa.or_(column > value, sa.and_(value.is_(None), column.is_not(None)))
    same = sa.or_(column == value, sa.and_(value.is_(None), column.is_(None)))
    return sa.or_(beyond, sa.and_(same, later))
