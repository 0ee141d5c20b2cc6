# SPDX-License-Identifier: Apache-2.0
"""Labels that stand for whole numbers."""

import re

from magnum_ng.common import exception
from magnum_ng.db.sqlalchemy import values
from magnum_ng.i18n import _


def of_label(labels, key):
    """The label as a whole number from 0 on, None where it is not set.

    :raises InvalidParameterValue: it is none, or none that a column can hold
    """
    value = (labels or {}).get(key)
    if value is None:
        return None
    text = str(value).strip()
    if not re.fullmatch(r'\+?[0-9]{1,10}', text, re.ASCII) or int(text) > values.MAX_INTEGER:
        raise exception.InvalidParameterValue(
            err=_("label %(key)s must be a whole number from 0 to %(limit)d, not '%(value)s'")
            % {'key': key, 'limit': values.MAX_INTEGER, 'value': str(value)[:80]})
    return int(text)
