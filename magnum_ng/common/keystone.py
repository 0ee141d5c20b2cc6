# SPDX-License-Identifier: Apache-2.0
"""Sessions with Keystone, for a user's token or for the service's own credentials.

All sessions of a process share one pool of connections and what was discovered about endpoints;
all of them have timeouts. A context has one session, however many clients are made for it.
"""

import collections.abc
import http.cookiejar
import re
import threading
import time
import weakref

import requests
from keystoneauth1 import access as ka_access
from keystoneauth1 import exceptions as ka_exceptions
from keystoneauth1 import loading as ka_loading
from keystoneauth1.identity import access as ka_access_plugin
from keystoneauth1.identity import v3 as ka_v3
from requests import adapters

import magnum_ng.conf
from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.i18n import _

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

GROUP = 'keystone_auth'

# Other than Keystone's own ones are those of LDAP and of tests.
_PROJECT_ID = re.compile(r'[\w-][\w.@+ -]{0,254}')


def __getattr__(name):
    # late: the SDK is large, and much of the service works without it
    if name == 'sdk_connection':
        from openstack import connection

        return connection
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


class _DiscoveryCache(collections.abc.MutableMapping):
    """What endpoints said about their versions. Bounded, and asked again after an hour."""

    _LIFETIME = 3600
    _SIZE = 256

    def __init__(self):
        self._entries = {}

    def __getitem__(self, url):
        value, expires = self._entries[url]
        if expires < time.monotonic():
            raise KeyError(url)
        return value

    def __setitem__(self, url, value):
        if len(self._entries) >= self._SIZE:
            self._entries.clear()
        self._entries[url] = (value, time.monotonic() + self._LIFETIME)

    def __delitem__(self, url):
        self._entries.pop(url, None)

    def __iter__(self):
        return iter(dict(self._entries))

    def __len__(self):
        return len(self._entries)


class _Pool(requests.Session):
    """Connections that everybody uses."""

    def close(self):
        """Stay open: a connection of the SDK that is thrown away means only its own."""


class _Process:
    """What the sessions of this process share."""

    def __init__(self):
        self.lock = threading.RLock()
        self.forget()

    def forget(self):
        self.sessions = weakref.WeakKeyDictionary()
        self.service_session = None
        self.discovery = _DiscoveryCache()
        self._requests = None

    def requests(self):
        if self._requests is None:
            size = CONF.openstack_client.pool_size
            pool = _Pool()
            # a service's cookies must not travel from one user's requests to another's
            pool.cookies.set_policy(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
            for scheme in ('http://', 'https://'):
                pool.mount(scheme, adapters.HTTPAdapter(pool_connections=size,
                                                        pool_maxsize=size))
            self._requests = pool
        return self._requests


_PROCESS = _Process()


def forget_sessions():
    """Start anew: for tests, and after the configuration has changed."""
    with _PROCESS.lock:
        _PROCESS.forget()


def service_session():
    """The session with the service's own credentials, if there is one yet."""
    return _PROCESS.service_session


class KeystoneClientV3:
    """Keystone as the user of a context, or as the service for an admin context without token."""

    def __init__(self, context):
        self.context = context
        self._client = None
        self._session = None

    @property
    def auth_url(self):
        """URL of the identity API, version 3."""
        url = self._known_auth_url()
        if not url:
            raise exception.AuthorizationFailure(message=_(
                'No URL of the identity service is configured ([keystone_auth] auth_url).'))
        url = url.rstrip('/').replace('/v2.0', '/v3')
        return url if url.endswith('/v3') else url + '/v3'

    def _known_auth_url(self):
        return getattr(self.context, 'auth_url', None) or _service_auth_url()

    @property
    def auth_token(self):
        return self.session.get_token()

    @property
    def session(self):
        if self._session is None:
            self._session = self._find_session()
        return self._session

    def _find_session(self):
        with _PROCESS.lock:
            if self._is_service():
                if _PROCESS.service_session is None:
                    _PROCESS.service_session = self._get_session(self._get_auth())
                return _PROCESS.service_session
            try:
                found = _PROCESS.sessions.get(self.context)
            except TypeError:
                return self._get_session(self._get_auth())
            if found is None:
                found = self._get_session(self._get_auth())
                _PROCESS.sessions[self.context] = found
            return found

    def _is_service(self):
        return not self.context.auth_token and not self.context.auth_token_info

    def _get_session(self, auth):
        session = ka_loading.load_session_from_conf_options(
            CONF, GROUP, auth=auth, session=_PROCESS.requests(),
            discovery_cache=_PROCESS.discovery)
        if session.timeout is None:
            session.timeout = (CONF.openstack_client.connect_timeout,
                               CONF.openstack_client.read_timeout)
        return session

    def _get_auth(self):
        if self.context.auth_token_info:
            found = ka_access.create(body=self.context.auth_token_info,
                                     auth_token=self.context.auth_token)
            # the catalog has everything else
            url = self.auth_url if self._known_auth_url() else None
            return ka_access_plugin.AccessInfoPlugin(auth_ref=found, auth_url=url)
        if self.context.auth_token:
            return ka_v3.Token(auth_url=self.auth_url, token=self.context.auth_token,
                               project_id=self.context.project_id)
        if self.context.is_admin:
            return _load_service_auth()
        LOG.error('A request of user %s reached Keystone without a token',
                  self.context.user_id)
        raise exception.AuthorizationFailure(message=_('There is no token to log in with.'))

    @property
    def client(self):
        """The SDK's identity proxy."""
        if self._client is None:
            # late: clients imports this module
            from magnum_ng.common import clients

            self._client = clients.connection_for(self).identity
            # application credentials and their like pass through it
            clients.keep_quiet(self._client)
        return self._client

    def get_validate_region_name(self, region_name):
        """The region's name, if Keystone knows it."""
        if region_name is None:
            raise exception.InvalidParameterValue(
                _('region_name needs to be configured in magnum.conf'))
        try:
            known = [region.id for region in self.client.regions()]
        except Exception as error:
            LOG.error('The regions cannot be listed: %s', type(error).__name__)
            raise exception.RegionsListFailed() from error
        if region_name not in known:
            raise exception.InvalidParameterValue(
                _('region_name %(region_name)s is invalid, expecting a region_name in '
                  '%(region_name_list)s.')
                % {'region_name': region_name, 'region_name_list': '/'.join(sorted(known))})
        return region_name


def get_project(context, project_id):
    """The project (an SDK object), read with the service's own credentials.

    :raises ProjectNotFound: there is none
    """
    from openstack import exceptions as sdk_exceptions

    from magnum_ng.common import clients

    if not _PROJECT_ID.fullmatch(project_id):
        # It becomes a part of an address, and must not lead to another one.
        raise exception.ProjectNotFound(name='project_id', id=project_id)
    try:
        admin = clients.OpenStackClients(magnum_context.make_admin_context()).keystone()
        return admin.client.get_project(project_id)
    except sdk_exceptions.NotFoundException as error:
        raise exception.ProjectNotFound(name='project_id', id=project_id) from error
    except Exception as error:
        raise exception.from_backend('identity', error) from error


def is_octavia_enabled():
    """Whether the catalog has a load balancer service."""
    admin = KeystoneClientV3(magnum_context.make_admin_context())
    try:
        catalog = admin.session.auth.get_access(admin.session).service_catalog
        return bool(catalog.get_endpoints(service_type='load-balancer'))
    except Exception as error:
        LOG.error('The services of the cloud cannot be listed: %s', type(error).__name__)
        raise exception.ServicesListFailed() from error


def _service_auth_url():
    try:
        url = CONF[GROUP].auth_url
    except AttributeError:
        # an option of the plugin, which nothing has loaded yet
        url = None
    if url:
        return url
    try:
        return CONF.keystone_authtoken.www_authenticate_uri
    except AttributeError:
        return None


def _load_service_auth():
    """The plugin that [keystone_auth], or the section it points at, describes."""
    try:
        plugin = ka_loading.load_auth_from_conf_options(CONF, GROUP)
    except ka_exceptions.MissingRequiredOptions:
        url = _service_auth_url()
        if not url:
            raise
        plugin = ka_loading.load_auth_from_conf_options(CONF, GROUP, auth_url=url)
    if plugin is None:
        raise exception.AuthorizationFailure(message=_(
            'The service has no credentials of its own: [keystone_auth] auth_type is empty.'))
    return plugin
