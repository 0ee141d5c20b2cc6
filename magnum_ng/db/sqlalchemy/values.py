# SPDX-License-Identifier: Apache-2.0
"""What a column can hold, checked before a database has to refuse it.

SQLite takes anything, MySQL and PostgreSQL answer with errors of their own; a caller gets the
same 400 from all of them.
"""

import functools
from typing import Any

import sqlalchemy as sa

from magnum_ng.common import exception
from magnum_ng.db.sqlalchemy import models, session
from magnum_ng.i18n import _

MAX_INTEGER = 2 ** 31 - 1


@functools.cache
def _limits(model: type) -> dict[str, tuple[str, int]]:
    limits = {}
    for column in model.__table__.columns:
        if isinstance(column.type, (models.JsonEncodedType, models.ReasonText)):
            continue
        if isinstance(column.type, sa.Text):
            limits[column.name] = ('text', models.TEXT_BYTES)
        elif isinstance(column.type, sa.String):
            limits[column.name] = ('string', column.type.length)
        elif isinstance(column.type, sa.Integer):
            limits[column.name] = ('integer', MAX_INTEGER)
    return limits


def check(model: type, values: dict[str, Any]) -> None:
    """Raise InvalidParameterValue for a value that its column cannot hold."""
    limits = _limits(model)
    for name, value in values.items():
        if name not in limits:
            continue
        kind, limit = limits[name]
        if kind == 'integer':
            if isinstance(value, int) and not -limit - 1 <= value <= limit:
                _refuse(name, _('it must not be above %(limit)d') % {'limit': limit})
        elif isinstance(value, str):
            _check_text(name, value, kind, limit)


def _check_text(name: str, value: str, kind: str, limit: int) -> None:
    if kind == 'string' and len(value) > limit:
        _refuse(name, _('it must not be longer than %(limit)d characters') % {'limit': limit})
    if not representable(value):
        _refuse(name, _('it contains characters that the database does not take'))
    if kind == 'text' and len(value.encode()) > limit:
        _refuse(name, _('it must not be longer than %(limit)d bytes') % {'limit': limit})


def representable(text: str) -> bool:
    """Tell whether a text can be sent to the database at all."""
    if '\x00' in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return max(text) <= '\uffff' or session.takes_wide_characters()


def _refuse(name: str, reason: str) -> None:
    raise exception.InvalidParameterValue(
        err=_('Invalid value for %(name)s: %(reason)s.') % {'name': name, 'reason': reason})
