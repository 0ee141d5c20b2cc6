# SPDX-License-Identifier: Apache-2.0
"""Tokens, roles and a cloud that is out of order, with keystonemiddleware in its place."""

from magnumclient import exceptions as client_exc

from magnum_ng.tests.functional import base


class IdentityTest(base.TestCase):

    def test_the_root_and_v1_need_no_token(self):
        for path in ('/', '/v1', '/v1/'):
            self.assertEqual(200, self.request('GET', path, user=None).status_code, path)

    def test_without_a_token_the_answer_is_401(self):
        response = self.request('GET', '/v1/clusters', user=None)
        self.assertEqual(401, response.status_code)
        self.assertIn('Keystone uri=', response.headers['WWW-Authenticate'])

    def test_a_made_up_token_is_refused(self):
        response = self.request('GET', '/v1/clusters', user=None,
                                headers={'X-Auth-Token': 'made-up'})
        self.assertEqual(401, response.status_code)

    def test_a_revoked_token_is_refused(self):
        token = self.stack.cloud.token('demo')
        headers = {'X-Auth-Token': token}
        self.assertEqual(
            200, self.request('GET', '/v1/clusters', user=None, headers=headers).status_code)
        self.stack.cloud.identity.revoke(token)
        self.assertEqual(
            401, self.request('GET', '/v1/clusters', user=None, headers=headers).status_code)

    def test_identity_headers_of_the_client_count_for_nothing(self):
        response = self.request('GET', '/v1/mservices', headers={
            'X-Roles': 'admin', 'X-Project-Id': 'forged', 'X-Identity-Status': 'Confirmed'})
        self.assertEqual(403, response.status_code)

    def test_a_reader_reads_and_does_not_create(self):
        self.assertEqual(
            200, self.request('GET', '/v1/clusters', user='demo-reader').status_code)
        response = self.request('POST', '/v1/clustertemplates', user='demo-reader', json={
            'name': self.name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
            'external_network_id': 'public'})
        self.assertEqual(403, response.status_code)

    def test_every_answer_names_its_request(self):
        for user, path in (('demo', '/v1/clusters'), ('demo', '/v1/clusters/none'),
                           (None, '/v1')):
            response = self.request('GET', path, user=user)
            self.assertRegex(response.headers['x-openstack-request-id'], '^req-')

    def test_an_image_service_out_of_order_is_no_fault_of_the_client(self):
        self.stack.cloud.disturb('image', status=503)
        response = self.request('POST', '/v1/clustertemplates', json={
            'name': self.name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
            'external_network_id': 'public'})
        self.assertEqual(503, response.status_code)
        self.assertNotIn(self.stack.cloud.url, response.text)
        self.assertNotIn('Traceback', response.text)

    def test_the_client_can_tell_that_a_service_is_out_of_order(self):
        self.stack.cloud.disturb('image', status=503)
        self.assertRaises(client_exc.ServiceUnavailable, self.new_template)
