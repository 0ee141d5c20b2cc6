# SPDX-License-Identifier: Apache-2.0

from magnum_ng.tests.unit.api import base
from magnum_ng.tests.unit.objects import utils

URL = '/v1/credentials'


class TestCredentials(base.FunctionalTest):
    def setUp(self):
        super().setUp()
        template = utils.create_test_cluster_template(self.context)
        self.cluster = utils.create_test_cluster(
            self.context, name='c1', cluster_template_id=template.uuid, status='CREATE_COMPLETE')

    def test_a_rotation_is_handed_over(self):
        self.assertEqual({'uuid': self.cluster.uuid},
                         self.patch(f'{URL}/c1', raw=b'', status=202).json)
        self.assertEqual(['credential_rotate'], self.conductor.names)

    def test_it_came_with_version_1_12(self):
        for version, status in (('1.11', 406), ('1.12', 202)):
            self.patch(f'{URL}/c1', {}, status=status,
                       headers=self.headers(version=f'container-infra {version}'))

    def test_it_is_refused_while_the_cluster_is_created_or_deleted(self):
        for status in ('CREATE_IN_PROGRESS', 'DELETE_IN_PROGRESS'):
            self.cluster.status = status
            self.cluster.save()
            self.patch(f'{URL}/c1', {}, status=409)

    def test_unknown_clusters_and_those_of_others_are_not_found(self):
        self.patch(f'{URL}/none', {}, status=404)
        self.patch(f'{URL}/{self.cluster.uuid}', {}, self.as_other(), status=404)

    def test_an_admin_reaches_all_projects_if_the_policy_lets_him(self):
        self.patch(f'{URL}/{self.cluster.uuid}', {}, self.as_admin(), status=202)
        self.policy.set_rules({'credential:rotate_all_projects': 'role:none'})
        self.patch(f'{URL}/{self.cluster.uuid}', {}, self.as_admin(), status=403)

    def test_policy_decides(self):
        self.policy.set_rules({'credential:rotate': 'role:none'})
        error = self.error(self.patch(f'{URL}/c1', {}, status=403))
        self.assertEqual("Policy doesn't allow credential:rotate to be performed.",
                         error['detail'])

    def test_the_collection_takes_nothing_else(self):
        self.get(URL, status=405)
