# SPDX-License-Identifier: Apache-2.0
"""Look-ups and checks that several controllers share."""

import re

from oslo_utils import uuidutils
import wsme

from magnum_ng.api import patching
from magnum_ng.common import exception
import magnum_ng.conf
from magnum_ng.i18n import _

CONF = magnum_ng.conf.CONF

DOCKER_MINIMUM_MEMORY = 4 * 1024 * 1024

_UNITS = {'b': 1, 'k': 1024, 'm': 1024 ** 2, 'g': 1024 ** 3}


def validate_limit(limit):
    """The number of items to answer: what is asked for, up to [api]max_limit."""
    if limit is not None and limit <= 0:
        raise wsme.exc.ClientSideError(_('Limit must be positive'))
    return CONF.api.max_limit if limit is None else min(CONF.api.max_limit, limit)


def validate_sort_dir(sort_dir):
    if sort_dir not in ('asc', 'desc'):
        raise wsme.exc.ClientSideError(
            _("Invalid sort direction: %s. Acceptable values are 'asc' or 'desc'") % sort_dir)
    return sort_dir


def validate_docker_memory(mem_str):
    """Refuse what Docker does not take for an amount of memory ("512m")."""
    match = re.fullmatch(r'(\d+)([bkmg])?', mem_str)
    if not match:
        raise wsme.exc.ClientSideError(
            _('Invalid docker memory specified. Acceptable values are format: <number>[<unit>],'
              'where unit = b, k, m or g'))
    if int(match[1]) * _UNITS[match[2] or 'b'] < DOCKER_MINIMUM_MEMORY:
        raise wsme.exc.ClientSideError(
            _('Docker Minimum memory limit allowed is %d B.') % DOCKER_MINIMUM_MEMORY)


def apply_jsonpatch(doc, patch):
    """The document after a patch (:func:`magnum_ng.api.patching.apply`)."""
    return patching.apply(doc, patch)


def get_resource(resource, resource_ident, context=None):
    """An object of ours, by UUID or by name.

    :param resource: the name of the class in ``magnum_ng.objects``.
    :raises: the class's own "not found", or Conflict if several have the name.
    """
    # Late: the objects are not needed by those who only import a check from here.
    import pecan

    from magnum_ng import objects

    cls = getattr(objects, resource)
    context = context or pecan.request.context
    if uuidutils.is_uuid_like(resource_ident):
        return cls.get_by_uuid(context, resource_ident)
    return cls.get_by_name(context, resource_ident)


def get_openstack_resource(manager, resource_ident, resource_type):
    """A resource of another service, by UUID or by name, through a client's manager of them.

    :raises: ResourceNotFound, or Conflict if several have the name.
    """
    if uuidutils.is_uuid_like(resource_ident):
        return manager.get(resource_ident)
    found = list(manager.list(filters={'name': resource_ident}))
    if not found:
        raise exception.ResourceNotFound(name=resource_type, id=resource_ident)
    if len(found) > 1:
        raise exception.Conflict(
            _('Multiple %(resource_type)s exist with same name %(resource_ident)s. Please use '
              'the resource id instead.')
            % {'resource_type': resource_type, 'resource_ident': resource_ident})
    return found[0]
