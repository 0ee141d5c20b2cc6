# SPDX-License-Identifier: Apache-2.0
"""What Kubernetes accepts as names, labels and taints of nodes.

Every function returns None when the value is fine, else the reason in words.
"""

import re

from magnum_ng.i18n import _

_LABEL_NAME = re.compile(r'[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?')
_DNS_LABEL = re.compile(r'[a-z0-9]([a-z0-9-]*[a-z0-9])?')

TAINT_EFFECTS = ('NoSchedule', 'PreferNoSchedule', 'NoExecute')
TAINT_FIELDS = ('key', 'value', 'effect')

_RESTRICTED = ('kubernetes.io', 'k8s.io')
_ALLOWED_PREFIXES = ('kubelet.kubernetes.io', 'node.kubernetes.io')
_ALLOWED_LABELS = (
    'beta.kubernetes.io/arch', 'beta.kubernetes.io/instance-type', 'beta.kubernetes.io/os',
    'failure-domain.beta.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/zone',
    'kubernetes.io/arch', 'kubernetes.io/hostname', 'kubernetes.io/os',
    'node.kubernetes.io/instance-type', 'node.kubernetes.io/windows-build',
    'topology.kubernetes.io/region', 'topology.kubernetes.io/zone')


def dns_label(value):
    """An RFC 1123 label, the name of most objects."""
    if len(value) > 63 or not _DNS_LABEL.fullmatch(value):
        return _('a name has at most 63 characters, lower case letters, digits and "-", and '
                 'begins and ends with a letter or digit')
    return None


def qualified_key(key):
    """The key of a label or taint: a name, or a DNS prefix, a slash and a name."""
    prefix, slash, name = key.rpartition('/')
    if len(name) > 63 or not _LABEL_NAME.fullmatch(name):
        return _("'%(key)s' is not a valid key: the name has 1 to 63 characters, letters, "
                 "digits, '-', '_' and '.', and begins and ends with a letter or digit") % {
                     'key': key}
    if slash and (len(prefix) > 253 or not all(
            len(part) <= 63 and _DNS_LABEL.fullmatch(part) for part in prefix.split('.'))):
        return _("'%(key)s' is not a valid key: what stands before the slash is a lower case "
                 "DNS name of at most 253 characters") % {'key': key}
    return None


def label_value(key, value):
    if value and (len(value) > 63 or not _LABEL_NAME.fullmatch(value)):
        return _("the value of '%(key)s' is not valid: it has at most 63 characters, letters, "
                 "digits, '-', '_' and '.', and begins and ends with a letter or digit") % {
                     'key': key}
    return None


def restricted_label(key):
    """The kubelet refuses to start with most labels of Kubernetes' own namespaces."""
    prefix, slash, _name = key.partition('/')
    if not slash or key in _ALLOWED_LABELS or prefix in _ALLOWED_PREFIXES:
        return None
    if not any(prefix == domain or prefix.endswith('.' + domain) for domain in _RESTRICTED):
        return None
    return _("node label '%(key)s' is in a restricted Kubernetes namespace; the kubelet will "
             "refuse to start. Labels in the kubernetes.io/ and k8s.io/ namespaces must use one "
             "of the allowed prefixes (%(prefixes)s) or be one of the allowed labels "
             "(%(labels)s).") % {'key': key, 'prefixes': ', '.join(_ALLOWED_PREFIXES),
                                 'labels': ', '.join(_ALLOWED_LABELS)}


def node_labels(labels):
    for key, value in labels.items():
        if not isinstance(value, str):
            return _("the value of '%(key)s' must be a string") % {'key': key}
        reason = restricted_label(key) or qualified_key(key) or label_value(key, value)
        if reason:
            return reason
    return None


def node_taints(taints):
    seen = set()
    for index, taint in enumerate(taints):
        where = f'node_taints[{index}]'
        reason = _taint(where, taint)
        if reason:
            return reason
        identity = (taint['key'], taint['effect'])
        if identity in seen:
            return _('%(where)s repeats key %(key)s with effect %(effect)s') % {
                'where': where, 'key': identity[0], 'effect': identity[1]}
        seen.add(identity)
    return None


def _taint(where, taint):
    if not isinstance(taint, dict):
        return _('%(where)s must be an object') % {'where': where}
    unknown = sorted(set(taint) - set(TAINT_FIELDS))
    if unknown:
        return _('%(where)s contains unrecognised field(s) %(unknown)s; allowed fields are '
                 '%(known)s') % {'where': where, 'unknown': ', '.join(unknown),
                                 'known': ', '.join(TAINT_FIELDS)}
    if not taint.get('key'):
        return _('%(where)s.key is required') % {'where': where}
    if taint.get('effect') not in TAINT_EFFECTS:
        return _('%(where)s.effect must be one of %(effects)s') % {
            'where': where, 'effects': ', '.join(TAINT_EFFECTS)}
    for field, value in taint.items():
        if not isinstance(value, str):
            return _('%(where)s.%(field)s must be a string') % {'where': where, 'field': field}
    reason = qualified_key(taint['key']) or label_value(taint['key'], taint.get('value', ''))
    return reason and f'{where}: {reason}'
