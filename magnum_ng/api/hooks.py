# SPDX-License-Identifier: Apache-2.0
"""What happens around every request: pecan hooks."""

from oslo_context import context as oslo_context
from pecan import hooks

from magnum_ng.common import context
import magnum_ng.conf

CONF = magnum_ng.conf.CONF

_TRACEBACK = b'Traceback (most recent call last):'


def forget_context():
    """Forget whom this thread's last request came from, so that no log line names them."""
    oslo_context._request_store.context = None


class ContextHook(hooks.PecanHook):
    """Sets ``request.context`` from the headers that the authentication filter has checked."""

    def before(self, state):
        headers = state.request.headers
        environ = state.request.environ
        roles = headers.get('X-Roles')
        state.request.context = context.make_context(
            auth_token=headers.get('X-Auth-Token'),
            auth_url=headers.get('X-Auth-Url') or CONF.keystone_authtoken.www_authenticate_uri,
            auth_token_info=environ.get('keystone.token_info'),
            user_name=headers.get('X-User-Name'),
            user_id=headers.get('X-User-Id'),
            project_name=headers.get('X-Project-Name'),
            project_id=headers.get('X-Project-Id'),
            user_domain_id=headers.get('X-User-Domain-Id'),
            user_domain_name=headers.get('X-User-Domain-Name'),
            project_domain_id=headers.get('X-Project-Domain-Id'),
            project_domain_name=headers.get('X-Project-Domain-Name'),
            system_scope=headers.get('Openstack-System-Scope'),
            request_id=environ.get('openstack.request_id'),
            global_id=environ.get('openstack.global_request_id'),
            roles=roles.split(',') if roles else [])


class _ConductorOnDemand:
    """The RPC client of a request. Most requests read, or are refused, and never need it."""

    def __init__(self, request_context):
        self._context = request_context
        self._api = None

    def __getattr__(self, name):
        if self._api is None:
            from magnum_ng.conductor import api

            self._api = api.API(context=self._context)
        return getattr(self._api, name)


class RPCHook(hooks.PecanHook):
    """Sets ``request.rpcapi``, which reaches the conductor."""

    def before(self, state):
        state.request.rpcapi = _ConductorOnDemand(state.request.context)


class NoExceptionTracebackHook(hooks.PecanHook):
    """The last look at error answers: no traceback leaves the service."""

    def after(self, state):
        response = state.response
        if response.status_int < 400 or _TRACEBACK not in response.body:
            return
        response.body = response.body.split(_TRACEBACK)[0].removesuffix(b'\\n') + b'"}]}'
