# SPDX-License-Identifier: Apache-2.0
"""Look-ups in Nova, Glance and Neutron: filtered, shared within a request, side by side.

A look-up that was made for a context is not made again for it. Answers are plain dictionaries.
"""

import concurrent.futures
import functools
import re
import threading
import weakref
from urllib import parse

from keystoneauth1 import exceptions as ka_exceptions
from oslo_utils import uuidutils

from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.i18n import _

_THREADS = 16
_PAGES = 50
# identifiers of flavors may be anything; these two forms are worth asking for directly
_FLAVOR_ID = re.compile(r'\d+')

_OURS = clients.OpenStackClients

_shared = weakref.WeakKeyDictionary()
_shared_lock = threading.Lock()


@functools.cache
def _pool():
    return concurrent.futures.ThreadPoolExecutor(_THREADS, thread_name_prefix='lookup')


def lookups(cli):
    """The look-ups for a set of clients; one for each context when the clients are ours."""
    if not isinstance(cli, _OURS):
        return ProxyLookups(cli)
    with _shared_lock:
        try:
            found = _shared.get(cli.context)
            if found is None:
                found = _shared[cli.context] = Lookups(cli)
        except TypeError:
            found = Lookups(cli)
    return found


class Lookups:
    """Asks each service over a bare adapter: the SDK's resources cost more than the requests.

    Holds neither the clients nor the context.
    """

    def __init__(self, cli):
        self._services = {'compute': cli.adapter('nova'), 'image': cli.adapter('glance'),
                          'network': cli.adapter('neutron')}
        self._answers = {}
        self._lock = threading.Lock()

    def prefetch(self, wanted):
        """Start look-ups: pairs of a method's name and what it is to find."""
        for method, ident in wanted:
            _pool().submit(self._quietly, method, ident)

    def _quietly(self, method, ident):
        try:
            getattr(self, method)(ident)
        except Exception:
            # kept, and raised again for whoever asks for the answer
            return

    def _once(self, key, ask):
        """The answer to a question that is asked once; whoever comes second waits for it."""
        with self._lock:
            answer = self._answers.get(key)
            mine = answer is None
            if mine:
                answer = self._answers[key] = concurrent.futures.Future()
        if mine:
            try:
                answer.set_result(ask())
            except Exception as error:
                answer.set_exception(error)
        return answer.result()

    def image(self, ident):
        """An image by id or name; None if there is none.

        :raises ImageNotAuthorized, Conflict:
        """
        return self._once(('image', ident), lambda: self._image(ident))

    def _image(self, ident):
        try:
            if uuidutils.is_uuid_like(ident):
                found = self._get('image', f'/images/{ident}')
                if found is not None:
                    return found
            for hidden in (False, True):
                query = {'name': ident, 'limit': 2}
                if hidden:
                    query['os_hidden'] = 'true'
                found = _list(self._get('image', '/images', query), 'images', 'image')
                found = [image for image in found if image.get('name') == ident]
                if len(found) > 1:
                    raise _ambiguous_image(ident)
                if found:
                    return found[0]
        except exception.BackendForbidden as error:
            raise exception.ImageNotAuthorized(image_id=ident) from error
        return None

    def flavor(self, ident):
        """A flavor by id or name, with all its facts; None if there is none."""
        return self._once(('flavor', ident), lambda: self._flavor(ident))

    def _flavor(self, ident):
        if _may_be_flavor_id(ident):
            found = self._flavor_by_id(ident)
            if found is not None:
                return found
        known = self._known_flavor(ident, '/flavors/detail')
        if known is None or 'disk' in known:
            return known
        return self._flavor_by_id(known['id'])

    def flavor_exists(self, ident):
        if ('flavor', ident) in self._answers:
            return self.flavor(ident) is not None
        if _may_be_flavor_id(ident):
            return self.flavor(ident) is not None
        return self._known_flavor(ident) is not None

    def _flavor_by_id(self, ident):
        ident = parse.quote(str(ident), safe='')
        return self._once(('flavor id', ident), lambda: _one(
            self._get('compute', f'/flavors/{ident}'), 'flavor', 'compute'))

    def _known_flavor(self, ident, path='/flavors'):
        # Whichever list is read first serves both. The short one is a quarter of the detailed.
        known = self._once(('flavors',), lambda: self._list_flavors(path))
        for key in ('id', 'name'):
            for flavor in known:
                if flavor.get(key) == ident:
                    return flavor
        return None

    def _list_flavors(self, path):
        # Nova cannot filter by name
        found, query = [], None
        for _page in range(_PAGES):
            body = self._get('compute', path, query)
            page = _list(body, 'flavors', 'compute')
            found += page
            if not page or not body.get('flavors_links'):
                break
            query = {'marker': page[-1].get('id')}
        return found

    def keypair(self, name):
        """A keypair of the context's user; None if there is none."""
        return self._once(('keypair', name), lambda: self._keypair(name))

    def _keypair(self, name):
        if name in ('.', '..'):
            return None
        name = parse.quote(name, safe='')
        return _one(self._get('compute', f'/os-keypairs/{name}'), 'keypair', 'compute')

    def external_networks(self, ident):
        """External networks of that id or name."""
        return self._once(('external network', ident), lambda: self._named(
            'networks', ident, {'router:external': 'True'}, ('id', 'name')))

    def networks(self, ident):
        """Networks of that id or name."""
        return self._once(('network', ident), lambda: self._named(
            'networks', ident, {}, ('id', 'name')))

    def subnets(self, ident):
        """Subnets of that id or name."""
        return self._once(('subnet', ident), lambda: self._named(
            'subnets', ident, {}, ('id', 'name', 'network_id')))

    def _named(self, collection, ident, query, attributes):
        keys = ('id', 'name') if uuidutils.is_uuid_like(ident) else ('name',)
        for key in keys:
            body = self._get('network', f'/{collection}',
                             dict(query, fields=list(attributes), **{key: ident}))
            found = [resource for resource in _list(body, collection, 'network')
                     if resource.get(key) == ident]
            if found:
                return found
        return []

    def _get(self, service, path, query=None):
        """The decoded answer, or None when the service does not know what is asked for."""
        try:
            answer = self._services[service].get(path, params=query)
            body = answer.json()
        except (ka_exceptions.NotFound, ka_exceptions.BadRequest):
            # what cannot be an identifier there does not exist there
            return None
        except ka_exceptions.Unauthorized as error:
            raise exception.NotAuthorized(
                _('The token is not valid any more. Please log in again.'), code=401) from error
        except Exception as error:
            raise exception.from_backend(service, error) from error
        if body is None:
            raise exception.BackendError(service=service)
        return body


class ProxyLookups:
    """The same over clients that are not ours, of which only the SDK's proxies are known."""

    def __init__(self, cli):
        self._cli = cli

    def prefetch(self, wanted):
        """Nothing is known about whether these clients may be used by several threads."""

    def image(self, ident):
        from openstack import exceptions as sdk_exceptions

        try:
            return self._cli.glance().find_image(ident, ignore_missing=False)
        except (sdk_exceptions.NotFoundException, exception.ResourceNotFound):
            return None
        except sdk_exceptions.DuplicateResource as error:
            raise _ambiguous_image(ident) from error
        except sdk_exceptions.ForbiddenException as error:
            raise exception.ImageNotAuthorized(image_id=ident) from error

    def flavor(self, ident):
        for flavor in self._cli.nova().flavors():
            if ident in (flavor.name, flavor.id):
                return {'id': flavor.id, 'name': flavor.name,
                        'disk': getattr(flavor, 'disk', None)}
        return None

    def flavor_exists(self, ident):
        return self.flavor(ident) is not None

    def keypair(self, name):
        from openstack import exceptions as sdk_exceptions

        try:
            return self._cli.nova().get_keypair(name)
        except sdk_exceptions.NotFoundException:
            return None

    def external_networks(self, ident):
        return self._named(self._cli.neutron().networks(is_router_external=True), ident)

    def networks(self, ident):
        return self._named(self._cli.neutron().networks(), ident)

    def subnets(self, ident):
        return self._named(self._cli.neutron().subnets(), ident)

    @staticmethod
    def _named(resources, ident):
        return [{'id': resource.id, 'name': resource.name}
                for resource in resources if ident in (resource.name, resource.id)]


def _may_be_flavor_id(ident):
    return uuidutils.is_uuid_like(ident) or bool(_FLAVOR_ID.fullmatch(str(ident)))


def _ambiguous_image(ident):
    return exception.Conflict(
        _("Multiple images exist with same name '%s'. Please use the image ID instead.") % ident)


def _list(body, key, service):
    """The list in an answer; an answer of another form is the service's failure."""
    if body is None:
        return []
    found = body.get(key) if isinstance(body, dict) else None
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise exception.BackendError(service=service)
    return found


def _one(body, key, service):
    if body is None:
        return None
    found = body.get(key) if isinstance(body, dict) else None
    if not isinstance(found, dict):
        raise exception.BackendError(service=service)
    return found
