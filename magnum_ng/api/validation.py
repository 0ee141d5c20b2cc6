# SPDX-License-Identifier: Apache-2.0
"""What must hold before a template, cluster or nodegroup is created or changed.

One ordered list of rules per operation; the order is what clients notice when two things are
wrong. A rule takes the request, returns nothing, raises one exception and touches nothing. Rules
that ask other services are in :mod:`magnum_ng.api.attr_validator`.
"""

import collections
import dataclasses
import functools
import json
import typing
import warnings

from oslo_utils import uuidutils
from wsme import types as wtypes

from magnum_ng.api import k8s_syntax
from magnum_ng.api import labels
from magnum_ng.common import exception
from magnum_ng.common import log as logging
import magnum_ng.conf
from magnum_ng.i18n import _
from magnum_ng.objects import fields

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

NETWORK_DRIVERS = ('flannel', 'calico', 'cilium')
VOLUME_DRIVERS = ('cinder',)
SERVER_TYPES = ('vm', 'bm')
RETIRED_STORAGE_DRIVERS = ('devicemapper', 'overlay')

# Words that routes below /v1/clusters and /v1/clustertemplates use up.
RESERVED_NAMES = frozenset({'detail', 'actions', 'nodegroups', '.', '..'})


class Draft(dict):
    """A resource in the making: given values and filled-in ones, as attributes too."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self.get(name)

    __setattr__ = dict.__setitem__


@dataclasses.dataclass
class Request:
    """What the rules of an operation look at; an operation sets what its rules need."""

    context: typing.Any
    minor: int = 1
    template: typing.Any = None
    cluster: typing.Any = None
    nodegroup: typing.Any = None
    driver: typing.Any = None
    node_count: int | None = None
    nodes_to_remove: typing.Any = ()
    master_count: int | None = None
    before: typing.Any = None


Rule = collections.namedtuple('Rule', 'check since until', defaults=(1, 999))


def run(rules, request):
    for rule in rules:
        if rule.since <= request.minor <= rule.until:
            rule.check(request)


def _invalid(text):
    return exception.InvalidParameterValue(err=text)


def check_given(name, value):
    """Refuse a mandatory field that is missing or null."""
    if value is None or value is wtypes.Unset:
        raise _invalid(_("Invalid input for field/attribute %s. Value: 'None'. Mandatory field "
                         "missing.") % name)


def statuses(text):
    """The statuses that a filter names, with commas between them."""
    wanted = [status.strip().upper() for status in text.split(',')]
    for status in wanted:
        if status not in fields.ClusterStatus.ALL:
            raise _invalid(_("Invalid input for field/attribute status. Value: '%(status)s'. "
                             "Value should be one of: %(known)s") % {
                                 'status': status, 'known': ', '.join(fields.ClusterStatus.ALL)})
    return wanted


# Templates


def coe_is_known(request):
    check_coe(request.template.get('coe', wtypes.Unset))


def check_coe(coe):
    if coe not in fields.ClusterType.ALL:
        raise _invalid(_('Requested COE type %s is not supported.') % coe)


def server_type_is_known(request):
    check_server_type(request.template.server_type)


def check_server_type(server_type):
    if server_type not in SERVER_TYPES:
        raise _invalid(_('Server type %(server_type)s is not supported, expecting a '
                         '%(supported_server_types)s server type.') % {
                             'server_type': server_type,
                             'supported_server_types': '/'.join(SERVER_TYPES)})


def network_driver_is_usable(request):
    check_network_driver(request.template.network_driver)


def check_network_driver(driver):
    """Known, and allowed by the operator."""
    if not driver:
        return
    if driver not in NETWORK_DRIVERS:
        raise _invalid(_('Network driver type %(driver)s is not supported, expecting a '
                         '%(supported_drivers)s network driver.') % {
                             'driver': driver,
                             'supported_drivers': '/'.join((*NETWORK_DRIVERS, 'unspecified'))})
    allowed = CONF.cluster_template.kubernetes_allowed_network_drivers
    if 'all' not in allowed and driver not in allowed:
        raise _invalid(_('Network driver type %(driver)s is not allowed, expecting a '
                         '%(allowed_drivers)s network driver. ') % {
                             'driver': driver,
                             'allowed_drivers': '/'.join((*allowed, 'unspecified'))})


def volume_driver_is_usable(request):
    check_volume_driver(request.template.volume_driver)


def check_volume_driver(driver):
    if driver and driver not in VOLUME_DRIVERS:
        raise _invalid(_('Volume driver type %(driver)s is not supported, expecting a '
                         '%(supported_volume_driver)s volume driver.') % {
                             'driver': driver,
                             'supported_volume_driver': '/'.join((*VOLUME_DRIVERS,
                                                                  'unspecified'))})


def docker_volume_is_large_enough(request):
    """The cluster's size counts before the template's; the storage driver is the template's."""
    size = request.cluster.docker_volume_size if request.cluster is not None else None
    check_docker_volume(request.template.docker_storage_driver,
                        size or request.template.docker_volume_size)


def check_docker_volume(storage_driver, size):
    if storage_driver == 'devicemapper' and (not size or size < 3):
        raise _invalid(_('docker volume size %(size)s GB is not valid, expecting minimum value '
                         '3GB for %(driver)s storage driver.') % {
                             'size': size, 'driver': storage_driver})


def warn_of_retired(storage_driver=None, labels=None):
    """Warn of what no driver will support for much longer; nothing is refused for it."""
    text = None
    if storage_driver in RETIRED_STORAGE_DRIVERS:
        text = f'Docker storage driver {storage_driver} is deprecated in favor of overlay2'
    elif str((labels or {}).get('cinder_csi_enabled')).lower() == 'false':
        text = ('The in-tree Cinder volume driver is deprecated; the label cinder_csi_enabled '
                'should not be false')
    if text:
        LOG.warning(text)
        warnings.warn(text, DeprecationWarning, stacklevel=3)


def template_name_can_be_used(request):
    if request.template.name is not None:
        check_name(request.template.name)


def template_labels_can_be_stored(request):
    labels.check(request.template.labels)


# Names and labels


def cluster_name_can_be_used(request):
    if request.cluster.name is not None:
        check_name(request.cluster.name)


def check_name(name):
    """Whether a URL can name the thing, and nothing else is meant by it."""
    reason = None
    if not isinstance(name, str) or not name.strip():
        reason = _('a name is not empty')
    elif name in RESERVED_NAMES:
        reason = _('the word is part of the API itself')
    elif uuidutils.is_uuid_like(name):
        reason = _('it would be taken for a UUID')
    elif '/' in name or labels.CONTROL.search(name):
        reason = _('a name has no slashes, line breaks or control characters')
    if reason:
        raise _invalid(_("Invalid input for field/attribute name. Value: '%(name)s'. "
                         "%(reason)s") % {'name': name, 'reason': reason})


# Clusters


def masters_suit_driver(request):
    request.driver.validate_master_size(request.cluster.master_count)


def there_are_workers(request):
    if request.node_count == 0:
        raise exception.ZeroNodeCountNotSupported()


def template_may_be_chosen(request):
    if request.template.hidden and not request.context.is_admin:
        raise exception.NotAuthorized()


def cluster_labels_can_be_stored(request):
    labels.check(request.cluster.labels)


def there_is_a_flavor(request):
    """A node needs a flavor, unless it boots from a volume and its driver knows one."""
    if not request.cluster.flavor_id and not labels.root_volume_size(request.cluster.labels):
        raise _invalid(_('flavor_id is missing: neither the cluster nor its template gives one'))


def check_master_count(master_count, master_lb_enabled):
    if master_count and master_count > 1 and not master_lb_enabled:
        raise _invalid(_('master_count must be 1 when master_lb_enabled is False'))


cluster_update_allowed_properties = frozenset({
    'node_count', 'health_status', 'health_status_reason'})


def validate_cluster_properties(delta):
    """Which properties differ after a patch; a repeated value is no difference."""
    frozen = sorted(set(delta) - cluster_update_allowed_properties)
    if frozen:
        raise _invalid(_('cannot change cluster property(ies) %s.') % ', '.join(frozen))


def driver_can_resize_masters(request):
    if is_master(request.nodegroup):
        request.driver.validate_master_resize(request.node_count)


def size_is_within_bounds(request):
    nodegroup, count = request.nodegroup, request.node_count
    low, high = nodegroup.min_node_count or 0, nodegroup.max_node_count
    if count < low or (high is not None and count > high):
        raise exception.NGResizeOutBounds(nodegroup=nodegroup.name, min_nc=low, max_nc=high)


def nodes_are_removed_once(request):
    check_stored_size('nodes_to_remove', request.nodes_to_remove)
    seen = set()
    for node in request.nodes_to_remove:
        if node.lower() in seen:
            raise _invalid(_("nodes_to_remove names '%s' more than once") % node)
        seen.add(node.lower())


def nodegroup_may_move(request):
    """Only a default nodegroup leads a cluster to another template; the others follow."""
    nodegroup = request.nodegroup
    if nodegroup.is_default or request.template.uuid == request.cluster.cluster_template_id:
        return
    raise exception.InvalidClusterTemplateForUpgrade(
        reason=_("Nodegroup %(nodegroup)s can be upgraded only to match cluster's template "
                 "(%(template)s).") % {
                     'nodegroup': nodegroup.name,
                     'template': request.before.name if request.before
                     else request.cluster.cluster_template_id})


def template_fits_cluster(request):
    """``before`` is the template the cluster has (None where the row is gone)."""
    now, then = request.before, request.template
    if now is None or now.uuid == then.uuid:
        return
    for field in ('coe', 'server_type'):
        if getattr(now, field) != getattr(then, field):
            raise _unfit(field, getattr(now, field), getattr(then, field))


def driver_fits_cluster(request):
    """``driver`` is the cluster's own; ``request.template`` must lead to the same one."""
    now, then, own = request.before, request.template, request.driver
    if now is None or now.uuid == then.uuid:
        return
    if now.driver and then.driver and now.driver != then.driver:
        raise _unfit('driver', now.driver, then.driver)
    kind = {'server_type': then.server_type, 'os': then.cluster_distro, 'coe': then.coe}
    if then.cluster_distro != now.cluster_distro and kind not in list(own.provides):
        raise _unfit('cluster_distro', now.cluster_distro, then.cluster_distro)


def _unfit(field, now, then):
    return _invalid(_("The cluster template does not fit the cluster: %(field)s is %(then)s, the "
                      "cluster has %(now)s.") % {'field': field, 'now': now, 'then': then})


# Nodegroups


def _bad_nodegroup(request, attribute, reason):
    return exception.NodeGroupInvalidInput(attr=attribute, nodegroup=request.nodegroup.name,
                                           expl=reason)


def cluster_can_be_reached(request):
    if not request.cluster.api_address:
        raise exception.ClusterAPIAddressUnavailable()


def nodegroup_name_can_be_used(request):
    name = request.nodegroup.name
    check_given('name', name)
    reason = k8s_syntax.dns_label(name)
    if name.isdigit():
        reason = _('it would be taken for a row number')
    elif uuidutils.is_uuid_like(name):
        reason = _('it would be taken for a UUID')
    elif reason and '/' not in name and not labels.CONTROL.search(name):
        relaxed = getattr(request.driver, 'validate_nodegroup_name', None)
        if relaxed is not None:
            relaxed(name)
            return
    if reason:
        raise _invalid(_("Invalid input for field/attribute name. Value: '%(name)s'. "
                         "%(reason)s") % {'name': name, 'reason': reason})


def role_can_be_used(request):
    role = request.nodegroup.role
    if not role or k8s_syntax.label_value('role', role):
        raise _invalid(_("Invalid input for field/attribute role. Value: '%s'. A role has 1 to 63 "
                         "letters, digits, '-', '_' and '.'") % role)


def counts_agree(request):
    ng = request.nodegroup
    low, count, high = ng.min_node_count or 0, ng.node_count, ng.max_node_count
    if high is not None:
        if low > high:
            raise _bad_nodegroup(request, 'max_node_count', _less('min_node_count', low,
                                                                  'max_node_count', high))
        if count > high:
            raise _bad_nodegroup(request, 'max_node_count', _less('node_count', count,
                                                                  'max_node_count', high))
    if low > count:
        raise _bad_nodegroup(request, 'min_node_count', _less('min_node_count', low,
                                                              'node_count', count))


def _less(small, small_value, large, large_value):
    return _('%(small)s (%(small_value)s) should be less or equal to %(large)s '
             '(%(large_value)s)') % {'small': small, 'small_value': small_value,
                                     'large': large, 'large_value': large_value}


def is_master(nodegroup):
    return (nodegroup.role or '').lower() == 'master'


def masters_have_no_labels_and_taints(request):
    if not is_master(request.nodegroup):
        return
    for attribute in ('node_labels', 'node_taints'):
        if getattr(request.nodegroup, attribute):
            raise _bad_nodegroup(request, attribute, _(
                '%s may not be set on master nodegroups') % attribute)


def node_labels_are_valid(request):
    reason = k8s_syntax.node_labels(request.nodegroup.node_labels or {})
    if reason:
        raise _bad_nodegroup(request, 'node_labels', reason)
    check_stored_size('node_labels', request.nodegroup.node_labels)


def node_taints_are_valid(request):
    reason = k8s_syntax.node_taints(request.nodegroup.node_taints or [])
    if reason:
        raise _bad_nodegroup(request, 'node_taints', reason)
    check_stored_size('node_taints', request.nodegroup.node_taints)


def check_stored_size(field, value):
    if value and len(json.dumps(value)) > labels.MAX_BYTES:
        raise _invalid(_('%(field)s is larger than %(limit)d bytes in all') % {
            'field': field, 'limit': labels.MAX_BYTES})


def nodegroup_is_no_master(request):
    if is_master(request.nodegroup):
        raise exception.CreateMasterNodeGroup()


def nodegroup_labels_can_be_stored(request):
    labels.check(request.nodegroup.labels)


def nodegroup_is_not_default(request):
    if request.nodegroup.is_default:
        raise exception.DeletingDefaultNGNotSupported()


# The operations

TEMPLATE = (
    Rule(coe_is_known),
    Rule(server_type_is_known),
    Rule(network_driver_is_usable),
    Rule(volume_driver_is_usable),
    Rule(docker_volume_is_large_enough),
)

# Of a template that exists already, these hold for what changes only.
NEW_TEMPLATE = (*TEMPLATE, Rule(template_labels_can_be_stored), Rule(template_name_can_be_used))

# Before the caller's rights are looked at; the name rule is ours and comes last.
NEW_CLUSTER = (
    Rule(docker_volume_is_large_enough),
    Rule(masters_suit_driver),
    Rule(there_are_workers, until=9),
    Rule(cluster_name_can_be_used),
)

CHOSEN_TEMPLATE = (Rule(template_may_be_chosen),)

# Once what the template gives is filled in.
INHERITED_CLUSTER = (
    Rule(cluster_labels_can_be_stored),
    Rule(there_is_a_flavor),
)

WORKERS = (Rule(there_are_workers, until=9),)

RESIZE = (
    Rule(nodes_are_removed_once),
    Rule(size_is_within_bounds),
    Rule(driver_can_resize_masters),
)

UPGRADE = (
    Rule(nodegroup_may_move),
    Rule(template_fits_cluster),
    Rule(driver_fits_cluster),
)

NEW_NODEGROUP = (
    Rule(cluster_can_be_reached),
    Rule(nodegroup_name_can_be_used),
    Rule(role_can_be_used),
)

NODEGROUP = (
    Rule(counts_agree),
    Rule(masters_have_no_labels_and_taints),
    Rule(node_labels_are_valid),
    Rule(node_taints_are_valid),
)

NEW_NODEGROUP_CONTENT = (
    *NODEGROUP,
    Rule(nodegroup_is_no_master),
    Rule(nodegroup_labels_can_be_stored),
)

DELETED_NODEGROUP = (Rule(nodegroup_is_not_default),)


# The original's decorators of the same rules, for controllers that are not ours.


def _first(check):
    """A decorator that checks the first argument of a method before the method runs."""
    def decorate(method):
        @functools.wraps(method)
        def checked(self, resource, *args, **kwargs):
            check(resource)
            return method(self, resource, *args, **kwargs)
        return checked
    return decorate


def enforce_server_type():
    return _first(lambda template: check_server_type(template.server_type))


def enforce_volume_driver_types_create():
    return _first(lambda template: check_volume_driver(template.volume_driver))
