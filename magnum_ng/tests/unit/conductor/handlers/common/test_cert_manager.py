# SPDX-License-Identifier: Apache-2.0
import os
import stat
import threading
import types
from unittest import mock

import fixtures
from cryptography import x509
from oslo_utils import uuidutils

from magnum_ng.common import cert_manager as backends
from magnum_ng.common import exception
from magnum_ng.common.cert_manager import x509keypair_cert_manager
from magnum_ng.common.x509 import operations
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.db import api as db_api
from magnum_ng import objects
from magnum_ng.tests import base as test_base
from magnum_ng.tests.unit.common.x509 import test_operations
from magnum_ng.tests.unit.db import base

UUID = '5d12f6fd-a196-4bf0-ae4c-1f639a523a52'


def cluster(name='kubes', uuid=UUID, **references):
    return types.SimpleNamespace(
        name=name, uuid=uuid,
        **(dict.fromkeys(cert_manager.REFERENCES) | references))


class CertificatesTestCase(base.DbTestCase):
    """Certificates in the database, as the service makes them."""

    def setUp(self):
        super().setUp()
        self.useFixture(test_operations.ReadyKeys())
        self.cluster = cluster()

    def rows(self):
        return {row.uuid for row in db_api.get_instance().get_x509keypair_list(
            self.admin_context)}

    def generate(self):
        cert_manager.generate_certificates_to_cluster(self.cluster, self.context)


class TestGenerate(CertificatesTestCase):
    def test_a_cluster_gets_three_authorities_and_a_client_certificate(self):
        self.generate()
        references = {getattr(self.cluster, name) for name in cert_manager.REFERENCES}
        self.assertEqual(self.rows(), references)
        self.assertEqual(4, len(references))
        authority = cert_manager.get_cluster_ca_certificate(self.cluster, self.context)
        client = cert_manager.get_cluster_magnum_cert(self.cluster, self.context)
        self.assertIsNone(test_operations.strict_verify(
            client.get_certificate().encode(), authority.get_certificate().encode(),
            'sslclient'))
        self.assertIn(b'BEGIN PRIVATE KEY', client.get_decrypted_private_key())

    def test_the_four_keys_are_made_side_by_side(self):
        together = threading.Barrier(4, timeout=20)
        real = operations.generate_private_key

        def meet():
            together.wait()
            return real()

        with mock.patch.object(operations, 'generate_private_key', meet):
            self.generate()
        self.assertEqual(4, len(self.rows()))

    def test_names_of_242_characters_and_none_at_all_work(self):
        for name in ('n' * 242, None):
            self.cluster = cluster(name)
            self.generate()
            self.assertIn('BEGIN CERTIFICATE', cert_manager.get_cluster_ca_certificate(
                self.cluster, self.context).get_certificate())

    def test_a_cluster_that_never_referred_to_any_gets_its_set(self):
        cluster = objects.Cluster(self.context, uuid=uuidutils.generate_uuid(), name='new')
        cert_manager.generate_certificates_to_cluster(cluster, self.context)
        self.assertEqual(self.rows(), {getattr(cluster, name)
                                       for name in cert_manager.REFERENCES})

    def test_a_new_set_leaves_the_cluster_and_its_own_alone_until_it_is_swapped(self):
        self.generate()
        before = dict(vars(self.cluster))
        new = cert_manager.generate_certificates(self.cluster, self.context)
        self.assertEqual(before, vars(self.cluster))
        self.assertEqual(8, len(self.rows()))
        old = cert_manager.swap_certificates(self.cluster, new)
        self.assertEqual({name: before[name] for name in cert_manager.REFERENCES}, old)
        cert_manager.delete_certificates(old, self.cluster, self.context)
        self.assertEqual(set(new.values()), self.rows())

    def test_what_was_stored_before_a_failure_is_deleted_again(self):
        real, calls = x509keypair_cert_manager.CertManager.store_cert, []

        def third_fails(**kwargs):
            calls.append(kwargs)
            if len(calls) == 3:
                raise RuntimeError(kwargs['private_key_passphrase'])
            return real(**kwargs)

        logged = self.useFixture(fixtures.FakeLogger(level=0))
        # As in a back end that stores one after another.
        with mock.patch.multiple(x509keypair_cert_manager.CertManager, store_cert=third_fails,
                                 store_certs=None):
            error = self.assertRaises(exception.CertificatesToClusterFailed, self.generate)
        self.assertEqual(set(), self.rows())
        self.assertIsNone(self.cluster.ca_cert_ref)
        self.assertEqual(f'Failed to create certificates for Cluster: {UUID}', str(error))
        self.assertNotIn(calls[2]['private_key_passphrase'], logged.output)

    def test_the_database_takes_all_or_nothing(self):
        def fail(certificates, context):
            raise RuntimeError(certificates[0]['private_key_passphrase'])

        with mock.patch.object(x509keypair_cert_manager.CertManager, 'store_certs', fail):
            self.assertRaises(exception.CertificatesToClusterFailed, self.generate)
        self.assertEqual(set(), self.rows())
        self.assertIsNone(self.cluster.ca_cert_ref)

    def test_concurrent_back_ends_roll_back_too(self):
        stored, deleted = [], []

        class Manager:
            concurrent = True

            @staticmethod
            def store_cert(name, **kwargs):
                if name == cert_manager.CONDUCTOR_CLIENT_NAME:
                    raise OSError('no')
                stored.append(f'ref-{len(stored)}')
                return stored[-1]

            @staticmethod
            def delete_cert(reference, **kwargs):
                deleted.append(reference)

        with mock.patch.object(backends, 'get_backend',
                               return_value=mock.Mock(CertManager=Manager)):
            self.assertRaises(exception.CertificatesToClusterFailed, self.generate)
        self.assertEqual(3, len(stored))
        self.assertEqual(sorted(stored), sorted(deleted))


class TestUse(CertificatesTestCase):
    def setUp(self):
        super().setUp()
        self.generate()

    def test_each_type_has_its_own_authority(self):
        found = {kind: cert_manager.get_cluster_ca_certificate(
            self.cluster, self.context, kind).get_certificate()
            for kind in (None, 'kubernetes', 'etcd', 'front-proxy', 'front_proxy')}
        self.assertEqual(found[None], found['kubernetes'])
        self.assertEqual(found['front-proxy'], found['front_proxy'])
        self.assertEqual(3, len(set(found.values())))

    def test_an_unknown_type_is_refused(self):
        for kind in ('bogus', '', 'Kubernetes', 0):
            error = self.assertRaises(
                exception.InvalidParameterValue, cert_manager.get_cluster_ca_certificate,
                self.cluster, self.context, kind)
            self.assertEqual(400, error.code)
            self.assertIn('ca_cert_type', str(error))

    def test_certificates_that_do_not_exist_yet_are_a_conflict(self):
        for read in (cert_manager.get_cluster_ca_certificate,
                     cert_manager.get_cluster_magnum_cert):
            self.assertRaises(exception.Conflict, read, cluster(), self.context)

    def test_a_request_is_signed_by_the_authority_asked_for(self):
        csr = test_operations.request()
        for kind in ('kubernetes', 'etcd', 'front-proxy'):
            pem = cert_manager.sign_node_certificate(self.cluster, csr, kind, self.context)
            authority = cert_manager.get_cluster_ca_certificate(
                self.cluster, self.context, kind).get_certificate()
            self.assertIsNone(test_operations.strict_verify(pem, authority.encode(),
                                                            'sslserver'))

    def test_a_cluster_renamed_since_keeps_its_issuer(self):
        self.cluster.name = 'renamed'
        csr = test_operations.request()
        leaf = x509.load_pem_x509_certificate(
            cert_manager.sign_node_certificate(self.cluster, csr, context=self.context))
        self.assertEqual('CN=kubes', leaf.issuer.rfc4514_string())

    def test_an_administrator_of_another_project_reads_and_deletes_them(self):
        other = self.make_context(project_id='other', user_id='other')
        cert_manager.get_cluster_ca_certificate(self.cluster, other)
        cert_manager.delete_certificates_from_cluster(self.cluster, other)
        self.assertEqual(set(), self.rows())

    def test_all_four_are_deleted_and_again_is_no_error(self):
        for _time in range(2):
            cert_manager.delete_certificates_from_cluster(self.cluster, self.context)
        self.assertEqual(set(), self.rows())

    def test_one_that_cannot_be_deleted_does_not_keep_the_others(self):
        real = x509keypair_cert_manager.CertManager.delete_cert

        def first_fails(reference, **kwargs):
            if reference == self.cluster.ca_cert_ref:
                raise RuntimeError('no')
            real(reference, **kwargs)

        with mock.patch.object(x509keypair_cert_manager.CertManager, 'delete_cert',
                               first_fails):
            cert_manager.delete_certificates_from_cluster(self.cluster, self.context)
        self.assertEqual({self.cluster.ca_cert_ref}, self.rows())


class TestFiles(CertificatesTestCase):
    """Files with the client's certificate."""

    def setUp(self):
        super().setUp()
        self.generate()
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.config('cluster', temp_cache_dir=self.directory)

    def files(self):
        files = cert_manager.create_client_files(self.cluster, self.context)
        self.addCleanup(lambda: [file.close() for file in files])
        return files

    def texts(self):
        return [file.read() for file in self.files()]

    def test_the_files_are_for_the_service_alone(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        files = self.files()
        kept = os.path.join(self.directory, UUID)
        self.assertEqual(0o700, stat.S_IMODE(os.stat(kept).st_mode))
        self.assertEqual(['ca.crt', 'client.key', 'client.crt'],
                         [os.path.basename(file.name) for file in files])
        for name in os.listdir(kept):
            self.assertEqual(0o600, stat.S_IMODE(os.stat(os.path.join(kept, name)).st_mode))

    def test_they_are_made_once(self):
        first = self.texts()
        with mock.patch.object(backends, 'get_backend') as backend:
            self.assertEqual(first, self.texts())
        backend.assert_not_called()

    def test_a_failure_in_the_middle_leaves_nothing_that_poisons_the_next_time(self):
        with mock.patch.object(backends, 'get_backend', side_effect=RuntimeError):
            self.assertRaises(RuntimeError, self.files)
        self.assertEqual([], os.listdir(self.directory))
        with mock.patch.object(cert_manager, '_write_private', side_effect=OSError(28, 'full')):
            self.assertIn('PRIVATE KEY', self.texts()[1])
        self.assertEqual([], os.listdir(self.directory))
        self.assertIn('PRIVATE KEY', self.texts()[1])

    def test_files_of_other_certificates_are_replaced(self):
        first = self.texts()
        cert_manager.generate_certificates_to_cluster(self.cluster, self.context)
        second = self.texts()
        self.assertNotEqual(first, second)
        self.assertEqual([UUID], os.listdir(self.directory))
        self.assertEqual(second, self.texts())

    def test_they_go_with_the_certificates(self):
        self.files()
        cert_manager.delete_certificates_from_cluster(self.cluster, self.context)
        self.assertEqual([], os.listdir(self.directory))
        cert_manager.delete_client_files(self.cluster, self.context)

    def test_files_of_clusters_deleted_elsewhere_are_purged(self):
        self.files()
        os.mkdir(os.path.join(self.directory, 'lost+found'))
        cert_manager.purge_client_files({UUID})
        self.assertEqual({UUID, 'lost+found'}, set(os.listdir(self.directory)))
        cert_manager.purge_client_files(set())
        self.assertEqual(['lost+found'], os.listdir(self.directory))

    def test_without_the_directory_they_vanish_when_closed(self):
        self.config('cluster', temp_cache_dir=os.path.join(self.directory, 'missing'))
        files = cert_manager.create_client_files(self.cluster, self.context)
        for file in files:
            self.assertEqual(0o600, stat.S_IMODE(os.stat(file.name).st_mode))
            with open(file.name) as again:
                self.assertIn('BEGIN', again.read())
            file.close()
            self.assertFalse(os.path.exists(file.name))
        cert_manager.purge_client_files(set())


class TestSecrets(CertificatesTestCase):
    def test_a_whole_life_at_debug_logs_no_secret(self):
        logged = self.useFixture(fixtures.FakeLogger(level=0))
        self.generate()
        made = operations.generate_csr_and_key('node')
        cert_manager.sign_node_certificate(self.cluster, made['csr'], context=self.context)
        self.assertRaises(exception.InvalidCsr, cert_manager.sign_node_certificate,
                          self.cluster, made['private_key'], context=self.context)
        secrets = [made['private_key'], made['csr']]
        for name in cert_manager.REFERENCES:
            cert = backends.get_backend().CertManager.get_cert(
                getattr(self.cluster, name), context=self.context)
            secrets += [cert.get_private_key(), cert.get_private_key_passphrase()]
        cert_manager.delete_certificates_from_cluster(self.cluster, self.context)
        for secret in secrets:
            for line in secret.splitlines()[1:2] or [secret]:
                self.assertNotIn(line, logged.output)


class TestNames(test_base.TestCase):
    def test_an_unknown_back_end_is_one_clear_error(self):
        self.config('certificates', cert_manager_type='cupboard')
        error = self.assertRaises(exception.ConfigInvalid, backends.get_backend)
        self.assertIn('[certificates] cert_manager_type is "cupboard"', str(error))
        self.assertEqual(500, error.code)
