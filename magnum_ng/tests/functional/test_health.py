# SPDX-License-Identifier: Apache-2.0
"""The health monitor and a kubeconfig's parts, proven by a TLS handshake with the cluster's API."""

import os
import ssl
import urllib.request

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
import fixtures

from magnum_ng.tests.functional import base


class HealthTest(base.TestCase):
    stack_options = {'serve': True, 'options': {'kubernetes': {'health_polling_interval': 1}}}

    def _healthy(self, cluster, status):
        def look():
            found = self.magnum.clusters.get(cluster.uuid)
            return found if found.health_status == status else None
        return self.wait_until(look, f'health to be {status}')

    def _credentials(self, cluster, group='system:masters'):
        """TLS settings made of what the API gives to the cluster's user."""
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        request = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([
            x509.NameAttribute(x509.NameOID.COMMON_NAME, 'admin'),
            x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, group),
        ])).sign(key, hashes.SHA256())
        signed = self.magnum.certificates.create(
            cluster_uuid=cluster.uuid,
            csr=request.public_bytes(serialization.Encoding.PEM).decode()).pem
        directory = self.useFixture(fixtures.TempDir()).path
        path = os.path.join(directory, 'both.pem')
        with open(path, 'wb') as f:
            f.write(signed.encode() + b'\n')
            f.write(key.private_bytes(serialization.Encoding.PEM,
                                      serialization.PrivateFormat.PKCS8,
                                      serialization.NoEncryption()))
        context = ssl.create_default_context(
            cadata=self.magnum.certificates.get(cluster.uuid).pem)
        context.load_cert_chain(path)
        return context

    def _get(self, cluster, path, context):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}),
                                             urllib.request.HTTPSHandler(context=context))
        with opener.open(cluster.api_address + path, timeout=10) as response:
            return response.read().decode()

    def test_a_cluster_becomes_healthy(self):
        cluster = self._healthy(self.new_cluster(), 'HEALTHY')
        self.assertEqual('ok', cluster.health_status_reason['api'])
        self.assertEqual(3, sum(key.endswith('.Ready') for key in cluster.health_status_reason))

    def test_a_sick_cluster_becomes_unhealthy(self):
        self._healthy(self.new_cluster(self.name + '-sick'), 'UNHEALTHY')

    def test_the_signed_certificate_opens_the_cluster(self):
        cluster = self.new_cluster()
        context = self._credentials(cluster)
        self.assertEqual('ok', self._get(cluster, '/healthz', context))
        self.assertIn('default-worker', self._get(cluster, '/api/v1/nodes', context))

    def test_no_certificate_no_entry(self):
        cluster = self.new_cluster()
        context = ssl.create_default_context(
            cadata=self.magnum.certificates.get(cluster.uuid).pem)
        self.assertRaises(OSError, self._get, cluster, '/healthz', context)

    def test_another_clusters_certificate_is_refused(self):
        one = self.new_cluster()
        two = self.new_cluster(self.name + '-2')
        context = self._credentials(one)
        context.load_verify_locations(cadata=self.magnum.certificates.get(two.uuid).pem)
        self.assertRaises(OSError, self._get, two, '/healthz', context)

    def test_after_a_rotation_the_old_certificate_is_worthless(self):
        cluster = self.new_cluster()
        old = self._credentials(cluster)
        self.magnum.certificates.rotate_ca(cluster_uuid=cluster.uuid)
        cluster = self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertRaises(OSError, self._get, cluster, '/healthz', old)
        self.assertEqual('ok', self._get(cluster, '/healthz', self._credentials(cluster)))
        self._healthy(cluster, 'HEALTHY')
