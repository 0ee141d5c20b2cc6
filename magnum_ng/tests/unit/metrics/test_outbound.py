# SPDX-License-Identifier: Apache-2.0

from keystoneauth1 import exceptions
from keystoneauth1 import session
from keystoneauth1 import token_endpoint
import requests
from requests_mock.contrib import fixture

from magnum_ng import metrics
from magnum_ng.metrics import meters
from magnum_ng.metrics import outbound
from magnum_ng.tests.unit.metrics import base

NAME = 'magnum_outbound_seconds_count'
SECRET = 'a-project-or-a-token'


class OutboundTest(base.MetricsTestCase):

    def setUp(self):
        super().setUp()
        outbound.measure(meters.instruments(metrics.API).outbound)
        self.cloud = self.useFixture(fixture.Fixture())
        self.session = session.Session(
            auth=token_endpoint.Token('http://cloud', 'token'))

    def ask(self, service=None, path=f'/{SECRET}', method='GET', **answer):
        url = f'http://cloud{path}'
        self.cloud.register_uri(method, url, **answer)
        wanted = {'service_type': service} if service else None
        return self.session.request(url if not wanted else path, method, endpoint_filter=wanted,
                                    authenticated=False)

    def test_requests_are_counted_by_service_and_status(self):
        self.ask('compute', json={})
        self.assertRaises(exceptions.NotFound, self.ask, 'image', status_code=404)
        self.assertRaises(exceptions.InternalServerError, self.ask, 'a-new-one', method='POST',
                          status_code=500)
        found = self.scraped()
        for service, method, status in (('compute', 'GET', '200'), ('image', 'GET', '404'),
                                        ('other', 'POST', '500')):
            self.assertEqual(1, self.count(found, NAME, service=service, method=method,
                                           status=status), service)

    def test_requests_for_tokens_and_for_versions_have_names_of_their_own(self):
        self.ask(path='/v3/auth/tokens', json={})
        self.ask(path='/', json={})
        found = self.scraped()
        self.assertEqual(1, self.count(found, NAME, service='identity', method='GET',
                                       status='200'))
        self.assertEqual(1, self.count(found, NAME, service='discovery', method='GET',
                                       status='200'))

    def test_a_service_that_cannot_be_reached_counts_too(self):
        self.assertRaises(exceptions.ConnectFailure, self.ask, 'network',
                          exc=requests.exceptions.ConnectionError)
        self.assertRaises(exceptions.ConnectTimeout, self.ask, 'network',
                          exc=requests.exceptions.ConnectTimeout)
        found = self.scraped()
        for status in ('failed', 'timeout'):
            self.assertEqual(1, self.count(found, NAME, service='network', method='GET',
                                           status=status))

    def test_no_address_is_in_what_is_served(self):
        self.ask('compute', json={})
        self.assertNotIn(SECRET, str(self.scraped()))
