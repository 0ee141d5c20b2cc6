# SPDX-License-Identifier: Apache-2.0

import datetime
from unittest import mock

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from magnum_ng.cmd.upgrade_checks import certificates
from magnum_ng.tests.unit.cmd.upgrade_checks import base

Code = base.Code


def pem(days):
    """A certificate that ends in so many days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, 'c')])
    now = datetime.datetime.now(datetime.timezone.utc)
    return x509.CertificateBuilder(
        issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=1,
        not_valid_before=now - datetime.timedelta(days=1000),
        not_valid_after=now + datetime.timedelta(days=days),
    ).sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


class CertificatesTestCase(base.ChecksTestCase):
    TITLE = 'Certificates'

    def setUp(self):
        super().setUp()
        self.storage('x509keypair')

    def storage(self, kind):
        certificates.CONF.set_override('cert_manager_type', kind, 'certificates')
        self.addCleanup(certificates.CONF.clear_override, 'cert_manager_type', 'certificates')

    def with_certificate(self, days, **more):
        number = len(self.engine.connect().exec_driver_sql('SELECT 1 FROM x509keypair').all())
        uuid = f'x{number}'
        self.insert('x509keypair', uuid=uuid, certificate=pem(days), private_key='k')
        return self.cluster(ca_cert_ref=uuid, **more)

    def test_a_certificate_with_time_is_fine(self):
        self.with_certificate(certificates.NEAR + 1)
        self.assertEqual((), self.check().findings)

    def test_a_certificate_near_its_end(self):
        cluster = self.with_certificate(certificates.NEAR - 1)
        found = self.only()
        self.assertEqual((Code.WARNING, 1, (cluster,)),
                         (found.code, found.count, found.examples))
        self.assertIn('ends within', found.what)
        self.assertIn('ca rotate', found.advice)

    def test_a_certificate_that_has_ended(self):
        cluster = self.with_certificate(-1)
        self.assertIn('has ended', self.only().what)
        self.assertEqual((cluster,), self.only().examples)

    def test_what_is_no_certificate(self):
        self.insert('x509keypair', uuid='bad', certificate='nonsense', private_key='k')
        self.cluster(ca_cert_ref='bad')
        self.assertIn('1 certificate(s) could not be read', self.only().what)

    def test_a_thousand_certificates_are_a_few_queries(self):
        text = pem(-1)
        for number in range(1001):
            self.insert('x509keypair', uuid=f'm{number}', certificate=text, private_key='k')
            self.insert('cluster', uuid=f'c{number}', cluster_template_id='t',
                        status='CREATE_COMPLETE', ca_cert_ref=f'm{number}')
        database = base.base.Database()
        database.engine = self.engine
        result, statements = database.count_statements(self.check)
        self.assertEqual(1001, result.findings[0].count)
        reads = [statement for statement in statements if 'FROM x509keypair' in statement]
        self.assertEqual(3, len(reads))

    def test_another_storage_is_asked_for_each(self):
        self.storage('barbican')
        cluster = self.cluster(ca_cert_ref='http://barbican/v1/containers/a')
        backend = mock.Mock()
        backend.CertManager.get_cert.return_value.get_certificate.return_value = pem(5)
        with mock.patch.object(certificates.backends, 'get_backend', return_value=backend):
            self.assertEqual((cluster,), self.only().examples)

    def test_another_storage_that_is_down_is_not_asked_for_ever(self):
        self.storage('barbican')
        for number in range(10):
            self.cluster(ca_cert_ref=f'http://barbican/v1/containers/{number}')
        backend = mock.Mock()
        backend.CertManager.get_cert.side_effect = RuntimeError('no route to http://u:secret@b')
        with mock.patch.object(certificates.backends, 'get_backend', return_value=backend):
            found = self.only()
        self.assertEqual((Code.WARNING, 10), (found.code, found.count))
        self.assertNotIn('secret', str(found))
        self.assertEqual(3, backend.CertManager.get_cert.call_count)
