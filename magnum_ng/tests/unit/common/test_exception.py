# SPDX-License-Identifier: Apache-2.0

import inspect
import re
import subprocess
import sys

from keystoneauth1 import exceptions as ksa_exceptions
from openstack import exceptions as sdk_exceptions
from oslo_messaging._drivers import common as messaging

from magnum_ng.common import exception
from magnum_ng.tests import base
from magnum_ng.tests.unit import contract

MODULE = 'magnum.common.exception'

ALL = sorted((cls for _name, cls in inspect.getmembers(exception, inspect.isclass)
              if issubclass(cls, exception.MagnumException)), key=lambda cls: cls.__name__)


def placeholders(cls):
    """Arguments that fit the class's text. 'message' would replace the text instead."""
    found = re.findall(r'%\((\w+)\)(\w)', cls.message)
    return {name: 7 if kind == 'd' else f'<{name}>' for name, kind in found
            if name != 'message'}


def make(cls):
    if '%(message)s' in cls.message:
        return cls(message='told by the service', **placeholders(cls))
    return cls(**placeholders(cls))


def over_the_bus(error):
    """The error as the other end of the message bus gets it."""
    try:
        raise error
    except type(error):
        data = messaging.serialize_remote_exception(sys.exc_info())
    return messaging.deserialize_remote_exception(data, [MODULE])


class RecordedErrorsTest(base.TestCase):

    def test_classes_codes_and_bases_are_the_recorded_ones(self):
        for recorded in contract.load('exceptions.json'):
            cls = getattr(exception, recorded['class'])
            self.assertEqual(recorded['code'], cls.code, cls)
            self.assertEqual(recorded['bases'], [base.__name__ for base in cls.__bases__])

    def test_texts_are_the_recorded_ones_but_for_the_one_that_could_not_be_filled(self):
        changed = [recorded['class'] for recorded in contract.load('exceptions.json')
                   if getattr(exception, recorded['class']).message != recorded['message']]
        self.assertEqual(['ObjectError'], changed)

    def test_all_claim_to_live_where_the_other_end_looks(self):
        self.assertEqual({MODULE}, {cls.__module__ for cls in ALL})


class EveryErrorTest(base.TestCase):

    def test_its_text_takes_its_placeholders(self):
        for cls in ALL:
            text = str(make(cls))
            self.assertNotIn('%(', text, cls)
            for value in placeholders(cls).values():
                if '%(message)s' not in cls.message:
                    self.assertIn(str(value), text)

    def test_it_arrives_at_the_other_end_of_the_message_bus(self):
        for cls in ALL:
            sent = make(cls)
            received = over_the_bus(sent)
            self.assertIsInstance(received, cls)
            self.assertEqual(sent.code, received.code)
            self.assertEqual(sent.format_message(), received.format_message())
            self.assertTrue(str(received).startswith(sent.message))

    def test_it_arrives_whatever_its_arguments_are(self):
        class Odd:
            def __str__(self):
                return 'an odd one'

        for cls in ALL:
            for error in (cls(Odd()), cls(message=ValueError('50% of %(it)s')),
                          cls('100 %d', ), cls('%(odd)s is not %(this)s', odd=Odd(), this={1, 2})):
                received = over_the_bus(error)
                self.assertIsInstance(received, cls)
                self.assertEqual(error.format_message(), received.format_message())


class TextTest(base.TestCase):

    def test_a_given_text_replaces_that_of_the_class(self):
        self.assertEqual('so there', str(exception.Conflict('so there')))
        self.assertEqual('so there', str(exception.Conflict(message='so there')))

    def test_a_given_text_is_filled_with_the_arguments(self):
        error = exception.MagnumException('no %(what)s', what='luck')
        self.assertEqual('no luck', str(error))

    def test_a_given_text_without_arguments_may_have_percent_signs(self):
        self.assertEqual('50% %s %(x)s', str(exception.Invalid('50% %s %(x)s')))

    def test_a_text_is_not_filled_twice_on_its_way_over_the_bus(self):
        sent = exception.InvalidName(name='%(code)s 100%% %d')
        received = over_the_bus(sent)
        self.assertEqual('Expected a name but received %(code)s 100%% %d.',
                         received.format_message())

    def test_a_missing_argument_is_an_error_in_tests(self):
        self.assertRaises(KeyError, exception.ClusterNotFound)

    def test_a_missing_argument_leaves_the_text_and_logs_names_only(self):
        self.config(group='oslo_versionedobjects', fatal_exception_format_errors=False)
        with self.assertLogs('magnum.common.exception', 'ERROR') as logs:
            error = exception.ClusterNotFound(password='s3cr3t')
        self.assertEqual('Cluster %(cluster)s could not be found.', str(error))
        self.assertIn('ClusterNotFound', logs.output[0])
        self.assertNotIn('s3cr3t', logs.output[0])

    def test_a_code_can_be_given_and_arrives(self):
        error = exception.MagnumException('gone', code=410)
        self.assertEqual(410, error.code)
        self.assertEqual(410, over_the_bus(error).code)

    def test_a_subclass_of_a_driver_stays_where_it_is_and_fills_its_own_text(self):
        class NotReady(exception.ObjectNotFound):
            message = 'The %(thing)s is not ready'

        self.assertEqual(__name__, NotReady.__module__)
        self.assertEqual('The pool is not ready', str(NotReady(thing='pool')))
        self.assertEqual(404, NotReady(thing='pool').code)

    def test_a_refused_operation_says_what_and_why(self):
        error = exception.OperationNotAllowed(operation='Resizing a cluster',
                                              status='DELETE_IN_PROGRESS')
        self.assertEqual('Resizing a cluster when status is "DELETE_IN_PROGRESS" is not supported.',
                         str(error))
        self.assertEqual(409, error.code)
        self.assertIsInstance(error, exception.NotSupported)


class BackendErrorsTest(base.TestCase):

    SECRET = 'http://10.0.0.5:9292/v2 token=gAAAA'

    def test_other_services_errors_become_gateway_errors_without_details(self):
        for error, cls, code in (
                (ksa_exceptions.ConnectFailure(self.SECRET), exception.BackendUnavailable, 503),
                (ksa_exceptions.EndpointNotFound(self.SECRET), exception.BackendUnavailable, 503),
                (ksa_exceptions.ConnectTimeout(self.SECRET), exception.BackendTimeout, 504),
                (ksa_exceptions.ServiceUnavailable(self.SECRET), exception.BackendUnavailable, 503),
                (ksa_exceptions.Forbidden(self.SECRET), exception.BackendForbidden, 403),
                (ksa_exceptions.InternalServerError(self.SECRET), exception.BackendError, 502),
                (sdk_exceptions.HttpException(self.SECRET, http_status=500),
                 exception.BackendError, 502),
                (sdk_exceptions.HttpException(self.SECRET, http_status=503),
                 exception.BackendUnavailable, 503),
                (sdk_exceptions.SDKException(self.SECRET), exception.BackendError, 502),
                (sdk_exceptions.ResourceTimeout(self.SECRET), exception.BackendTimeout, 504),
                (ConnectionRefusedError(self.SECRET), exception.BackendUnavailable, 503),
                (TimeoutError(self.SECRET), exception.BackendTimeout, 504)):
            mapped = exception.from_backend('image', error)
            self.assertIs(cls, type(mapped), error)
            self.assertEqual(code, mapped.code)
            self.assertIn('image', str(mapped))
            self.assertNotIn('10.0.0.5', str(mapped))

    def test_the_log_tells_why_but_no_secret_and_no_book(self):
        secret = '"adminPass": "s3cr3t" ' + 'word ' * 399 + '"password": "s3cr3t and more"'
        with self.assertLogs('magnum.common.exception', 'WARNING') as logs:
            exception.from_backend('image', ksa_exceptions.BadGateway(secret))
        self.assertIn('BadGateway: "adminPass": "***" word', logs.output[0])
        self.assertNotIn('s3cr3t', logs.output[0])
        self.assertLess(len(logs.output[0]), 2200)

    def test_our_own_errors_stay(self):
        error = exception.ImageNotFound(image_id='x')
        self.assertIs(error, exception.from_backend('image', error))

    def test_a_refused_login_is_an_authorization_failure(self):
        @exception.wrap_keystone_exception
        def log_in():
            raise ksa_exceptions.Unauthorized(self.SECRET)

        error = self.assertRaises(exception.AuthorizationFailure, log_in)
        self.assertEqual('log_in connection failed.', str(error))
        self.assertEqual(403, error.code)

    def test_keystone_being_away_is_both_unavailable_and_a_failed_login(self):
        @exception.wrap_keystone_exception
        def log_in():
            raise ksa_exceptions.ConnectFailure(self.SECRET)

        error = self.assertRaises(exception.AuthorizationFailure, log_in)
        self.assertIsInstance(error, exception.BackendUnavailable)
        self.assertEqual(503, error.code)
        self.assertNotIn('10.0.0.5', str(error))

    def test_what_keystone_did_not_raise_passes(self):
        @exception.wrap_keystone_exception
        def log_in():
            raise LookupError('mine')

        self.assertRaises(LookupError, log_in)

    def test_the_module_does_not_load_the_sdk(self):
        code = 'import sys, magnum_ng.common.exception; print("openstack" in sys.modules)'
        done = subprocess.run([sys.executable, '-W', 'ignore', '-c', code],  # noqa: S603
                              capture_output=True, text=True, check=True)
        self.assertEqual('False', done.stdout.strip())
