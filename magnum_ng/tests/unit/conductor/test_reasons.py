# SPDX-License-Identifier: Apache-2.0

from magnum_ng.conductor import reasons
from magnum_ng.tests import base


class TestReasons(base.TestCase):

    def test_credentials_do_not_get_out(self):
        token = 'gAAAAABlZ0VhJ2xvbmctdG9rZW4tdGV4dA'
        for text in (
                'GET https://user:s3cret@cloud.example:5000/v3 failed',
                'proxy http://s3cret@proxy:3128',
                "{'password': 's3cret', 'user': 'a'}",
                'admin_password=s3cret',
                f'X-Auth-Token: {token}',
                f"headers {{'X-Subject-Token': '{token}'}}",
                'Authorization: Bearer s3cret.s3cret',
                f'token {token} has expired',
                '-----BEGIN RSA PRIVATE KEY-----\ns3cret\n-----END RSA PRIVATE KEY-----'):
            masked = reasons.of(RuntimeError(text))
            self.assertNotIn('s3cret', masked)
            self.assertNotIn(token, masked)
            self.assertIn('***', masked)

    def test_ordinary_text_stays_as_it_is(self):
        for text in ('No valid host was found.', 'see https://cloud.example:5000/v3/users?a=b',
                     'user@example.org'):
            self.assertEqual(text, reasons.of(text))

    def test_length_is_bounded(self):
        self.assertEqual(reasons.MAX_LENGTH, len(reasons.of('x' * 100000)))

    def test_error_without_text_is_named(self):
        self.assertEqual('NotImplementedError', reasons.of(NotImplementedError()))

    def test_error_whose_text_cannot_be_made_is_named(self):
        class Broken(Exception):
            def __str__(self):
                raise ValueError('no text')

        self.assertEqual('Broken', reasons.of(Broken()))

    def test_values_with_secret_names_are_masked(self):
        self.assertEqual(
            {'registry_password': '***', 'cinder_csi_token': '***', 'kube_tag': 'v1.30.0',
             'proxy': 'http://***@proxy'},
            reasons.mask_values({'registry_password': 'x', 'cinder_csi_token': 'y',
                                 'kube_tag': 'v1.30.0', 'proxy': 'http://u:p@proxy'}))
