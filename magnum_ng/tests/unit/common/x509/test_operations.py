# SPDX-License-Identifier: Apache-2.0
import datetime
import functools
import itertools
import os
import subprocess
import tempfile
from unittest import mock

import fixtures
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import dsa
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509 import oid

from magnum_ng.common import exception
from magnum_ng.common.x509 import operations
from magnum_ng.tests import base

PEM = serialization.Encoding.PEM


@functools.cache
def ready_keys():
    return [rsa.generate_private_key(65537, 2048) for _index in range(9)]


class ReadyKeys(fixtures.Fixture):
    """Keys out of a small stock, for tests that are about something else than their making."""

    def _setUp(self):
        keys = itertools.cycle(ready_keys())
        patched = mock.patch.object(operations, 'generate_private_key', lambda: next(keys))
        patched.start()
        self.addCleanup(patched.stop)


def request(key=None, names=((oid.NameOID.COMMON_NAME, 'admin'),), extensions=(),
            algorithm=None):
    """A signing request in PEM; extensions are (value, critical)."""
    key = key or ready_keys()[-1]
    builder = x509.CertificateSigningRequestBuilder().subject_name(
        x509.Name([x509.NameAttribute(*name) for name in names]))
    for value, critical in extensions:
        builder = builder.add_extension(value, critical)
    if algorithm is None and not isinstance(key, ed25519.Ed25519PrivateKey):
        algorithm = hashes.SHA256()
    return builder.sign(key, algorithm).public_bytes(PEM)


def strict_verify(certificate, authority, purpose):
    """OpenSSL's strict verification; None, or what it complains about."""
    with tempfile.TemporaryDirectory() as directory:
        paths = []
        for name, pem in (('ca', authority), ('leaf', certificate)):
            paths.append(os.path.join(directory, name))
            with open(paths[-1], 'wb') as target:
                target.write(pem)
        done = subprocess.run(
            ['openssl', 'verify', '-x509_strict', '-check_ss_sig', '-purpose', purpose,
             '-CAfile', *paths], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stdout + done.stderr


class Authority:
    """A CA of ours with its parts at hand."""

    def __init__(self, name='cluster', password='secret'):
        self.name, self.password = name, password
        pair = operations.generate_ca_certificate(name, encryption_password=password)
        self.pem, self.key = pair['certificate'], pair['private_key']
        self.certificate = x509.load_pem_x509_certificate(self.pem)

    def sign(self, csr, **kwargs):
        pem = operations.sign(csr, self.name, self.key, ca_key_password=self.password,
                              ca_certificate=self.pem, **kwargs)
        return pem, x509.load_pem_x509_certificate(pem)

    def client(self):
        pair = operations.generate_client_certificate(
            self.name, 'admin', 'system:masters', self.key, encryption_password='other',
            ca_key_password=self.password, ca_certificate=self.pem)
        return pair, x509.load_pem_x509_certificate(pair['certificate'])


def extension(certificate, kind):
    return certificate.extensions.get_extension_for_class(kind)


class TestCertificates(base.TestCase):
    def setUp(self):
        super().setUp()
        self.ca = Authority()

    def test_an_authority_is_one_and_nothing_else(self):
        found = extension(self.ca.certificate, x509.BasicConstraints)
        self.assertTrue(found.critical)
        self.assertTrue(found.value.ca)
        self.assertEqual(0, found.value.path_length)
        usage = extension(self.ca.certificate, x509.KeyUsage).value
        self.assertTrue(usage.key_cert_sign)
        self.assertFalse(usage.digital_signature)

    def test_a_client_certificate_is_for_clients_only(self):
        _pair, certificate = self.ca.client()
        self.assertEqual({'CN=admin', 'O=system:masters'},
                         set(certificate.subject.rfc4514_string().split(',')))
        self.assertEqual([oid.ExtendedKeyUsageOID.CLIENT_AUTH],
                         list(extension(certificate, x509.ExtendedKeyUsage).value))
        self.assertFalse(extension(certificate, x509.BasicConstraints).value.ca)

    def test_strict_verifiers_accept_client_and_signed_certificates(self):
        pair, _certificate = self.ca.client()
        signed, _certificate = self.ca.sign(request())
        for leaf, purpose in ((pair['certificate'], 'sslclient'), (signed, 'sslclient'),
                              (signed, 'sslserver')):
            self.assertIsNone(strict_verify(leaf, self.ca.pem, purpose))

    def test_strict_verifiers_refuse_the_client_certificate_as_a_server(self):
        pair, _certificate = self.ca.client()
        self.assertIn('purpose', strict_verify(pair['certificate'], self.ca.pem, 'sslserver'))

    def test_leaves_name_the_key_of_their_issuer(self):
        own = extension(self.ca.certificate, x509.SubjectKeyIdentifier).value.digest
        for certificate in (self.ca.client()[1], self.ca.sign(request())[1]):
            found = extension(certificate, x509.AuthorityKeyIdentifier).value
            self.assertEqual(own, found.key_identifier)

    def test_keys_are_stored_encrypted(self):
        pair, _certificate = self.ca.client()
        self.assertIn(b'BEGIN ENCRYPTED PRIVATE KEY', pair['private_key'])
        plain = operations.decrypt_key(pair['private_key'], 'other')
        self.assertIn(b'BEGIN PRIVATE KEY', plain)
        self.assertRaises(ValueError, operations.decrypt_key, pair['private_key'], 'wrong')

    def test_names_of_any_length_make_common_names_of_64_bytes_at_most(self):
        for length in (1, 63, 64):
            self.assertEqual('x' * length, operations.bounded_common_name('x' * length))
        names = {operations.bounded_common_name('x' * length) for length in range(65, 243)}
        self.assertEqual(178, len(names))
        self.assertTrue(all(len(name) == 64 for name in names))
        self.assertLessEqual(len(operations.bounded_common_name('ä' * 60).encode()), 64)

    def test_an_authority_for_the_longest_cluster_name_signs(self):
        ca = Authority('n' * 242)
        leaf, certificate = ca.sign(request())
        self.assertEqual(ca.certificate.subject, certificate.issuer)
        self.assertIsNone(strict_verify(leaf, ca.pem, 'sslclient'))

    def test_requests_made_here_are_signed(self):
        made = operations.generate_csr_and_key('node')
        _leaf, certificate = self.ca.sign(made['csr'])
        self.assertEqual('CN=node', certificate.subject.rfc4514_string())
        self.assertIn('BEGIN PUBLIC KEY', made['public_key'])


class TestEnd(base.TestCase):
    """When certificates end."""

    def test_no_leaf_outlives_its_authority(self):
        self.config('x509', term_of_validity=30)
        ca = Authority()
        self.config('x509', term_of_validity=1825)
        for certificate in (ca.client()[1], ca.sign(request())[1]):
            self.assertEqual(ca.certificate.not_valid_after_utc,
                             certificate.not_valid_after_utc)

    def test_a_leaf_lasts_as_long_as_configured(self):
        ca = Authority()
        self.config('x509', term_of_validity=10)
        certificate = ca.sign(request())[1]
        lasts = certificate.not_valid_after_utc - certificate.not_valid_before_utc
        self.assertEqual(datetime.timedelta(days=10), lasts)

    def test_an_authority_past_its_end_does_not_sign(self):
        ca = x509.CertificateBuilder()
        key = rsa.generate_private_key(65537, 2048)
        name = x509.Name([x509.NameAttribute(oid.NameOID.COMMON_NAME, 'old')])
        now = datetime.datetime.now(datetime.timezone.utc)
        pem = (ca.subject_name(name).issuer_name(name).public_key(key.public_key())
               .serial_number(1).not_valid_before(now - datetime.timedelta(days=9))
               .not_valid_after(now - datetime.timedelta(days=1))
               .sign(key, hashes.SHA256()).public_bytes(PEM))
        error = self.assertRaises(exception.Conflict, operations.sign, request(), 'old', key,
                                  ca_certificate=pem)
        self.assertIn('Rotate', str(error))

    def test_an_old_authority_without_key_identifier_signs(self):
        key = rsa.generate_private_key(65537, 2048)
        name = x509.Name([x509.NameAttribute(oid.NameOID.COMMON_NAME, 'old')])
        now = datetime.datetime.now(datetime.timezone.utc)
        pem = (x509.CertificateBuilder().subject_name(name).issuer_name(name)
               .public_key(key.public_key()).serial_number(1)
               .not_valid_before(now - datetime.timedelta(days=9))
               .not_valid_after(now + datetime.timedelta(days=9))
               .add_extension(x509.BasicConstraints(True, 0), True)
               .sign(key, hashes.SHA256()).public_bytes(PEM))
        leaf = x509.load_pem_x509_certificate(operations.sign(
            request(), 'renamed since', key, ca_certificate=pem))
        leaf.verify_directly_issued_by(x509.load_pem_x509_certificate(pem))
        self.assertEqual(20, len(extension(
            leaf, x509.AuthorityKeyIdentifier).value.key_identifier))


class TestSign(base.TestCase):
    """What becomes of signing requests."""

    def setUp(self):
        super().setUp()
        self.ca = Authority()

    def assertRefused(self, csr, words, error=exception.InvalidCsr):
        raised = self.assertRaises(error, self.ca.sign, csr)
        self.assertEqual(400, raised.code)
        self.assertIn(words, str(raised))

    def test_what_is_no_request_is_refused_without_quoting_it(self):
        for csr in ('é中', 'garbage', b'\xff\x00', '', self.ca.pem):
            self.assertRefused(csr, 'PEM')

    def test_a_request_with_a_wrong_signature_is_refused(self):
        csr = x509.load_pem_x509_csr(request()).public_bytes(serialization.Encoding.DER)
        forged = csr[:-1] + bytes([csr[-1] ^ 1])
        pem = x509.load_der_x509_csr(forged).public_bytes(PEM)
        self.assertRefused(pem, 'signature')

    def test_weak_keys_are_refused(self):
        self.assertRefused(request(rsa.generate_private_key(65537, 1024)), '2048')
        self.assertRefused(request(ec.generate_private_key(ec.SECP192R1())), '256')
        self.assertRefused(request(dsa.generate_private_key(2048)), 'not supported')

    def test_strong_keys_of_other_kinds_are_signed(self):
        for key in (ec.generate_private_key(ec.SECP256R1()),
                    ec.generate_private_key(ec.SECP384R1()),
                    ed25519.Ed25519PrivateKey.generate()):
            leaf, _certificate = self.ca.sign(request(key))
            self.assertIsNone(strict_verify(leaf, self.ca.pem, 'sslclient'))

    def test_a_terraform_request_is_signed(self):
        csr = request(rsa.generate_private_key(65537, 4096),
                      [(oid.NameOID.ORGANIZATIONAL_UNIT_NAME, 'terraform')],
                      algorithm=hashes.SHA512())
        leaf, _certificate = self.ca.sign(csr)
        self.assertIsNone(strict_verify(leaf, self.ca.pem, 'sslclient'))

    def test_a_request_without_any_name_is_refused(self):
        self.assertRefused(request(names=()), 'no subject')

    def test_alternative_names_alone_become_critical(self):
        names = x509.SubjectAlternativeName([x509.DNSName('node')])
        leaf, certificate = self.ca.sign(request(names=(), extensions=[(names, False)]))
        self.assertTrue(extension(certificate, x509.SubjectAlternativeName).critical)
        self.assertIsNone(strict_verify(leaf, self.ca.pem, 'sslserver'))

    def test_a_request_with_its_own_key_identifier_is_signed(self):
        own = x509.SubjectKeyIdentifier(b'0' * 20)
        leaf, certificate = self.ca.sign(request(extensions=[(own, False)]))
        self.assertNotEqual(own, extension(certificate, x509.SubjectKeyIdentifier).value)
        self.assertIsNone(strict_verify(leaf, self.ca.pem, 'sslclient'))

    def test_allowed_extensions_are_kept(self):
        names = x509.SubjectAlternativeName([x509.DNSName('node')])
        usage = x509.ExtendedKeyUsage([oid.ExtendedKeyUsageOID.SERVER_AUTH])
        _leaf, certificate = self.ca.sign(request(extensions=[(names, False), (usage, True)]))
        self.assertEqual(names, extension(certificate, x509.SubjectAlternativeName).value)
        self.assertEqual(usage, extension(certificate, x509.ExtendedKeyUsage).value)

    def test_a_critical_authority_is_refused_and_the_error_can_be_sent(self):
        csr = request(extensions=[(x509.BasicConstraints(True, None), True)])
        self.assertRefused(csr, "'basicConstraints' not allowed",
                           exception.CertificateValidationError)

    def test_an_authority_that_is_not_critical_becomes_a_leaf(self):
        usage = operations._key_usage(key_cert_sign=True)
        _leaf, certificate = self.ca.sign(request(extensions=[
            (x509.BasicConstraints(True, None), False), (usage, False)]))
        self.assertFalse(extension(certificate, x509.BasicConstraints).value.ca)
        found = extension(certificate, x509.KeyUsage).value
        self.assertFalse(found.key_cert_sign)
        self.assertTrue(found.digital_signature)

    def test_unknown_extensions_are_dropped_or_refused(self):
        def unknown(critical):
            value = x509.UnrecognizedExtension(x509.ObjectIdentifier('1.2.3.4'), b'\x05\x00')
            return request(extensions=[(value, critical)])

        _leaf, certificate = self.ca.sign(unknown(False))
        self.assertNotIn('1.2.3.4', [found.oid.dotted_string
                                     for found in certificate.extensions])
        self.assertRefused(unknown(True), '1.2.3.4', exception.CertificateValidationError)

    def test_without_validation_extensions_are_taken_as_they_are(self):
        csr = request(extensions=[(x509.BasicConstraints(True, None), True)])
        _leaf, certificate = self.ca.sign(csr, skip_validation=True)
        self.assertTrue(extension(certificate, x509.BasicConstraints).value.ca)

    def test_without_validation_and_authority_only_the_keys_identifier_is_added(self):
        usage = x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.CODE_SIGNING])
        for asked in ([], [(usage, False)],
                      [(usage, False), (x509.SubjectKeyIdentifier(b'theirs'), False)]):
            certificate = x509.load_pem_x509_certificate(operations.sign(
                request(extensions=asked), self.ca.name, self.ca.key,
                ca_key_password=self.ca.password, skip_validation=True))
            kinds = [type(found.value) for found in certificate.extensions]
            self.assertEqual(
                [x509.ExtendedKeyUsage for _wish in asked[:1]] + [x509.SubjectKeyIdentifier],
                kinds)
            self.assertEqual(
                x509.SubjectKeyIdentifier.from_public_key(certificate.public_key()),
                extension(certificate, x509.SubjectKeyIdentifier).value)

    def test_text_and_bytes_are_signed_alike(self):
        csr = request()
        for form in (csr, csr.decode()):
            self.assertIsInstance(self.ca.sign(form)[0], bytes)
