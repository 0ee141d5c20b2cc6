# SPDX-License-Identifier: Apache-2.0

import json

import webtest

from magnum_ng.api.middleware import parsable_error
from magnum_ng.tests import base


class TestParsableError(base.TestCase):
    def serve(self, status, body=b'', headers=(), **environ):
        def app(environ, start_response):
            start_response(status, list(headers))
            return [body]

        return webtest.TestApp(parsable_error.ParsableErrorMiddleware(app)).get(
            '/', status='*', extra_environ=environ)

    def test_what_is_no_error_passes(self):
        self.assertEqual(b'plain', self.serve('200 OK', b'plain').body)

    def test_an_error_of_the_agreed_form_passes(self):
        body = b'{"errors": [{"title": "x"}]}'
        response = self.serve('404 Not Found', body, [('X-More', '1')])
        self.assertEqual((body, '1'), (response.body, response.headers['X-More']))

    def test_other_errors_get_the_agreed_form(self):
        for body, title, detail, code in (
                (b'', 'Not Found', 'Not Found', ''),
                (b'<html>', 'Not Found', 'Not Found', ''),
                (b'[]', 'Not Found', 'Not Found', ''),
                (json.dumps({'title': 'Gone', 'description': 'It is gone.'}).encode(), 'Gone',
                 'It is gone.', ''),
                (json.dumps({'faultstring': 'No. Never.', 'faultcode': 'Client'}).encode(), 'No',
                 'No. Never.', 'client')):
            response = self.serve('404 Not Found', body, [('Content-Type', 'text/html')])
            [error] = response.json['errors']
            self.assertEqual((404, title, detail, code), (
                error['status'], error['title'], error['detail'], error['code']))
            self.assertRegex(error['request_id'], '^req-')
            self.assertEqual('application/json', response.headers['Content-Type'])
            self.assertEqual(str(len(response.body)), response.headers['Content-Length'])

    def test_the_request_id_is_that_of_the_request(self):
        response = self.serve('500 Internal Server Error', **{'openstack.request_id': 'req-1'})
        self.assertEqual('req-1', response.json['errors'][0]['request_id'])

    def test_what_escapes_from_the_application_is_an_error_without_its_text(self):
        def app(environ, start_response):
            raise RecursionError('secret')

        response = webtest.TestApp(parsable_error.ParsableErrorMiddleware(app)).get(
            '/', status=500)
        self.assertNotIn('secret', response.text)
        self.assertEqual('server', response.json['errors'][0]['code'])
