# SPDX-License-Identifier: Apache-2.0

import webtest

from magnum_ng.api.middleware import auth_token
from magnum_ng.common import exception
from magnum_ng.tests import base


def application(environ, start_response):
    start_response('200 OK', [('Content-Type', 'text/plain')])
    return [b'served']


class TestAuthToken(base.TestCase):
    def app(self, routes='/, /v1'):
        factory = auth_token.AuthTokenMiddleware.factory({}, acl_public_routes=routes)
        return webtest.TestApp(factory(application))

    def test_public_addresses_need_no_token(self):
        for path in ('/', '/v1', '/v1/', '/v1//', '/v1.json', '/.json'):
            self.assertEqual('served', self.app().get(path).text)

    def test_all_others_do(self):
        for path in ('/v1/clusters', '/v1x', '/v2', '/v1%0A', '/v1/../v1/clusters', '/clusters'):
            response = self.app().get(path, status=401)
            self.assertIn('Keystone', response.headers['WWW-Authenticate'])

    def test_without_public_addresses_everything_needs_one(self):
        self.app('').get('/', status=401)

    def test_keystone_is_not_waited_for_for_ever(self):
        self.config('openstack_client', connect_timeout=3, read_timeout=20)
        make = auth_token.AuthTokenMiddleware.factory({})
        self.assertEqual((3, 20), make(application)._session.timeout)
        self.config('keystone_authtoken', http_connect_timeout=7)
        self.assertEqual(7, make(application)._session.timeout)

    def test_a_pattern_that_is_none_is_told(self):
        error = self.assertRaises(exception.ConfigInvalid, self.app, '/(')
        self.assertIn('Cannot compile public API routes', str(error))
