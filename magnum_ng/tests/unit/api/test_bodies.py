# SPDX-License-Identifier: Apache-2.0
"""Bodies, queries and content types that no operation takes, sent to one of them."""

from unittest import mock

from oslo_db import exception as db_exc
import oslo_messaging
import webob.request

from magnum_ng import objects
from magnum_ng.common import exception
from magnum_ng.tests.unit.api import base

QUOTA = '/v1/quotas/p/Cluster'


class TestBodies(base.FunctionalTest):
    def refused(self, raw, status=400, title=None, **headers):
        response = self.patch(QUOTA, raw=raw, headers={**self.as_admin(), **headers},
                              status=status)
        error = self.error(response)
        self.assertEqual(('client', status), (error['code'], error['status']))
        self.assertTrue(error['title'])
        self.assertIn('OpenStack-API-Version', response.headers)
        for internal in ('Traceback', 'NoneType', 'has no attribute', 'object is not'):
            self.assertNotIn(internal, response.text)
        if title is not None:
            self.assertEqual(title, error['title'])
        return error

    def test_a_body_that_is_no_object_is_refused(self):
        for raw in ('null', '[]', '"x"', '5', 'true', '[null]'):
            self.refused(raw)

    def test_a_body_that_is_no_json_is_refused(self):
        for raw in ('{', 'x', '{"hard_limit": NaN}', '{"hard_limit": Infinity}', b'\xff',
                    "{'a':1}"):
            self.refused(raw, title='Request is not in valid JSON format')

    def test_a_body_that_nests_deeply_is_refused(self):
        self.refused('{"x": ' + '[' * 50000 + ']' * 50000 + '}')

    def test_a_body_that_is_too_large_is_refused(self):
        self.config('api', max_request_body_size=2048)
        self.refused('{"x": "' + 'x' * 2048 + '"}', 413,
                     'The request body is larger than 2048 bytes')
        self.refused('{"x": "' + 'x' * 1900 + '"}', 400)

    def test_a_chunked_body_that_is_too_large_is_refused_before_it_is_read(self):
        self.config('api', max_request_body_size=2048)
        sent = []

        class Endless:
            def read(self, size=-1):
                sent.append(size)
                return b'x' * max(size, 0)

        request = webob.request.Request.blank(QUOTA, method='PATCH', headers={
            **self.as_admin(), 'Content-Type': 'application/json',
            'Transfer-Encoding': 'chunked'})
        request.environ.pop('CONTENT_LENGTH', None)
        request.environ['wsgi.input'] = Endless()
        request.environ['wsgi.input_terminated'] = True
        response = request.get_response(self.app.app)
        self.assertEqual(413, response.status_int)
        self.assertLessEqual(sum(sent), 2049)

    def test_a_chunked_body_of_the_right_size_is_read(self):
        objects.Quota(self.context, project_id='p', resource='Cluster', hard_limit=1).create()
        request = webob.request.Request.blank(QUOTA, method='PATCH', headers={
            **self.as_admin(), 'Content-Type': 'application/json',
            'Transfer-Encoding': 'chunked'}, body=b'{"hard_limit": 7}')
        del request.environ['CONTENT_LENGTH']
        request.environ['wsgi.input_terminated'] = True
        response = request.get_response(self.app.app)
        self.assertEqual((202, 7), (response.status_int, response.json['hard_limit']))

    def test_other_content_types_are_refused(self):
        for kind in ('text/plain', 'application/xml', 'application/octet-stream',
                     'multipart/form-data; boundary=x', 'image/png'):
            self.refused('{}', 415, f'Unknown mimetype: {kind.partition(";")[0]}',
                         **{'Content-Type': kind})

    def test_parameters_of_the_content_type_do_not_matter(self):
        objects.Quota(self.context, project_id='p', resource='Cluster', hard_limit=1).create()
        self.patch(QUOTA, raw='{"hard_limit": 3}', status=202, headers={
            **self.as_admin(), 'Content-Type': 'application/json;charset=utf-8'})

    def test_a_form_gives_arguments(self):
        objects.Quota(self.context, project_id='p', resource='Cluster', hard_limit=1).create()
        response = self.patch(QUOTA, raw='quotapatch.hard_limit=4', status=202, headers={
            **self.as_admin(), 'Content-Type': 'application/x-www-form-urlencoded'})
        self.assertEqual(4, response.json['hard_limit'])

    def test_a_bad_form_is_refused(self):
        for raw in ('quotapatch.hard_limit=x', 'a=b', '%ff=%fe', 'quotapatch.hard_limit=-1'):
            self.refused(raw, **{'Content-Type': 'application/x-www-form-urlencoded'})

    def test_an_empty_body_of_any_type_is_a_missing_argument(self):
        for kind in ('application/octet-stream', 'application/json'):
            self.refused('', title='Missing argument: "quotapatch"', **{'Content-Type': kind})

    def test_numbers_that_the_database_cannot_hold_are_refused(self):
        for value in (2 ** 31, 2 ** 70, 10 ** 300):
            self.refused(f'{{"hard_limit": {value}}}',
                         title='Invalid input for field/attribute hard_limit')
        self.refused('{"hard_limit": 1e400}')

    def test_unknown_attributes_are_named(self):
        self.refused('{"nope": 1}', title='Unknown attribute for argument quotapatch: nope')


class TestQueries(base.FunctionalTest):
    def refused(self, query, detail):
        error = self.error(self.get(f'/v1/quotas?{query}', self.as_admin(), status=400))
        self.assertEqual(detail, error['detail'])

    def test_unknown_parameters_are_refused(self):
        self.refused('nope=1', 'Unknown argument: "nope"')
        self.refused('_method=DELETE', 'Unknown argument: "_method"')

    def test_parameters_of_a_wrong_type_are_refused(self):
        self.refused('limit=abc', "Invalid input for field/attribute limit. Value: 'abc'. unable "
                     "to convert to int. Error: invalid literal for int() with base 10: 'abc'")
        self.refused('all_tenants=maybe', "Invalid input for field/attribute all_tenants. Value: "
                     "'maybe'. unable to convert to boolean. Error: Expected a boolean but "
                     'received maybe.')
        self.refused('limit=0', 'Limit must be positive')
        self.refused('sort_dir=up', "Invalid sort direction: up. Acceptable values are 'asc' or "
                     "'desc'")
        self.refused('sort_key=nope',
                     'The sort_key value "nope" is an invalid field for sorting')

    def test_a_parameter_twice_is_refused(self):
        self.refused('limit=1&limit=2', 'Parameter limit was given several times')

    def test_what_is_no_text_is_refused(self):
        self.refused('sort_key=%ff', 'The query or the form is not UTF-8.')
        self.refused('sort_key=%00', 'The query has a NUL character.')

    def test_an_operation_with_an_extra_segment_is_refused(self):
        response = self.post('/v1/quotas/x', {}, self.as_admin(), status=400)
        self.assertNotIn('__init__', response.text)
        self.get('/v1/quotas/a/b/c', self.as_admin(), status=404)


class TestFailures(base.FunctionalTest):
    """What other parts raise, as a client sees it."""

    def failing(self, error, status, headers=None):
        with mock.patch.object(objects.Stats, 'get_cluster_stats', side_effect=error):
            response = self.get('/v1/stats', headers, status=status)
        found = self.error(response)
        self.assertEqual(status, found['status'])
        self.assertTrue(found['detail'])
        self.assertRegex(found['request_id'], '^req-')
        self.assertEqual(response.headers['x-openstack-request-id'], found['request_id'])
        return found

    def test_the_text_of_an_unexpected_error_stays_inside(self):
        for error in (Exception('secret http://10.0.0.1/'), KeyError('secret'),
                      RecursionError('secret'), db_exc.DBError('SELECT secret'),
                      exception.CertificateStorageException(msg='secret')):
            found = self.failing(error, 500)
            self.assertEqual('server', found['code'])
            self.assertNotIn('secret', str(found))

    def test_an_unexpected_error_is_logged_once_with_its_traceback(self):
        with self.assertLogs('magnum', 'ERROR') as logs:
            self.failing(ValueError('broken'), 500)
        self.assertEqual(1, len(logs.records))
        self.assertIn('ValueError: broken', logs.output[0])

    def test_a_refusal_is_not_logged_as_an_error(self):
        with self.assertNoLogs('magnum', 'WARNING'):
            self.failing(exception.ClusterNotFound(cluster='x'), 404)

    def test_an_unreachable_database_is_503(self):
        error = db_exc.DBConnectionError('mysql://user:secret@host/')
        found = self.failing(error, 503)
        self.assertNotIn('secret', str(found))

    def test_an_unreachable_conductor_is_503_or_504(self):
        self.failing(exception.ConductorUnavailable(), 503)
        self.failing(oslo_messaging.MessageDeliveryFailure('amqp://secret'), 503)
        self.failing(oslo_messaging.MessagingTimeout('secret'), 504)

    def test_remote_errors_come_without_their_traceback(self):
        class ClusterNotFound_Remote(exception.ClusterNotFound):  # noqa: N801
            def __str__(self):
                return f'{self.message}\nTraceback (most recent call last):\n  File "secret"'

        found = self.failing(ClusterNotFound_Remote(cluster='x'), 404)
        self.assertEqual('Cluster x could not be found.', found['detail'])
        self.failing(oslo_messaging.RemoteError('DBError', 'secret', ['secret']), 500)

    def test_errors_of_other_services_are_502_or_what_they_mean(self):
        from keystoneauth1 import exceptions as ksa
        from openstack import exceptions as sdk

        for error, status in ((ksa.Unauthorized('secret'), 401), (ksa.Forbidden('secret'), 403),
                              (ksa.ConnectFailure('secret'), 503),
                              (ksa.ConnectTimeout('secret'), 504), (ksa.BadGateway('secret'), 502),
                              (ksa.EndpointNotFound('secret'), 503),
                              (sdk.HttpException('secret', http_status=401), 401),
                              (sdk.HttpException('secret', http_status=503), 503),
                              (sdk.HttpException('secret', http_status=500), 502),
                              (sdk.SDKException('secret'), 502)):
            self.assertNotIn('secret', str(self.failing(error, status)))

    def test_a_crash_outside_of_any_operation_is_an_answer_too(self):
        with mock.patch('magnum_ng.common.context.make_context', side_effect=ValueError('secret')):
            response = self.get('/v1/stats', status=500)
        self.assertNotIn('secret', response.text)
        self.assertEqual(500, self.error(response)['status'])
