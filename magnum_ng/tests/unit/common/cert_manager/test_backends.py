# SPDX-License-Identifier: Apache-2.0
"""The three places where certificates are kept."""

import json
import os
import re
import stat
from unittest import mock

import fixtures

from magnum_ng.common import cert_manager
from magnum_ng.common import exception
from magnum_ng.common.cert_manager import barbican_cert_manager as barbican
from magnum_ng.common.cert_manager import cert_manager as contract
from magnum_ng.common.cert_manager import local_cert_manager as local
from magnum_ng.common.cert_manager import x509keypair_cert_manager as x509keypair
from magnum_ng.common.x509 import operations
from magnum_ng.db import api as db_api
from magnum_ng.tests import base
from magnum_ng.tests.unit.common import test_keystone
from magnum_ng.tests.unit.common.x509 import test_operations
from magnum_ng.tests.unit.db import base as db_base

PARTS = {'certificate': b'the certificate', 'private_key': b'the key',
         'private_key_passphrase': 'open sesame'}


class TestChoice(base.TestCase):
    def test_each_configured_name_has_its_back_end(self):
        for name, module in (('barbican', barbican), ('local', local),
                             ('x509keypair', x509keypair)):
            self.config('certificates', cert_manager_type=name)
            self.assertIs(module, cert_manager.get_backend())

    def test_back_ends_keep_the_contract(self):
        for module in (barbican, local, x509keypair):
            self.assertTrue(issubclass(module.CertManager, contract.CertManager))
            self.assertTrue(issubclass(module.Cert, contract.Cert))
            module.CertManager()

    def test_keys_are_decrypted_with_their_passphrase(self):
        self.useFixture(test_operations.ReadyKeys())
        pair = operations.generate_ca_certificate('x', encryption_password='secret')
        cert = x509keypair.Cert(pair['certificate'], pair['private_key'],
                                private_key_passphrase='secret')
        self.assertIn(b'BEGIN PRIVATE KEY', cert.get_decrypted_private_key())


class TestDatabase(db_base.DbTestCase):
    def test_what_was_stored_is_read_as_text(self):
        reference = x509keypair.CertManager.store_cert(context=self.context, name='x', **PARTS)
        found = x509keypair.CertManager.get_cert(reference, resource_ref='x',
                                                 context=self.context)
        self.assertEqual(('the certificate', 'the key', 'open sesame', None),
                         (found.get_certificate(), found.get_private_key(),
                          found.get_private_key_passphrase(), found.get_intermediates()))
        row = db_api.get_instance().get_x509keypair_by_uuid(self.admin_context, reference)
        self.assertEqual(('fake_project', 'fake_user'), (row.project_id, row.user_id))

    def test_deleting_twice_is_no_error_and_reading_then_is(self):
        reference = x509keypair.CertManager.store_cert(context=self.context, **PARTS)
        for _time in range(2):
            x509keypair.CertManager.delete_cert(reference, context=self.context)
        self.assertRaises(exception.X509KeyPairNotFound, x509keypair.CertManager.get_cert,
                          reference, context=self.context)


class TestFiles(base.TestCase):
    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.config('certificates', storage_path=self.directory)

    def test_bytes_and_text_are_stored_for_the_service_alone(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        reference = local.CertManager.store_cert(intermediates='between', **PARTS)
        self.assertEqual({reference + suffix for suffix in ('.crt', '.key', '.int', '.pass')},
                         set(os.listdir(self.directory)))
        for name in os.listdir(self.directory):
            mode = os.stat(os.path.join(self.directory, name)).st_mode
            self.assertEqual(0o600, stat.S_IMODE(mode))
        found = local.CertManager.get_cert(reference)
        self.assertEqual(('the certificate', 'the key', 'open sesame', 'between'),
                         (found.get_certificate(), found.get_private_key(),
                          found.get_private_key_passphrase(), found.get_intermediates()))

    def test_parts_that_were_not_given_are_none(self):
        found = local.CertManager.get_cert(local.CertManager.store_cert('c', 'k'))
        self.assertIsNone(found.get_intermediates())
        self.assertIsNone(found.get_private_key_passphrase())

    def test_a_failure_leaves_nothing_behind(self):
        real = local._write

        def third_fails(path, value):
            if path.endswith('.pass'):
                raise OSError(28, 'No space left')
            real(path, value)

        with mock.patch.object(local, '_write', third_fails):
            self.assertRaises(exception.CertificateStorageException,
                              local.CertManager.store_cert, **PARTS)
        self.assertEqual([], os.listdir(self.directory))

    def test_deleting_twice_is_no_error_and_reading_then_is(self):
        reference = local.CertManager.store_cert(**PARTS)
        for _time in range(2):
            local.CertManager.delete_cert(reference)
        self.assertEqual([], os.listdir(self.directory))
        self.assertRaises(exception.CertificateStorageException, local.CertManager.get_cert,
                          reference)


class Barbican:
    """Secrets and containers in memory, over the network."""

    URL = 'http://public.key-manager.one.test/v1/'

    def __init__(self, network):
        self.stored, self.payloads, self.refuse = {}, {}, None
        anything = re.compile(re.escape(self.URL))
        network.register_uri('POST', anything, json=self.create)
        network.register_uri('GET', anything, content=self.read)
        network.register_uri('DELETE', anything, json=self.delete)
        version = {'id': 'v1', 'status': 'CURRENT',
                   'links': [{'rel': 'self', 'href': self.URL}]}
        network.get(self.URL, json={'version': version})
        network.get(self.URL.removesuffix('v1/'), json={'versions': [version]})

    def create(self, request, context):
        if self.refuse and self.refuse in request.url:
            context.status_code = 500
            return {'description': 'http://internal.test'}
        kind = request.path.rsplit('/', 1)[1]
        reference = f'{self.URL}{kind}/{len(self.stored) + len(self.payloads)}-{kind}'
        self.stored[reference] = request.json()
        context.status_code = 201
        return {kind[:-1] + '_ref': reference}

    def read(self, request, context):
        url = request.url.removesuffix('/payload')
        if url not in self.stored:
            context.status_code = 404
            return b'{}'
        if request.url.endswith('/payload'):
            context.headers['Content-Type'] = 'text/plain'
            return self.stored[url]['payload'].encode()
        key = 'container_ref' if '/containers/' in url else 'secret_ref'
        body = {**self.stored[url], key: url, 'content_types': {'default': 'text/plain'}}
        body.pop('payload', None)
        context.headers['Content-Type'] = 'application/json'
        return json.dumps(body).encode()

    def delete(self, request, context):
        context.status_code = 204 if self.stored.pop(request.url, None) else 404
        return {}


class TestBarbican(test_keystone.KeystoneTestCase):
    services = ('identity', 'key-manager')

    def setUp(self):
        super().setUp()
        self.barbican = Barbican(self.network)

    def kinds(self):
        return sorted(reference.rsplit('-', 1)[1] for reference in self.barbican.stored)

    def test_a_certificate_is_a_container_of_named_secrets(self):
        reference = barbican.CertManager.store_cert(name='kubes', context=self.context, **PARTS)
        container = self.barbican.stored[reference]
        self.assertEqual(('kubes', 'certificate'), (container['name'], container['type']))
        self.assertEqual(['certificate', 'private_key', 'private_key_passphrase'],
                         [entry['name'] for entry in container['secret_refs']])
        first = self.barbican.stored[container['secret_refs'][0]['secret_ref']]
        self.assertEqual({'name': 'Certificate', 'payload': 'the certificate',
                          'payload_content_type': 'text/plain'}, first)

    def test_what_was_stored_is_read_each_part_once(self):
        reference = barbican.CertManager.store_cert(**PARTS)
        found = barbican.CertManager.get_cert(reference, resource_ref='x', context=None)
        before = len(self.network.request_history)
        for _time in range(2):
            self.assertEqual(('the certificate', 'the key', 'open sesame', None),
                             (found.get_certificate(), found.get_private_key(),
                              found.get_private_key_passphrase(), found.get_intermediates()))
        self.assertEqual(6, len(self.network.request_history) - before)

    def test_nonsense_is_the_failure_of_the_key_manager(self):
        reference = barbican.CertManager.store_cert(**PARTS)
        secret = self.barbican.stored[reference]['secret_refs'][0]['secret_ref']
        self.barbican.stored[secret]['payload'] = ''
        found = barbican.CertManager.get_cert(reference)
        self.assertRaises(exception.BackendError, found.get_certificate)
        for references in ([], None, [5], [{'name': 'certificate'}]):
            self.barbican.stored[reference]['secret_refs'] = references
            error = self.assertRaises(exception.BackendError, barbican.CertManager.get_cert,
                                      reference)
            self.assertEqual(502, error.code)

    def test_everything_is_done_as_the_service(self):
        barbican.CertManager.store_cert(context=self.context, **PARTS)
        tokens = {request.headers.get('X-Auth-Token') for request in self.network.request_history
                  if request.method == 'POST' and 'key-manager' in request.url}
        self.assertEqual({'service-token'}, tokens)

    def test_a_container_that_cannot_be_made_leaves_no_secrets(self):
        self.barbican.refuse = '/containers'
        error = self.assertRaises(exception.BackendError, barbican.CertManager.store_cert,
                                  **PARTS)
        self.assertEqual([], self.kinds())
        self.assertNotIn('internal', str(error))

    def test_all_parts_are_deleted_and_again_is_no_error(self):
        reference = barbican.CertManager.store_cert(**PARTS)
        self.assertEqual(['containers'] + ['secrets'] * 3, self.kinds())
        for _time in range(2):
            barbican.CertManager.delete_cert(reference, resource_ref='x', context=None)
        self.assertEqual([], self.kinds())

    def test_a_container_whose_secrets_are_gone_is_deleted_too(self):
        reference = barbican.CertManager.store_cert(**PARTS)
        for secret in [url for url in self.barbican.stored if 'secrets' in url]:
            del self.barbican.stored[secret]
        barbican.CertManager.delete_cert(reference)
        self.assertEqual([], self.kinds())

    def test_a_container_that_is_not_there_cannot_be_read(self):
        error = self.assertRaises(exception.ResourceNotFound, barbican.CertManager.get_cert,
                                  Barbican.URL + 'containers/gone')
        self.assertNotIn('http', str(error))

    def test_no_payload_is_logged(self):
        logged = self.useFixture(fixtures.FakeLogger(level=0))
        barbican.CertManager.get_cert(
            barbican.CertManager.store_cert(**PARTS)).get_private_key()
        self.barbican.refuse = '/containers'
        self.assertRaises(exception.BackendError, barbican.CertManager.store_cert, **PARTS)
        for secret in ('the key', 'open sesame', 's3cret', 'service-token'):
            self.assertNotIn(secret, logged.output)
