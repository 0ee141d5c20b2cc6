# SPDX-License-Identifier: Apache-2.0
"""The steps of a cluster's life over HTTP, and what must be true after each."""

import hashlib

from cryptography import x509

from magnum_ng.tests.functional import test_lifecycle
from magnum_ng.tests.functional.fleet import base


class TestCase(base.TestCase):

    def ca(self, cluster):
        return self.request('GET', f'/v1/certificates/{cluster}', status=200)['pem']

    @staticmethod
    def fingerprint(pem):
        return hashlib.sha256(pem.encode()).hexdigest()

    def get_a_certificate_signed(self, cluster):
        """Sign a request; the certificate must be one of the CA that the API shows."""
        authority = x509.load_pem_x509_certificate(self.ca(cluster).encode())
        signed = self.request('POST', '/v1/certificates', {
            'cluster_uuid': cluster, 'csr': test_lifecycle.signing_request()}, status=201)
        x509.load_pem_x509_certificate(signed['pem'].encode()).verify_directly_issued_by(
            authority)

    def resize(self, cluster, count):
        self.request('POST', f'/v1/clusters/{cluster}/actions/resize', {'node_count': count},
                     status=202)
        self.wait_for(cluster, 'UPDATE_COMPLETE', node_count=count)
        self.call('resize_cluster', cluster, count=count)

    def update(self, cluster, count):
        self.request('PATCH', f'/v1/clusters/{cluster}', [
            {'op': 'replace', 'path': '/node_count', 'value': count}], status=202)
        self.wait_for(cluster, 'UPDATE_COMPLETE', node_count=count)
        self.call('update_cluster', cluster, count=count)

    def create_nodegroup(self, cluster, name):
        found = self.request('POST', f'/v1/clusters/{cluster}/nodegroups', {
            'name': name, 'node_count': 1, 'max_node_count': 5}, status=202)['uuid']
        self.call('create_nodegroup', cluster)
        self.wait_for_nodegroup(cluster, found, 'CREATE_COMPLETE')
        return found

    def wait_for_nodegroup(self, cluster, nodegroup, status, **values):
        def look():
            answer = self.request('GET', f'/v1/clusters/{cluster}/nodegroups/{nodegroup}')
            if answer.status_code == 404:
                return None
            wanted, found = dict(values, status=status), answer.json()
            return all(found[name] == value for name, value in wanted.items())
        self.fleet.wait_until(look, seconds=60, what=f'nodegroup {status} {values}')
        self.fleet.wait_until(
            lambda: not self.cluster(cluster)['status'].endswith('_IN_PROGRESS'), seconds=60)

    def update_nodegroup(self, cluster, nodegroup):
        self.request('PATCH', f'/v1/clusters/{cluster}/nodegroups/{nodegroup}', [
            {'op': 'replace', 'path': '/max_node_count', 'value': 7}], status=202)
        self.call('update_nodegroup', cluster)
        self.wait_for_nodegroup(cluster, nodegroup, 'UPDATE_COMPLETE', max_node_count=7)

    def delete_nodegroup(self, cluster, nodegroup):
        path = f'/v1/clusters/{cluster}/nodegroups/{nodegroup}'
        self.request('DELETE', path, status=204)
        self.wait_gone(path)
        self.call('delete_nodegroup', cluster)
        self.fleet.wait_until(
            lambda: not self.cluster(cluster)['status'].endswith('_IN_PROGRESS'), seconds=60)

    def upgrade(self, cluster, template):
        self.request('POST', f'/v1/clusters/{cluster}/actions/upgrade',
                     # The original cannot do without the size.
                     {'cluster_template': template, 'max_batch_size': 1}, status=202)
        self.wait_for(cluster, 'UPDATE_COMPLETE', cluster_template_id=template)
        self.call('upgrade_cluster', cluster, template=template)

    def rotate_ca(self, cluster):
        before = self.ca(cluster)
        self.request('PATCH', f'/v1/certificates/{cluster}', {}, status=202)
        self.call('rotate_ca_certificate', cluster)
        self.fleet.wait_until(
            lambda: not self.cluster(cluster)['status'].endswith('_IN_PROGRESS'), seconds=60)
        self.assertNotEqual(before, self.ca(cluster))
        self.get_a_certificate_signed(cluster)

    def rotate_credential(self, cluster):
        self.request('PATCH', f'/v1/credentials/{cluster}', {}, status=202)
        self.call('rotate_credential', cluster)
        self.fleet.wait_until(
            lambda: not self.cluster(cluster)['status'].endswith('_IN_PROGRESS'), seconds=60)

    def delete(self, cluster):
        self.request('DELETE', f'/v1/clusters/{cluster}', status=204)
        self.wait_gone(f'/v1/clusters/{cluster}')
        self.call('delete_cluster', cluster)

    def live(self, cluster):
        """Everything that happens to a cluster between its creation and its end."""
        self.get_a_certificate_signed(cluster)
        self.resize(cluster, 4)
        self.update(cluster, 3)
        nodegroup = self.create_nodegroup(cluster, 'more')
        self.update_nodegroup(cluster, nodegroup)
        self.delete_nodegroup(cluster, nodegroup)
        self.upgrade(cluster, self.new_template(name=f'{self.name}-new'))
        self.rotate_ca(cluster)
        self.rotate_credential(cluster)
