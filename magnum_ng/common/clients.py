# SPDX-License-Identifier: Apache-2.0
"""Clients of the other OpenStack services.

``nova()``, ``glance()`` and so on are the SDK's proxies. They share one connection of the SDK and
one Keystone session for a context, and so the token, the catalog and the connections.
"""

import logging
import threading
import weakref

from keystoneauth1 import adapter

import magnum_ng.conf
from magnum_ng.common import exception
from magnum_ng.common import keystone

CONF = magnum_ng.conf.CONF

# our name of a client -> type of the service, attribute of the SDK's connection, major version
_SERVICES = {
    'nova': ('compute', 'compute', '2'),
    'glance': ('image', 'image', '2'),
    'neutron': ('network', 'network', '2'),
    'cinder': ('block-storage', 'block_storage', '3'),
    'octavia': ('load-balancer', 'load_balancer', '2'),
    'barbican': ('key-manager', 'key_manager', '1'),
}

# whatever the level of all others
_QUIET = logging.getLogger('magnum.common.clients.quiet')
_QUIET.setLevel(logging.INFO)

_connections = weakref.WeakKeyDictionary()
_service_connections: dict = {}
_connections_lock = threading.Lock()


class OpenStackClients:
    """Clients on behalf of a context, made when they are asked for."""

    def __init__(self, context):
        self.context = context
        self._keystone = None
        self._proxies = {}

    def url_for(self, **kwargs):
        """URL of an endpoint in the catalog, by service_type, interface and region_name."""
        return self.keystone().session.get_endpoint(**kwargs)

    def magnum_url(self):
        """Where this service itself is found."""
        return self.url_for(service_type='container-infra',
                            interface=self._get_client_option('magnum', 'endpoint_type'),
                            region_name=self._get_client_option('magnum', 'region_name'))

    def cinder_region_name(self):
        return self.keystone().get_validate_region_name(
            self._get_client_option('cinder', 'region_name'))

    def keystone(self):
        if self._keystone is None:
            self._keystone = keystone.KeystoneClientV3(self.context)
        return self._keystone

    def _get_client_option(self, client, option):
        return getattr(getattr(CONF, f'{client}_client'), option)

    @exception.wrap_keystone_exception
    def octavia(self):
        return self._proxy('octavia')

    @exception.wrap_keystone_exception
    def glance(self):
        return self._proxy('glance')

    @exception.wrap_keystone_exception
    def barbican(self):
        return self._proxy('barbican')

    @exception.wrap_keystone_exception
    def nova(self):
        return self._proxy('nova')

    @exception.wrap_keystone_exception
    def neutron(self):
        return self._proxy('neutron')

    @exception.wrap_keystone_exception
    def cinder(self):
        return self._proxy('cinder')

    def _proxy(self, name):
        if name not in self._proxies:
            _service_type, attribute, _version = _SERVICES[name]
            proxy = getattr(connection_for(self.keystone()), attribute)
            if name == 'barbican':
                keep_quiet(proxy)
            self._proxies[name] = proxy
        return self._proxies[name]

    def adapter(self, name):
        """A bare keystoneauth adapter of a service, for requests that have to be quick.

        Errors are keystoneauth's; answers are those of requests.
        """
        service_type, _attribute, version = _SERVICES[name]
        return adapter.Adapter(
            self.keystone().session, service_type=service_type, version=version,
            interface=self._get_client_option(name, 'endpoint_type'),
            region_name=self._get_client_option(name, 'region_name'),
            connect_retries=CONF.openstack_client.connect_retries)


def keep_quiet(proxy):
    """Keep bodies out of the log: at DEBUG, keystoneauth writes down whole requests."""
    proxy.logger = _QUIET


def connection_for(keystone_client):
    """The SDK connection of a context; all contexts of the service itself share one."""
    session, context = keystone_client.session, keystone_client.context
    with _connections_lock:
        if session is keystone.service_session():
            holder, key = _service_connections, session
            # one at a time: the SDK's connections keep their sessions alive
            if session not in _service_connections:
                _service_connections.clear()
        else:
            holder, key = _connections, context
        try:
            found = holder.get(key)
        except TypeError:
            return _connect(session)
        if found is None:
            found = holder[key] = _connect(session)
        return found


def _connect(session):
    # late: the SDK is large, and much of the service works without it
    from openstack import connection

    settings = {'connect_retries': CONF.openstack_client.connect_retries}
    for name, (_service_type, attribute, _version) in _SERVICES.items():
        options = getattr(CONF, f'{name}_client')
        settings[f'{attribute}_interface'] = options.endpoint_type
        if options.region_name:
            settings[f'{attribute}_region_name'] = options.region_name
    return connection.Connection(session=session, **settings)
