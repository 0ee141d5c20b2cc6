# SPDX-License-Identifier: Apache-2.0
"""What is a secret, and that every way out of the process masks the same ones."""

import contextlib
import io
import json
import types
from unittest import mock

from keystoneauth1 import exceptions as ksa_exceptions

from magnum_ng.api import cluster_views
from magnum_ng.api import faults
from magnum_ng.api.middleware import parsable_error
from magnum_ng.common import exception
from magnum_ng.common import masking
from magnum_ng.common import service
from magnum_ng.conductor import acceptance
from magnum_ng.conductor import notifications
from magnum_ng.conductor import outcome
from magnum_ng.conductor import reasons
from magnum_ng.conductor import states
from magnum_ng.drivers.common import k8s_monitor
from magnum_ng.service import health
from magnum_ng.service import status
from magnum_ng.tests import base
from magnum_ng.tests.unit.conductor import base as conductor_base

S = states.S

#: Texts with a secret, which is always the same word with a number.
SECRETS = (
    'GET https://user:hunter2hunter@cloud.example:5000/v3 failed',
    'proxy http://hunter2hunter@proxy:3128',
    'http://user:p@hunter2hunter@proxy:3128/x@y',
    'amqp://user:p/hunter2hunter@bus:5672/',
    '//user:hunter2hunter@proxy',
    "{'password': 'hunter2hunter', 'user': 'a'}",
    '{"registry_token": "hunter2hunter of two words", "a": 1}',
    "{'credential': b'hunter2hunter'}",
    'admin_password=hunter2hunter',
    'passwd=hunter2hunter',
    "application_credential_secret='hunter2hunter'",
    'AWS_SECRET_ACCESS_KEY=hunter2hunter',
    'https://cloud.example/?access_token=hunter2hunter&a=b',
    'private_key: hunter2hunter',
    'client-key-data: hunter2hunter',
    'bootstrap_token: hunter2hunter',
    'token: hunter2hunter',
    'helm --kube-token hunter2hunter list',
    '<password>hunter2hunter</password>',
    'X-Auth-Token: hunter2hunter',
    "headers {'X-Subject-Token': 'hunter2hunter'}",
    'Authorization: Bearer hunter2hunter.hunter2hunter',
    'proxy-authorization: basic hunter2hunter==',
    'Set-Cookie: session=hunter2hunter',
    'sent with bearer hunter2hunter',
    'token gAAAAABhunter2hunterJ2xvbmctdG9r has expired',
    'eyJhbGciOiJ.hunter2hunter.c2lnbmF0dXJl',
    '-----BEGIN RSA PRIVATE KEY-----\nhunter2hunter\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nhunter2hunter',
)

ORDINARY = (
    'No valid host was found.',
    'see https://cloud.example:5000/v3/users?a=b',
    'https://cloud.example:5000/files/a@b',
    'user@example.org',
    'git@example.org:project/repository',
    'The token has expired: log in again.',
    'invalid token: the token expired',
    'secret ref https://keys.example/v1/secrets/abc',
    "Key: 'registry_token'. a value is a string",
    "{'use_token': False, 'password': None}",
    'credentials: none found',
    '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----',
)


class TestMask(base.TestCase):

    def test_secrets_are_masked(self):
        for text in SECRETS:
            masked = masking.mask(text)
            self.assertNotIn('hunter2', masked)
            self.assertIn('***', masked)

    def test_the_rest_of_a_text_stays(self):
        self.assertEqual("GET http://***@h/a {'b': 1, 'token': '***'}",
                         masking.mask("GET http://u:p@h/a {'b': 1, 'token': 'x y'}"))
        for text in ORDINARY:
            self.assertEqual(text, masking.mask(text))

    def test_values_are_masked_by_their_names_too(self):
        self.assertEqual(
            {'registry_password': '***', 'cinder_csi_token': '***', 'private_registry': '***',
             'kube_tag': 'v1.30.0', 'proxy': 'http://***@proxy'},
            masking.mask_values({
                'registry_password': 'x', 'cinder_csi_token': 'y', 'private_registry': 'z',
                'kube_tag': 'v1.30.0', 'proxy': 'http://u:p@proxy'}))
        self.assertEqual({}, masking.mask_values(None))

    def test_a_secret_is_masked_before_the_text_is_cut(self):
        for longest in range(20, 80):
            cut = masking.clip('a word and http://user:hunter2hunter@proxy', longest)
            self.assertNotIn('hunter', cut)
            self.assertLessEqual(len(cut), longest)


class TestWaysOut(base.TestCase):
    """One text with all secrets leaves by every way that needs no database."""

    TEXT = ' | '.join(SECRETS)

    def check(self, text):
        self.assertTrue(text)
        self.assertNotIn('hunter2', str(text))
        self.assertIn('***', str(text))

    def test_reasons(self):
        error = RuntimeError(self.TEXT)
        self.check(reasons.of(error))
        self.check(reasons.short(error))
        self.check(reasons.first_line(error))
        try:
            raise error
        except RuntimeError:
            self.check(reasons.traceback())

    def test_log_of_another_services_error(self):
        with self.assertLogs('magnum.common.exception', 'WARNING') as logs:
            exception.from_backend('image', ksa_exceptions.BadGateway(self.TEXT))
        self.check(logs.output[0])

    def test_log_of_a_failed_request(self):
        with self.assertLogs('magnum.api.faults', 'WARNING') as logs:
            faults.log_failure(RuntimeError(self.TEXT))
            faults.fault_of(exception.ConductorUnavailable(self.TEXT))
        for line in logs.output:
            self.check(line)

    def test_error_bodies(self):
        entry = faults.item(400, self.TEXT, 'client', 'req-1')
        self.check(entry['detail'])
        self.check(entry['title'])
        response = types.SimpleNamespace()
        faults.answer(response, exception.Invalid(self.TEXT), 'req-1')
        self.check(response.body)
        self.check(parsable_error._reform(
            400, '400 Bad Request', json.dumps({'faultstring': self.TEXT}).encode(), 'req-1'))

    def test_notifications(self):
        columns = dict.fromkeys(notifications._COLUMNS, self.TEXT)
        cluster = mock.Mock(**columns, labels={'note': self.TEXT}, docker_volume_size=1)
        cluster._node_facts.return_value = {}
        content = notifications._content(cluster)
        for name in (*columns, 'labels'):
            self.check(content[name])

    def test_reasons_of_health(self):
        cluster = mock.Mock(health_status_reason={})
        with mock.patch('magnum_ng.db.sqlalchemy.operations.set_columns') as set_columns:
            health.write(cluster, 'UNHEALTHY', {'api': self.TEXT})
        self.check(set_columns.call_args.args[1]['health_status_reason']['api'])
        self.check(k8s_monitor._explain(types.SimpleNamespace(body=self.TEXT)))

    def test_commands_that_cannot_start(self):
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            self.assertRaises(SystemExit, service.fail, self.TEXT)
        self.check(told.getvalue())

    def test_templates_of_others(self):
        row = mock.MagicMock(labels={}, created_at=None, updated_at=None, project_id='owner',
                             http_proxy=self.TEXT, https_proxy=self.TEXT)
        body = cluster_views.template(row, 'http://h', 'other')
        self.check(body['http_proxy'])
        self.check(body['https_proxy'])


class TestStatusReason(conductor_base.ConductorTestCase):
    """What is stored of a failure, wherever its text comes from."""

    TEXT = TestWaysOut.TEXT

    def check(self, cluster):
        stored = self.reload(cluster)
        for row in (stored, self.worker(stored)):
            self.assertNotIn('hunter2', row.status_reason)
            self.assertIn('***', row.status_reason)

    def test_failed_operation(self):
        cluster = self.make_cluster()
        operation = acceptance.resize_cluster(self.context, cluster, 3, [])
        outcome.fail(operation.uuid, cluster.uuid, None, RuntimeError(self.TEXT))
        self.check(cluster)

    def test_what_a_driver_has_written(self):
        cluster = self.make_cluster(S.UPDATE_FAILED, status_reason=self.TEXT)
        worker = self.worker(cluster)
        worker.status, worker.status_reason = S.UPDATE_FAILED, self.TEXT
        worker.save()
        status.finish(self.admin_context, cluster.uuid)
        self.check(cluster)
