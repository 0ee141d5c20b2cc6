# SPDX-License-Identifier: Apache-2.0
"""The base class of tests that send requests to the application."""

import json
from unittest import mock

from pecan import hooks as pecan_hooks
import webtest

from magnum_ng.api import app
from magnum_ng.conductor import api as conductor_api
from magnum_ng.tests import fakes
from magnum_ng.tests.unit.db import base as db_base

LATEST = 'container-infra latest'


class AuthorizationHook(pecan_hooks.PecanHook):
    """Notes requests that succeeded without any question of policy having been asked."""

    PUBLIC = ('/', '/v1')

    def __init__(self):
        self.forgotten = []

    def after(self, state):
        request = state.request
        if state.response.status_int >= 400 or (
                request.path_info.rstrip('/') or '/') in self.PUBLIC:
            return
        if not getattr(request, 'authorized', False):
            self.forgotten.append(f'{request.method} {request.path}')


class RecordingConductor:
    """Stands in for the RPC client: notes the messages, and raises or answers what it is told."""

    def __init__(self):
        self.messages = []
        self.error = None
        self.answers = {}

    def __getattr__(self, name):
        def send(*args, **kwargs):
            self.messages.append((name, args, kwargs))
            if self.error:
                raise self.error
            return self.answers.get(name)

        return send

    @property
    def names(self):
        return [name for name, _args, _kwargs in self.messages]


class FunctionalTest(db_base.DbTestCase):
    """The application on an empty database, without filters; ``self.conductor`` gets its messages.

    Requests come from a member of ``fake_project``, with the latest version unless a test says
    otherwise. A test fails if a request that succeeded never asked for authorisation.
    """

    def setUp(self):
        super().setUp()
        self.conductor = RecordingConductor()
        patcher = mock.patch.object(conductor_api, 'API', lambda context=None: self.conductor)
        patcher.start()
        self.addCleanup(patcher.stop)
        self.authorization = AuthorizationHook()
        self.addCleanup(self._check_authorization)
        config = app.get_pecan_config()
        config.app.hooks = [*config.app.hooks, self.authorization]
        self.app = webtest.TestApp(app.setup_app(config))

    def _check_authorization(self):
        self.assertEqual([], self.authorization.forgotten)

    @staticmethod
    def headers(project=fakes.PROJECT_ID, user=fakes.USER_ID, roles='member,reader',
                version=LATEST, **more):
        """The headers that the token filter, or the client, would have set."""
        found = {'X-Auth-Token': fakes.TOKEN, 'X-Project-Id': project, 'X-User-Id': user,
                 'X-Roles': roles, **more}
        if version is not None:
            found['OpenStack-API-Version'] = version
        return found

    @classmethod
    def as_admin(cls, **values):
        return cls.headers(**{'project': 'admin_project', 'user': 'admin', 'roles': 'admin',
                              **values})

    @classmethod
    def as_other(cls, **values):
        """A member of another project."""
        return cls.headers(**{'project': fakes.OTHER_PROJECT_ID, 'user': 'other_user', **values})

    def send(self, method, path, body=None, headers=None, raw=None, status='*', **kwargs):
        """Send a request and check its status; ``raw`` is a body as it is."""
        headers = self.headers() if headers is None else headers
        if body is not None:
            raw = json.dumps(body)
        if raw is not None:
            headers = {'Content-Type': 'application/json', **headers}
        return self.app._gen_request(method, path, params=raw or b'', headers=headers,
                                     status=status, **kwargs)

    def get(self, path, headers=None, status=200):
        return self.app.get(path, headers=self.headers() if headers is None else headers,
                            status=status)

    def post(self, path, body=None, headers=None, status=None, raw=None):
        return self.send('POST', path, body, headers, raw, status=status or '*')

    def patch(self, path, body=None, headers=None, status=None, raw=None):
        return self.send('PATCH', path, body, headers, raw, status=status or '*')

    def delete(self, path, headers=None, status=204):
        return self.app.delete(path, headers=self.headers() if headers is None else headers,
                               status=status)

    @staticmethod
    def error(response):
        """The one error of an answer."""
        [error] = response.json['errors']
        return error
