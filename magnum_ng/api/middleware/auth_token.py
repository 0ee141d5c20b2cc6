# SPDX-License-Identifier: Apache-2.0
"""The check of tokens: keystonemiddleware's, with limits of time and with errors of our form."""

import re

from keystoneauth1 import exceptions
from keystonemiddleware import auth_token
from webob import exc

from magnum_ng.api import faults
from magnum_ng.common import exception
from magnum_ng.common import log as logging
import magnum_ng.conf
from magnum_ng.i18n import _

CONF = magnum_ng.conf.CONF

LOG = logging.getLogger(__name__)


class AuthTokenMiddleware(auth_token.AuthProtocol):
    """Keystone's token check for all addresses but the public ones.

    A public one may end with ``.json`` and with slashes.
    """

    def __init__(self, app, conf, public_api_routes=None):
        self.public_api_routes = public_api_routes or []
        pattern = '%s(\\.json)?$'
        try:
            self.public_routes = [re.compile(pattern % route) for route in self.public_api_routes]
        except re.error as error:
            message = _('Cannot compile public API routes: %s') % error
            LOG.error(message)
            raise exception.ConfigInvalid(error_msg=message) from None
        super().__init__(app, conf)

    def __call__(self, environ, start_response):
        path = environ.get('PATH_INFO', '').rstrip('/') or '/'
        environ['is_public_api'] = any(route.fullmatch(path) for route in self.public_routes)
        if environ['is_public_api']:
            return self._app(environ, start_response)
        return super().__call__(environ, start_response)

    def process_request(self, request):
        try:
            return super().process_request(request)
        except exc.HTTPServiceUnavailable as error:
            # Keystone's own answer, a plain text. What is refused with 401 stays as it is.
            request_id = faults.request_id_of(request.environ)
            error.headers.setdefault('x-openstack-request-id', request_id)
            return faults.http_answer(error, request_id)

    def _create_session(self, **kwargs):
        # Unless told otherwise, the library waits for an answer as long as it takes.
        session = super()._create_session(**kwargs)
        if session.timeout is None:
            session.timeout = (CONF.openstack_client.connect_timeout,
                               CONF.openstack_client.read_timeout)
        return session

    @property
    def _reject_auth_headers(self):
        # To name Keystone's address, the library may have to ask Keystone.
        try:
            return super()._reject_auth_headers
        except exceptions.ClientException:
            return [('WWW-Authenticate', 'Keystone')]

    @classmethod
    def factory(cls, global_config, **local_conf):
        """For paste files; ``acl_public_routes`` lists the public addresses with commas."""
        routes = [route.strip() for route in local_conf.get('acl_public_routes', '').split(',')
                  if route.strip()]

        def make(app):
            return cls(app, global_config, public_api_routes=routes)

        return make
