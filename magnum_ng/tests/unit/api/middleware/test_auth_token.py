# SPDX-License-Identifier: Apache-2.0

from unittest import mock

from keystoneauth1 import exceptions
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

    def test_keystone_being_away_is_told_like_any_other_error(self):
        app = self.app()
        for error in (exceptions.ConnectFailure('http://10.0.0.1 refused'),
                      exceptions.RequestTimeout('too slow')):
            with mock.patch('keystonemiddleware.auth_token._identity.IdentityServer.verify_token',
                            side_effect=error):
                response = app.get('/v1/clusters', headers={'X-Auth-Token': 'token'},
                                   extra_environ={'openstack.request_id': 'req-1'}, status=503)
            self.assertEqual('application/json', response.content_type)
            self.assertEqual('req-1', response.headers['x-openstack-request-id'])
            found, = response.json['errors']
            self.assertEqual((503, 'req-1'), (found['status'], found['request_id']))
            self.assertEqual('The Keystone service is temporarily unavailable.', found['detail'])

    def test_the_answer_to_a_bad_token_is_the_librarys(self):
        response = self.app().get('/v1/clusters', status=401)
        self.assertIn('The request you have made requires authentication.', response.text)
        self.assertNotIn('errors', response.text)

    def test_a_pattern_that_is_none_is_told(self):
        error = self.assertRaises(exception.ConfigInvalid, self.app, '/(')
        self.assertIn('Cannot compile public API routes', str(error))
