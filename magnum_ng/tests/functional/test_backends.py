# SPDX-License-Identifier: Apache-2.0
"""Other services that fail, hang, refuse or talk nonsense, and tokens that run out.

The client gets an answer in time, which says whose fault it is and nothing about addresses; what
was refused has left nothing behind.
"""

import contextlib
import time

import webob

from magnum_ng.common.x509 import operations
from magnum_ng.tests import inside
from magnum_ng.tests.functional import base

# What a service answers: what the client gets for it.
ANSWERS = {401: (401,), 403: (403,), 409: (502,), 429: (502, 503), 500: (502,), 502: (502,),
           503: (503,), 418: (502,)}
NONSENSE = (b'', b'not json', b'null', b'[]', b'5', b'{"images": 5, "flavors": [null]}',
            b'{"error": {"message": "http://internal.test/"}}', b'<html></html>', b'\xff\xfe',
            b'{"flavor": [], "keypair": "x", "networks": {}, "subnets": [1]}')
READ_TIMEOUT = 1


class Backends(base.TestCase):
    stack_options = {
        'certificates': 'barbican',
        'options': {
            'openstack_client': {'read_timeout': READ_TIMEOUT, 'connect_timeout': 1,
                                 'connect_retries': 0},
            # Tokens are checked once, so that what fails later is not the check of a token.
            'keystone_authtoken': {'token_cache_time': 300, 'http_connect_timeout': 2,
                                   'http_request_max_retries': 0}}}

    def setUp(self):
        super().setUp()
        self.template = self.new_template(keypair_id=None, fixed_network='private')

    def service(self, kind):
        [found] = [service for service in self.stack.cloud.services if service.type == kind]
        return found

    @contextlib.contextmanager
    def answering(self, kind, status=200, body=b'', delay=0):
        """The service of a type gives this answer to everything but questions for versions."""
        service = self.service(kind)
        proper = service.handle

        def handle(request):
            if request.path_info.strip('/') in ('', 'v2', 'v2.0', 'v2.1', 'v3', 'v1'):
                return proper(request)
            time.sleep(delay)
            return webob.Response(body=body, status=status, content_type='application/json')

        service.handle = handle
        try:
            yield
        finally:
            service.handle = proper

    def send(self, kind):
        """A request that needs the service of this type."""
        if kind == 'identity':
            return self.request('POST', '/v1/quotas', user='admin', json={
                'project_id': 'p1', 'resource': 'Cluster', 'hard_limit': 3})
        if kind == 'image':
            return self.request('POST', '/v1/clustertemplates', json={
                'name': self.name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
                'external_network_id': 'public'})
        return self.request('POST', '/v1/clusters', json={
            'name': self.name, 'cluster_template_id': self.template.uuid, 'keypair': 'demo-key'})

    def check(self, kind, wanted, story):
        begun = time.monotonic()
        response = self.send(kind)
        story = (kind, *story, response.text)
        self.assertIn(response.status_code, wanted, story)
        self.assertLess(time.monotonic() - begun, 20, story)
        [error] = response.json()['errors']
        self.assertTrue(error['title'] and error['detail'], story)
        for hidden in (self.stack.cloud.url, 'internal.test', '127.0.0.1', base.PASSWORD):
            self.assertNotIn(hidden, response.text, story)
        self.assertIsNone(inside.look(response.text), story)
        self.assertEqual([], [cluster for cluster in self.magnum.clusters.list()
                              if cluster.name == self.name])

    def test_a_status_of_another_service_is_told_as_what_it_means(self):
        for kind in ('compute', 'image', 'network'):
            for status, wanted in ANSWERS.items():
                with self.answering(kind, status, b'{"error": "http://internal.test/"}'):
                    self.check(kind, wanted, (status,))

    def test_nonsense_is_the_failure_of_the_other_service(self):
        for kind in ('compute', 'image', 'network'):
            for body in NONSENSE:
                with self.answering(kind, body=body):
                    self.check(kind, (502,), (body,))

    def test_a_service_that_hangs_is_given_up(self):
        for kind in ('compute', 'image', 'network'):
            with self.answering(kind, delay=READ_TIMEOUT + 1):
                self.check(kind, (504, 503), ('hangs',))

    def test_a_service_that_is_gone_is_told(self):
        for kind, name in (('compute', 'nova'), ('image', 'glance'), ('network', 'neutron')):
            service = self.service(kind)
            self.stack.cloud.set_endpoint(name, kind, 'http://127.0.0.1:9')
            self.addCleanup(self.stack.cloud.set_endpoint, name, kind,
                            service.url + service.suffix)
            # A token of its own: the catalog comes with it.
            response = self.request('POST', '/v1/clustertemplates', user=None, headers={
                'X-Auth-Token': self.stack.cloud.token('demo')}, json={
                    'name': self.name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
                    'external_network_id': 'public', 'flavor_id': 'm1.small'})
            self.assertEqual(503, response.status_code, response.text)
            self.assertNotIn('127.0.0.1', response.text)

    def test_keystone_answers_about_projects(self):
        for status, wanted in {404: (404,), 403: (400, 403), 500: (502,), 503: (503,)}.items():
            with self.answering_projects(status):
                self.check('identity', wanted, (status,))

    @contextlib.contextmanager
    def answering_projects(self, status):
        service = self.service('identity')
        proper = service.handle

        def handle(request):
            if '/projects/' in request.path_info:
                return webob.Response(status=status, text='http://internal.test/')
            return proper(request)

        service.handle = handle
        try:
            yield
        finally:
            service.handle = proper

    def test_keystone_that_cannot_check_tokens_is_a_503(self):
        token = self.stack.cloud.token('demo')
        self.stack.cloud.disturb('identity', status=500)
        response = self.request('GET', '/v1/clusters', user=None,
                                headers={'X-Auth-Token': token})
        self.assertEqual(503, response.status_code, response.text)
        self.assertNotIn(self.stack.cloud.url, response.text)

    def test_a_token_that_ends_during_a_request_is_a_401(self):
        token = self.stack.cloud.token('demo')
        headers = {'X-Auth-Token': token}
        self.assertEqual(200, self.request('GET', '/v1/clusters', user=None,
                                           headers=headers).status_code)
        # This service remembers that it was good, the others do not.
        self.stack.cloud.identity.revoke(token)
        response = self.request('POST', '/v1/clustertemplates', user=None, headers=headers, json={
            'name': self.name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
            'external_network_id': 'public'})
        self.assertEqual(401, response.status_code, response.text)

    def test_a_key_manager_that_fails_fails_the_creation_and_says_so(self):
        with self.answering('key-manager', 500, b'http://internal.test/'):
            cluster = self.new_cluster(template=self.template, wait='CREATE_FAILED')
        self.assertTrue(cluster.status_reason)
        self.assertNotIn('internal.test', cluster.status_reason)
        self.assertNotIn('127.0.0.1', cluster.status_reason)
        self.magnum.clusters.delete(cluster.uuid)
        self.wait_gone(cluster.uuid)

    def test_a_key_manager_that_fails_is_told_to_whoever_reads_certificates(self):
        cluster = self.new_cluster(template=self.template)
        for status, body, delay, wanted in (
                (500, b'', 0, (502,)), (503, b'', 0, (503,)), (200, b'nonsense', 0, (502,)),
                (403, b'', 0, (403, 502)), (404, b'', 0, (404, 409, 502)),
                (200, b'', READ_TIMEOUT + 1, (503, 504))):
            with self.answering('key-manager', status, body, delay):
                response = self.request('GET', f'/v1/certificates/{cluster.uuid}')
            story = status, body, delay, response.text
            self.assertIn(response.status_code, wanted, story)
            self.assertNotIn('127.0.0.1', response.text, story)
            self.assertIsNone(inside.look(response.text), story)
        self.assertEqual(200, self.request(
            'GET', f'/v1/certificates/{cluster.uuid}').status_code)

    def test_an_authority_that_cannot_be_read_signs_nothing(self):
        cluster = self.new_cluster(template=self.template)
        for secret in self.service('key-manager').secrets.values():
            secret['payload'] = 'nonsense'
        response = self.request('POST', '/v1/certificates', json={
            'cluster_uuid': cluster.uuid, 'csr': operations.generate_csr_and_key('x')['csr']})
        self.assertEqual(502, response.status_code, response.text)
