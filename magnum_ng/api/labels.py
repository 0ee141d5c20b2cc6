# SPDX-License-Identifier: Apache-2.0
"""Labels of clusters, templates and nodegroups: what can be stored, and what some of them mean."""

import json
import re

from magnum_ng.common import counts
from magnum_ng.common import exception
import magnum_ng.conf
from magnum_ng.i18n import _

CONF = magnum_ng.conf.CONF

# Labels are stored as one JSON text; a TEXT column of MySQL holds 65535 bytes.
MAX_COUNT = 512
MAX_KEY = 255
MAX_VALUE = 16384
MAX_BYTES = 65535

CONTROL = re.compile(r'[\x00-\x1f\x7f-\x9f\u2028\u2029]')


def _invalid(text):
    return exception.InvalidParameterValue(err=text)


def check(labels, field='labels'):
    if labels is None:
        return
    if not isinstance(labels, dict):
        raise _invalid(_('%(field)s must be an object') % {'field': field})
    if len(labels) > MAX_COUNT:
        raise _invalid(_('%(field)s has more than %(limit)d entries') % {
            'field': field, 'limit': MAX_COUNT})
    for key, value in labels.items():
        _check_label(field, key, value)
    if len(json.dumps({key: str(value) for key, value in labels.items()})) > MAX_BYTES:
        raise _invalid(_('%(field)s is larger than %(limit)d bytes in all') % {
            'field': field, 'limit': MAX_BYTES})
    root_volume_size(labels)
    check_bounds(labels)


def _check_label(field, key, value):
    reason = None
    if not isinstance(key, str) or not key or len(key) > MAX_KEY or CONTROL.search(key):
        reason = _('a key has 1 to %d characters and no control characters') % MAX_KEY
        key = str(key)[:MAX_KEY]
    elif value is None or isinstance(value, (dict, list)):
        reason = _('a value is a string, a number or a boolean')
    elif len(str(value)) > MAX_VALUE:
        reason = _('a value has at most %d characters') % MAX_VALUE
    if reason:
        raise _invalid(_("Invalid input for field/attribute %(field)s. Key: '%(key)s'. "
                         "%(reason)s") % {'field': field, 'key': key, 'reason': reason})


def check_bounds(labels):
    minimum = counts.of_label(labels, 'min_node_count')
    maximum = counts.of_label(labels, 'max_node_count')
    if minimum is not None and maximum is not None and minimum > maximum:
        raise _invalid(_('label min_node_count (%(minimum)d) should be less or equal to '
                         'max_node_count (%(maximum)d)') % {'minimum': minimum,
                                                            'maximum': maximum})


def root_volume_size(labels):
    """Size in GB of the volume that nodes boot from; 0: they boot from the flavor's disk."""
    size = counts.of_label(labels, 'boot_volume_size')
    return CONF.cinder.default_boot_volume_size if size is None else size
