# SPDX-License-Identifier: Apache-2.0
"""A stored resource before and after a JSON patch."""

import wsme
from wsme import types as wtypes

from magnum_ng.api import cluster_views
from magnum_ng.api import patching
from magnum_ng.i18n import _

_LABELS = frozenset({'labels', 'node_labels', 'health_status_reason'})


def apply(api_type, document, operations):
    """The attributes of an API type that the document has: as they are, and after the patch.

    Only what changes is checked against the type: what is stored already is as it is.
    :raises: ClientSideError, InvalidInput or PatchError (400)
    """
    result = patching.apply(document, operations)
    typed = api_type()
    before, after = {}, {}
    for attribute in wtypes.list_attributes(api_type):
        name = attribute.name
        if name not in document:
            continue
        before[name] = after[name] = document[name]
        if name in result and result[name] == document[name]:
            continue
        if name in result:
            setattr(typed, name, result[name])
        value = getattr(typed, name)
        after[name] = None if value is wtypes.Unset else value
        if name in _LABELS and after[name] is not None:
            after[name] = _texts(name, after[name])
    return before, after


def _texts(name, values):
    if None in values.values():
        raise wsme.exc.InvalidInput(name, values, _('Value should not hold null'))
    return cluster_views.texts(values)
