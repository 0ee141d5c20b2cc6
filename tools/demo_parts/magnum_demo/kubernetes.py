# SPDX-License-Identifier: Apache-2.0
"""The Kubernetes API of a simulated cluster: as much of it as kubectl and the monitor ask for.

Served over TLS with a certificate issued by the cluster's own CA, and only to clients that show a
certificate of that CA; whoever is not in the group system:masters is refused.
"""

import datetime
import ipaddress
import os
import ssl
import tempfile

import webob
import webob.dec
from cheroot.ssl import builtin
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.oid import NameOID

from magnum_demo import server

MASTERS = 'system:masters'
LIFETIME = datetime.timedelta(days=365)
NODE_COLUMNS = (
    ('Name', 0), ('Status', 0), ('Roles', 0), ('Age', 0), ('Version', 0), ('Internal-IP', 1),
    ('External-IP', 1), ('OS-Image', 1), ('Kernel-Version', 1), ('Container-Runtime', 1))
RESOURCES = (
    ('nodes', 'node', 'Node', False, ['no']),
    ('namespaces', 'namespace', 'Namespace', False, ['ns']),
    ('pods', 'pod', 'Pod', True, ['po']),
)


def server_certificate(ca_pem, ca_key_pem, host):
    """A certificate of the cluster's CA for this API server: (certificate PEM, key PEM)."""
    ca = x509.load_pem_x509_certificate(ca_pem)
    ca_key = serialization.load_pem_private_key(ca_key_pem, None)
    key = ec.generate_private_key(ec.SECP256R1())
    start = max(ca.not_valid_before_utc, datetime.datetime.now(datetime.timezone.utc)
                - datetime.timedelta(minutes=5))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, 'kube-apiserver')]))
        .issuer_name(ca.subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start).not_valid_after(min(start + LIFETIME, ca.not_valid_after_utc))
        .add_extension(x509.SubjectAlternativeName([
            x509.IPAddress(ipaddress.ip_address(host)), x509.DNSName('localhost'),
            x509.DNSName('kubernetes')]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(ca.public_key()),
                       critical=False)
        .sign(ca_key, hashes.SHA256()))
    return (certificate.public_bytes(serialization.Encoding.PEM),
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                              serialization.NoEncryption()))


def tls_adapter(ca_pem, ca_key_pem, host):
    """TLS that demands a client certificate of the cluster's CA."""
    certificate, key = server_certificate(ca_pem, ca_key_pem, host)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=ca_pem.decode())
    # The ssl module reads certificates from files only; the key is gone from disk at once.
    with tempfile.TemporaryDirectory() as directory:
        paths = [os.path.join(directory, name) for name in ('crt', 'key')]
        for path, content in zip(paths, (certificate, key), strict=True):
            with open(path, 'wb') as f:
                f.write(content)
        context.load_cert_chain(*paths)
        adapter = builtin.BuiltinSSLAdapter(*paths)
    adapter.context = context
    return adapter


class Node:
    """What the API tells of one node."""

    def __init__(self, name, role, address, created, ready=True):
        self.name = name
        self.role = role
        self.address = address
        self.created = created
        self.ready = ready

    def as_object(self, version):
        roles = 'control-plane' if self.role == 'master' else self.role
        return {
            'kind': 'Node', 'apiVersion': 'v1',
            'metadata': {'name': self.name, 'uid': f'node-{self.name}',
                         'creationTimestamp': self.created, 'resourceVersion': '1',
                         'labels': {f'node-role.kubernetes.io/{roles}': '',
                                    'kubernetes.io/hostname': self.name}},
            'spec': {},
            'status': {
                'addresses': [{'type': 'InternalIP', 'address': self.address},
                              {'type': 'Hostname', 'address': self.name}],
                'conditions': [{'type': 'Ready', 'status': 'True' if self.ready else 'False',
                                'reason': 'Simulated', 'message': 'the simulated node says so',
                                'lastHeartbeatTime': self.created,
                                'lastTransitionTime': self.created}],
                'nodeInfo': {'kubeletVersion': version, 'osImage': 'simulated',
                             'kernelVersion': 'none', 'architecture': 'amd64',
                             'containerRuntimeVersion': 'containerd://2.1.0',
                             'operatingSystem': 'linux', 'bootID': '', 'machineID': '',
                             'systemUUID': '', 'kubeProxyVersion': version},
                'capacity': {'cpu': '2', 'memory': '4096Mi', 'pods': '110'},
                'allocatable': {'cpu': '2', 'memory': '4096Mi', 'pods': '110'}}}

    def as_row(self, version):
        body = self.as_object(version)
        roles = 'control-plane' if self.role == 'master' else self.role
        created = datetime.datetime.strptime(self.created, '%Y-%m-%dT%H:%M:%SZ')
        age = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None) - created
        return {'cells': [self.name, 'Ready' if self.ready else 'NotReady', roles,
                          human_age(age.total_seconds()), version, self.address, '<none>',
                          'simulated', 'none', 'containerd://2.1.0'],
                'object': {'kind': 'PartialObjectMetadata', 'apiVersion': 'meta.k8s.io/v1',
                           'metadata': body['metadata']}}


def human_age(seconds):
    seconds = max(0, int(seconds))
    if seconds < 120:
        return f'{seconds}s'
    if seconds < 7200:
        return f'{seconds // 60}m'
    return f'{seconds // 3600}h'


class KubernetesAPI:
    """One cluster's API server; nodes and healthy may be changed while it serves."""

    def __init__(self, ca_pem, ca_key_pem, version, host='127.0.0.1', port=0):
        self.nodes = []
        self.healthy = True
        self.version = version
        self.ca_pem = ca_pem
        self._server = server.Server(self.app, host, port, threads=4,
                                     tls=tls_adapter(ca_pem, ca_key_pem, host))
        self.url = self._server.url
        self.port = self._server.port

    def start(self):
        self._server.start()
        return self

    def stop(self):
        self._server.stop()

    @webob.dec.wsgify
    def app(self, request):
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        path = request.path_info.rstrip('/') or '/'
        if request.method != 'GET':
            return status(405, 'MethodNotAllowed', 'this API can only be read')
        if path in ('/healthz', '/livez', '/readyz'):
            return webob.Response(text='ok' if self.healthy else 'simulated sickness',
                                  content_type='text/plain',
                                  status=200 if self.healthy else 500)
        documents = {
            '/version': self._version, '/api': self._api_versions, '/apis': self._api_groups,
            '/api/v1': self._api_resources, '/api/v1/namespaces': self._namespaces,
            '/api/v1/pods': self._pods, '/api/v1/namespaces/default/pods': self._pods,
            '/api/v1/nodes': lambda: self._node_list(request)}
        if path in documents:
            return webob.Response(json=documents[path]())
        if path.startswith('/api/v1/nodes/'):
            name = path.rsplit('/', 1)[1]
            for node in self.nodes:
                if node.name == name:
                    return webob.Response(json=self._one_node(request, node))
            return status(404, 'NotFound', f'nodes "{name}" not found')
        return status(404, 'NotFound', 'the server could not find the requested resource')

    @staticmethod
    def _refusal(request):
        """TLS let in any certificate of the CA; only administrators may read."""
        pem = request.environ.get('SSL_CLIENT_CERT')
        if not pem:
            return status(401, 'Unauthorized', 'Unauthorized')
        subject = x509.load_pem_x509_certificate(pem.encode()).subject
        groups = {a.value for a in subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)}
        if MASTERS in groups:
            return None
        names = [a.value for a in subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
        user = names[0] if names else ''
        return status(403, 'Forbidden', f'User "{user}" cannot get path "{request.path_info}"')

    def _version(self):
        major, minor = self.version.lstrip('v').split('.')[:2]
        return {'major': major, 'minor': minor, 'gitVersion': self.version, 'gitCommit': '',
                'gitTreeState': 'clean', 'buildDate': '2026-01-01T00:00:00Z', 'goVersion': '',
                'compiler': 'simulated', 'platform': 'linux/amd64'}

    def _api_versions(self):
        return {'kind': 'APIVersions', 'versions': ['v1'], 'serverAddressByClientCIDRs': [
            {'clientCIDR': '0.0.0.0/0', 'serverAddress': self.url.split('//')[1]}]}

    @staticmethod
    def _api_groups():
        return {'kind': 'APIGroupList', 'apiVersion': 'v1', 'groups': []}

    @staticmethod
    def _api_resources():
        return {'kind': 'APIResourceList', 'groupVersion': 'v1', 'resources': [
            {'name': name, 'singularName': singular, 'namespaced': namespaced, 'kind': kind,
             'verbs': ['get', 'list'], 'shortNames': short}
            for name, singular, kind, namespaced, short in RESOURCES]}

    def _namespaces(self):
        created = self.nodes[0].created if self.nodes else '2026-01-01T00:00:00Z'
        return {'kind': 'NamespaceList', 'apiVersion': 'v1', 'metadata': {'resourceVersion': '1'},
                'items': [{'metadata': {'name': 'default', 'creationTimestamp': created},
                           'spec': {}, 'status': {'phase': 'Active'}}]}

    @staticmethod
    def _pods():
        return {'kind': 'PodList', 'apiVersion': 'v1', 'metadata': {'resourceVersion': '1'},
                'items': []}

    def _node_list(self, request):
        if 'as=Table' in request.headers.get('Accept', ''):
            return self._table(self.nodes)
        return {'kind': 'NodeList', 'apiVersion': 'v1', 'metadata': {'resourceVersion': '1'},
                'items': [node.as_object(self.version) for node in self.nodes]}

    def _one_node(self, request, node):
        if 'as=Table' in request.headers.get('Accept', ''):
            return self._table([node])
        return node.as_object(self.version)

    def _table(self, nodes):
        return {'kind': 'Table', 'apiVersion': 'meta.k8s.io/v1',
                'metadata': {'resourceVersion': '1'},
                'columnDefinitions': [
                    {'name': name, 'type': 'string', 'format': 'name' if name == 'Name' else '',
                     'description': name, 'priority': priority}
                    for name, priority in NODE_COLUMNS],
                'rows': [node.as_row(self.version) for node in nodes]}


def status(code, reason, message):
    return webob.Response(status=code, json={
        'kind': 'Status', 'apiVersion': 'v1', 'metadata': {}, 'status': 'Failure',
        'message': message, 'reason': reason, 'code': code})
