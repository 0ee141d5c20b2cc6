# SPDX-License-Identifier: Apache-2.0

import os
import subprocess
import sys

from magnum_ng import metrics
from magnum_ng.api import openapi
from magnum_ng.metrics import http
from magnum_ng.tests import base as tests_base
from magnum_ng.tests.unit.metrics import base

UUID = '5d12f6fd-a196-4bf0-ae4c-1f639a523a52'


class RouteTest(tests_base.TestCase):

    def test_every_route_of_the_api_has_a_template_without_identifiers(self):
        paths = openapi.document()['paths']
        self.assertGreater(len(paths), 20)
        for path in paths:
            address = '/'.join(UUID if part.startswith('{') else part
                               for part in path.split('/'))
            with self.subTest(path):
                found = http.route(address)
                self.assertNotEqual(http.OTHER, found)
                self.assertNotIn(UUID, found)
                self.assertEqual(path.count('/'), found.count('/'))

    def test_addresses_that_are_one_have_one_template(self):
        for path in ('/v1/clusters/mine/nodegroups/', '/clusters/mine/nodegroups',
                     '/v1//clusters/' + UUID + '/nodegroups'):
            self.assertEqual('/v1/clusters/{id}/nodegroups', http.route(path))

    def test_all_that_is_not_the_api_is_one(self):
        for path in ('/wp-login.php', '/v2/clusters', '/v1/clusters/a/b', '/v1/clusters/a/b/c/d',
                     '/v1/stats/a', '/v1/{id}'):
            self.assertEqual(http.OTHER, http.route(path), path)


class MeasuredTest(base.MetricsTestCase):

    def call(self, status, method='GET', path='/v1/clusters', error=None):
        def application(environ, start_response):
            if error:
                raise error
            start_response(status, [])
            return [b'']

        measured = http.Measured(application)
        measured._pid = os.getpid()
        return measured({'REQUEST_METHOD': method, 'PATH_INFO': path}, lambda *words: None)

    def test_requests_are_counted_by_route_and_status(self):
        self.call('200 OK')
        self.call('200 OK', path='/v1/clusters/')
        self.call('404 Not Found', path='/v1/clusters/mine', method='DELETE')
        found = self.scraped()
        name = 'magnum_http_request_seconds_count'
        self.assertEqual(2, self.count(found, name, method='GET', route='/v1/clusters',
                                       status='200'))
        self.assertEqual(1, self.count(found, name, method='DELETE', route='/v1/clusters/{id}',
                                       status='404'))

    def test_a_method_that_somebody_has_invented_makes_no_series_of_its_own(self):
        for number in range(5):
            self.call('405 Method Not Allowed', method=f'X{number}', path='/v1/clusters')
        self.assertEqual(5, self.count(
            self.scraped(), 'magnum_http_request_seconds_count', method='other',
            route='/v1/clusters', status='405'))

    def test_an_application_that_raises_counts_as_500_and_still_raises(self):
        self.assertRaises(KeyError, self.call, '', error=KeyError())
        self.assertEqual(1, self.count(
            self.scraped(), 'magnum_http_request_seconds_count', method='GET',
            route='/v1/clusters', status='500'))


class OffTest(tests_base.TestCase):

    def test_nothing_is_wrapped(self):
        def application(environ, start_response):
            pass

        self.assertIs(application, metrics.wrap_api(application))
        self.assertIs(application, metrics.wrap_rpc_method('name', application))
        metrics.start(metrics.API)

    def test_nothing_is_imported(self):
        done = subprocess.run(
            [sys.executable, '-c',
             'import sys; import magnum_ng.cmd.api, magnum_ng.cmd.conductor; '
             'print([name for name in sys.modules '
             'if name.startswith(("magnum_ng.metrics.", "prometheus"))])'],
            capture_output=True, text=True, check=True)
        self.assertEqual('[]', done.stdout.strip())
