# SPDX-License-Identifier: Apache-2.0

from magnum_ng.tests import fakes
from magnum_ng.tests.unit.api import base
from magnum_ng.tests.unit.objects import utils


class TestStats(base.FunctionalTest):
    def setUp(self):
        super().setUp()
        template = utils.create_test_cluster_template(self.context)
        for project, masters, workers in ((fakes.PROJECT_ID, 1, 2), (fakes.OTHER_PROJECT_ID, 3, 5)):
            utils.create_test_cluster(
                self.context, uuid=f'5d12f6fd-a196-4bf0-ae4c-1f639a523a5{masters}',
                name=project, project_id=project, cluster_template_id=template.uuid,
                master_count=masters, node_count=workers)

    def test_a_member_sees_the_own_project(self):
        for query in ('', '?type=cluster', '?type=CLUSTER', f'?project_id={fakes.PROJECT_ID}'):
            self.assertEqual({'clusters': 1, 'nodes': 3}, self.get(f'/v1/stats{query}').json)

    def test_a_member_does_not_see_another_project(self):
        response = self.get(f'/v1/stats?project_id={fakes.OTHER_PROJECT_ID}', status=403)
        self.assertEqual('Not authorized.', self.error(response)['detail'])

    def test_an_admin_sees_all_projects_or_any(self):
        admin = self.as_admin()
        self.assertEqual({'clusters': 2, 'nodes': 11}, self.get('/v1/stats', admin).json)
        self.assertEqual({'clusters': 1, 'nodes': 8}, self.get(
            f'/v1/stats?project_id={fakes.OTHER_PROJECT_ID}', admin).json)
        self.assertEqual({'clusters': 0, 'nodes': 0},
                         self.get('/v1/stats?project_id=none', admin).json)

    def test_other_types_are_refused(self):
        for kind in ('node', ''):
            error = self.error(self.get(f'/v1/stats?type={kind}', status=400))
            self.assertEqual("Invalid stats type. Allowed values are 'cluster'", error['detail'])

    def test_it_is_one_statement(self):
        _answer, statements = self.database.count_statements(self.get, '/v1/stats')
        self.assertLessEqual(len(statements), 2)

    def test_policy_decides(self):
        self.policy.set_rules({'stats:get_all': 'role:none'})
        self.get('/v1/stats', status=403)
