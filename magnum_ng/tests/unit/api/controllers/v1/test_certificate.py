# SPDX-License-Identifier: Apache-2.0

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509 import oid
import oslo_messaging

from magnum_ng import objects
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.tests.unit.api import base
from magnum_ng.tests.unit.objects import utils

URL = '/v1/certificates'


def signing_request():
    key = ec.generate_private_key(ec.SECP256R1())
    request = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([
        x509.NameAttribute(oid.NameOID.COMMON_NAME, 'admin'),
        x509.NameAttribute(oid.NameOID.ORGANIZATION_NAME, 'system:masters')]))
    return request.sign(key, hashes.SHA512()).public_bytes(serialization.Encoding.PEM).decode()


class CertificateTest(base.FunctionalTest):
    def setUp(self):
        super().setUp()
        self.template = utils.create_test_cluster_template(self.context)
        self.cluster = utils.create_test_cluster(
            self.context, name='c1', cluster_template_id=self.template.uuid,
            status='CREATE_COMPLETE', ca_cert_ref=None, magnum_cert_ref=None,
            etcd_ca_cert_ref=None, front_proxy_ca_cert_ref=None)

    def certify(self):
        cert_manager.generate_certificates_to_cluster(self.cluster, context=self.context)
        self.cluster.save()

    def status(self, status):
        self.cluster.status = status
        self.cluster.save()

    def request(self, **values):
        return {'cluster_uuid': self.cluster.uuid, 'csr': signing_request(), **values}

    @staticmethod
    def certificate(response):
        return x509.load_pem_x509_certificate(response.json['pem'].encode())


class TestAuthorities(CertificateTest):
    def test_each_authority_is_shown(self):
        self.certify()
        found = set()
        for query in ('', '?ca_cert_type=etcd', '?ca_cert_type=front-proxy'):
            answer = self.get(f'{URL}/{self.cluster.uuid}{query}').json
            self.assertEqual(['cluster_uuid', 'links', 'pem'], list(answer))
            self.assertEqual(self.cluster.uuid, answer['cluster_uuid'])
            self.assertEqual([
                {'href': f'http://localhost/v1/certificates/{self.cluster.uuid}', 'rel': 'self'},
                {'href': f'http://localhost/certificates/{self.cluster.uuid}', 'rel': 'bookmark'},
            ], answer['links'])
            found.add(answer['pem'])
        self.assertEqual(3, len(found))
        self.assertEqual([], self.conductor.messages)

    def test_the_default_is_the_authority_of_kubernetes(self):
        self.certify()
        self.assertEqual(self.get(f'{URL}/c1').json,
                         self.get(f'{URL}/c1?ca_cert_type=kubernetes').json)

    def test_unknown_types_are_refused(self):
        for kind in ('bogus', 'ETCD', ''):
            error = self.error(self.get(f'{URL}/c1?ca_cert_type={kind}', status=400))
            self.assertIn('ca_cert_type', error['detail'])

    def test_there_is_a_conflict_before_there_are_certificates(self):
        self.get(f'{URL}/c1', status=409)

    def test_unknown_and_ambiguous_clusters(self):
        self.assertEqual('Cluster none could not be found.',
                         self.error(self.get(f'{URL}/none', status=404))['detail'])
        self.get(f'{URL}/detail', status=404)
        utils.create_test_cluster(self.context, name='c1', cluster_template_id=self.template.uuid,
                                  uuid='5d12f6fd-a196-4bf0-ae4c-1f639a523a99')
        self.assertIn('Multiple clusters exist with same name.',
                      self.error(self.get(f'{URL}/c1', status=409))['detail'])


class TestAccess(CertificateTest):
    def test_another_project_does_not_see_the_cluster(self):
        for response in (
                self.get(f'{URL}/{self.cluster.uuid}', self.as_other(), status=404),
                self.patch(f'{URL}/{self.cluster.uuid}', {}, self.as_other(), status=404)):
            self.assertIn('could not be found', self.error(response)['detail'])
        self.post(URL, self.request(), self.as_other(), status=400)

    def test_another_user_of_the_project_is_refused_with_an_explanation(self):
        colleague = self.headers(user='colleague')
        for response, rule in ((self.get(f'{URL}/c1', colleague, status=403), 'get'),
                               (self.post(URL, self.request(), colleague, status=403), 'create')):
            error = self.error(response)
            self.assertEqual(f"Policy doesn't allow certificate:{rule} to be performed",
                             error['title'])
            self.assertIn('only the user who created the cluster', error['detail'])

    def test_a_colleague_may_rotate(self):
        self.patch(f'{URL}/c1', {}, self.headers(user='colleague'), status=202)

    def test_an_admin_reaches_all_projects(self):
        self.certify()
        admin = self.as_admin()
        self.get(f'{URL}/{self.cluster.uuid}', admin)
        self.post(URL, self.request(), admin, status=201)
        self.patch(f'{URL}/{self.cluster.uuid}', {}, admin, status=202)

    def test_an_admin_whom_the_policy_keeps_in_the_own_project(self):
        rules = ('get', 'create', 'rotate_ca')
        self.policy.set_rules({f'certificate:{rule}_all_projects': 'role:none' for rule in rules})
        admin = self.as_admin()
        self.get(f'{URL}/{self.cluster.uuid}', admin, status=404)
        self.post(URL, self.request(), admin, status=400)
        self.patch(f'{URL}/{self.cluster.uuid}', {}, admin, status=404)


class TestSigning(CertificateTest):
    def test_a_request_is_signed_by_the_authority_that_it_names(self):
        self.certify()
        for kind in (None, 'kubernetes', 'etcd', 'front-proxy'):
            query = f'?ca_cert_type={kind}' if kind else ''
            authority = self.certificate(self.get(f'{URL}/c1{query}'))
            body = self.request(**({'ca_cert_type': kind} if kind else {}))
            response = self.post(URL, body, status=201)
            self.certificate(response).verify_directly_issued_by(authority)
            self.assertEqual((self.cluster.uuid, body['csr'], kind), (
                response.json['cluster_uuid'], response.json['csr'],
                response.json.get('ca_cert_type')))
        self.assertEqual([], self.conductor.messages)

    def test_the_cluster_may_be_named(self):
        self.certify()
        response = self.post(URL, self.request(cluster_uuid='c1'), status=201)
        self.assertEqual(self.cluster.uuid, response.json['cluster_uuid'])

    def test_missing_fields_are_named(self):
        for name in ('cluster_uuid', 'csr'):
            for body in (self.request(**{name: None}),
                         {key: value for key, value in self.request().items() if key != name}):
                error = self.error(self.post(URL, body, status=400))
                self.assertEqual(f"Invalid input for field/attribute {name}. Value: 'None'. "
                                 'Mandatory field missing.', error['detail'])

    def test_an_unknown_cluster_is_a_bad_request(self):
        error = self.error(self.post(URL, self.request(cluster_uuid='none'), status=400))
        self.assertEqual('Cluster none could not be found.', error['detail'])

    def test_what_is_no_request_is_refused(self):
        self.certify()
        for csr in ('x', '\u00e9\u4e2d', signing_request()[:200], 5, [], ''):
            response = self.post(URL, self.request(csr=csr), status=400)
            self.assertNotIn('codec', response.text)

    def test_an_unknown_authority_is_refused(self):
        for kind in ('bogus', 5):
            error = self.error(self.post(URL, self.request(ca_cert_type=kind), status=400))
            self.assertIn('ca_cert_type', error['detail'])

    def test_a_cluster_that_is_being_deleted_signs_nothing(self):
        self.certify()
        self.status('DELETE_IN_PROGRESS')
        error = self.error(self.post(URL, self.request(), status=409))
        self.assertEqual('Signing a certificate when status is "DELETE_IN_PROGRESS" is not '
                         'supported.', error['detail'])
        self.get(f'{URL}/c1')


class TestRotation(CertificateTest):
    def test_it_is_handed_over_and_visible(self):
        answer = self.patch(f'{URL}/c1', status=202, headers={
            **self.headers(), 'Content-Type': 'application/octet-stream'}, raw=b'').json
        self.assertEqual({'uuid': self.cluster.uuid}, answer)
        self.assertEqual(['rotate_ca_certificate'], self.conductor.names)
        self.assertEqual('UPDATE_IN_PROGRESS', objects.Cluster.get_by_uuid(
            self.context, self.cluster.uuid).status)

    def test_it_may_be_tried_again_after_a_failed_update(self):
        self.status('UPDATE_FAILED')
        self.patch(f'{URL}/c1', {}, status=202)

    def test_it_is_refused_in_other_states(self):
        for status in ('CREATE_IN_PROGRESS', 'DELETE_IN_PROGRESS'):
            self.status(status)
            self.assertIn(status, self.error(self.patch(f'{URL}/c1', {}, status=409))['detail'])
        self.assertEqual([], self.conductor.messages)

    def test_a_cluster_without_tls_has_nothing_to_rotate(self):
        template = utils.create_test_cluster_template(
            self.context, tls_disabled=True, uuid='e74c40e0-d825-11e2-a28f-0800200c9a67')
        utils.create_test_cluster(self.context, name='c2', cluster_template_id=template.uuid,
                                  uuid='5d12f6fd-a196-4bf0-ae4c-1f639a523a98',
                                  status='CREATE_COMPLETE')
        error = self.error(self.patch(f'{URL}/c2', {}, status=400))
        self.assertEqual('Rotating the CA certificate on a non-TLS cluster is not supported',
                         error['detail'])

    def test_nothing_has_changed_when_it_cannot_be_handed_over(self):
        self.conductor.error = oslo_messaging.MessageDeliveryFailure()
        self.patch(f'{URL}/c1', {}, status=503)
        self.assertEqual('CREATE_COMPLETE', objects.Cluster.get_by_uuid(
            self.context, self.cluster.uuid).status)
