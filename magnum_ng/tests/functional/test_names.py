# SPDX-License-Identifier: Apache-2.0
"""Long names, wide characters and strict verifiers, through the whole service."""

import socket
import ssl
import subprocess  # noqa: S404
import threading
import unittest

from cryptography.hazmat.primitives import serialization
import fixtures

from magnum_ng.common.x509 import operations
from magnum_ng.tests.functional import base

WIDE = 'wide \U0001f600'


def request_for(name, host=None):
    """(request, unencrypted key) as PEM texts."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    builder = x509.CertificateSigningRequestBuilder().subject_name(
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
    if host:
        builder = builder.add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    request = builder.sign(key, hashes.SHA256())
    return (request.public_bytes(serialization.Encoding.PEM).decode(), key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption()).decode())


class LongNames(base.TestCase):
    stack_options = {'serve': True, 'options': {'kubernetes': {'health_polling_interval': 1}}}

    def test_a_name_of_242_characters_has_a_whole_life(self):
        name = (self.name + 'n' * 242)[:242]
        cluster = self.new_cluster(name)
        self.assertEqual(name, cluster.name)
        self.wait_until(lambda: self.magnum.clusters.get(cluster.uuid).health_status == 'HEALTHY',
                        'the cluster to be healthy')
        made = operations.generate_csr_and_key('admin')
        pem = self.magnum.certificates.create(cluster_uuid=name, csr=made['csr']).pem
        self.assertIn('BEGIN CERTIFICATE', pem)
        self.magnum.clusters.resize(name, 3)
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.magnum.certificates.rotate_ca(cluster_uuid=name)
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertEqual([name], [found.name for found in self.magnum.clusters.list()
                                  if found.uuid == cluster.uuid])
        self.magnum.clusters.delete(name)
        self.wait_gone(cluster.uuid)

    def test_a_name_of_243_characters_is_refused(self):
        response = self.request('POST', '/v1/clusters', json={
            'name': 'n' * 243, 'cluster_template_id': self.new_template().uuid})
        self.assertEqual(400, response.status_code)
        self.assertIn('name', response.json()['errors'][0]['detail'])


class StrictVerifiers(base.TestCase):
    """Certificates as they come out of the API, in a handshake that both sides verify."""

    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.cluster = self.new_cluster((self.name + 'n' * 242)[:242])

    def file(self, name, text):
        path = f'{self.directory}/{name}'
        with open(path, 'w') as target:
            target.write(text)
        return path

    def authority(self, kind):
        return self.file(f'{kind}.crt', self.request(
            'GET', f'/v1/certificates/{self.cluster.uuid}?ca_cert_type={kind}').json()['pem'])

    def signed(self, kind, name, host=None):
        request, key = request_for(name, host)
        answer = self.request('POST', '/v1/certificates', json={
            'cluster_uuid': self.cluster.uuid, 'csr': request, 'ca_cert_type': kind})
        self.assertEqual(201, answer.status_code, answer.text)
        return (self.file(f'{kind}-{name}.crt', answer.json()['pem']),
                self.file(f'{kind}-{name}.key', key))

    def test_both_sides_of_a_handshake_are_verified_strictly(self):
        for kind in ('kubernetes', 'etcd', 'front-proxy'):
            authority = self.authority(kind)
            server = self._context(ssl.PROTOCOL_TLS_SERVER, authority,
                                   self.signed(kind, 'server', 'master.test'))
            client = self._context(ssl.PROTOCOL_TLS_CLIENT, authority,
                                   self.signed(kind, 'client'))
            self._shake_hands(server, client)

    @staticmethod
    def _context(protocol, authority, pair):
        context = ssl.SSLContext(protocol)
        context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
        context.load_verify_locations(authority)
        context.load_cert_chain(*pair)
        context.verify_mode = ssl.CERT_REQUIRED
        return context

    def _shake_hands(self, server, client):
        ours, theirs = socket.socketpair()
        failures = []

        def serve():
            try:
                with server.wrap_socket(theirs, server_side=True) as connection:
                    connection.sendall(connection.recv(5))
            except OSError as error:
                failures.append(error)

        thread = threading.Thread(target=serve)
        thread.start()
        with client.wrap_socket(ours, server_hostname='master.test') as connection:
            connection.sendall(b'hello')
            self.assertEqual(b'hello', connection.recv(5))
        thread.join(10)
        self.assertEqual([], failures)

    def test_openssl_verifies_strictly(self):
        try:
            subprocess.run(['openssl', 'version'], check=True, capture_output=True)
        except OSError:
            raise unittest.SkipTest('there is no openssl command') from None
        for kind in ('kubernetes', 'etcd', 'front-proxy'):
            certificate, _key = self.signed(kind, 'node', 'node.test')
            for purpose in ('sslclient', 'sslserver'):
                done = subprocess.run(
                    ['openssl', 'verify', '-x509_strict', '-purpose', purpose, '-CAfile',
                     self.authority(kind), certificate], capture_output=True, text=True,
                    check=False)
                self.assertEqual(0, done.returncode, (kind, purpose, done.stdout, done.stderr))

    def test_an_authority_does_not_verify_what_another_has_signed(self):
        certificate, _key = self.signed('etcd', 'node')
        done = subprocess.run(
            ['openssl', 'verify', '-x509_strict', '-CAfile', self.authority('kubernetes'),
             certificate], capture_output=True, text=True, check=False)
        self.assertNotEqual(0, done.returncode)


class WideCharacters(base.TestCase):
    """Columns of three bytes: what they cannot hold is refused, on every way to them."""

    stack_options = {'database': base.new_mariadb}

    def refused(self, method, path, field, **options):
        response = self.request(method, path, **options)
        self.assertEqual(400, response.status_code, response.text)
        self.assertIn(field, response.json()['errors'][0]['detail'])

    def test_they_are_refused_with_the_name_of_the_field(self):
        template = self.new_template()
        cluster = self.new_cluster(template=template)
        body = {'coe': 'kubernetes', 'image_id': 'ubuntu-demo', 'external_network_id': 'public'}
        for field in ('name', 'http_proxy', 'tags'):
            self.refused('POST', '/v1/clustertemplates', field, json={**body, field: WIDE})
            self.refused('PATCH', f'/v1/clustertemplates/{template.uuid}', field, json=[
                {'op': 'replace' if field == 'name' else 'add', 'path': f'/{field}',
                 'value': WIDE}])
        self.refused('POST', '/v1/clusters', 'name', json={
            'name': WIDE, 'cluster_template_id': template.uuid})
        self.refused('POST', f'/v1/clusters/{cluster.uuid}/nodegroups', 'name',
                     json={'name': WIDE})
        for path in (f'/v1/clusters/{WIDE}', f'/v1/clustertemplates/{WIDE}',
                     f'/v1/clusters/{cluster.uuid}/nodegroups/{WIDE}',
                     f'/v1/certificates/{WIDE}'):
            self.assertEqual(404, self.request('GET', path).status_code, path)

    def test_labels_hold_them(self):
        labels = {'a': WIDE, WIDE: 'b'}
        template = self.new_template(labels=labels)
        self.assertEqual(labels, self.magnum.cluster_templates.get(template.uuid).labels)
        cluster = self.new_cluster(template=template)
        self.assertEqual(labels, self.magnum.clusters.get(cluster.uuid).labels)
        response = self.request('PATCH', f'/v1/clusters/{cluster.uuid}', json=[
            {'op': 'replace', 'path': '/health_status_reason',
             'value': '{"api": "%s"}' % WIDE}])
        self.assertEqual(202, response.status_code, response.text)
        self.assertEqual({'api': WIDE},
                         self.magnum.clusters.get(cluster.uuid).health_status_reason)

    def test_filters_take_them(self):
        for path in ('clusters?name=', 'clustertemplates?name=', 'clusters?cluster_template_id='):
            response = self.request('GET', f'/v1/{path}{WIDE}')
            self.assertIn(response.status_code, (200, 404), response.text)
