# SPDX-License-Identifier: Apache-2.0

from unittest import mock

from magnum_ng import objects
from magnum_ng.common import exception
from magnum_ng.tests import fakes
from magnum_ng.tests.unit.api import base

URL = '/v1/quotas'
MINE = f'{URL}/{fakes.PROJECT_ID}/Cluster'


class TestQuotas(base.FunctionalTest):
    def setUp(self):
        super().setUp()
        patcher = mock.patch('magnum_ng.common.keystone.get_project')
        self.get_project = patcher.start()
        self.addCleanup(patcher.stop)

    def make(self, project=fakes.PROJECT_ID, limit=10):
        quota = objects.Quota(self.context, project_id=project, resource='Cluster',
                              hard_limit=limit)
        quota.create()
        return quota

    def body(self, **values):
        return {'project_id': 'p', 'resource': 'Cluster', 'hard_limit': 3, **values}

    def test_an_admin_sets_a_quota(self):
        answer = self.post(URL, self.body(), self.as_admin(), status=201).json
        self.assertEqual(['id', 'hard_limit', 'project_id', 'resource', 'created_at',
                          'updated_at'], list(answer))
        self.assertEqual(('p', 'Cluster', 3, None), (answer['project_id'], answer['resource'],
                                                     answer['hard_limit'], answer['updated_at']))
        self.assertRegex(answer['created_at'], r'^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$')
        self.get_project.assert_called_once_with(mock.ANY, 'p')

    def test_a_limit_may_be_zero_or_a_number_in_a_text(self):
        self.assertEqual(0, self.post(URL, self.body(hard_limit=0), self.as_admin(),
                                      status=201).json['hard_limit'])
        self.assertEqual(5, self.post(URL, self.body(project_id='q', hard_limit='5'),
                                      self.as_admin(), status=201).json['hard_limit'])

    def test_null_is_the_default_resource(self):
        self.assertEqual('Cluster', self.post(URL, self.body(resource=None), self.as_admin(),
                                              status=201).json['resource'])

    def test_the_row_number_of_a_request_is_not_used(self):
        self.post(URL, self.body(id=987654321), self.as_admin(), status=201)
        answer = self.patch(f'{URL}/p/Cluster', self.body(id=12345, hard_limit=4),
                            self.as_admin(), status=202).json
        self.assertLess(answer['id'], 12345)

    def test_a_project_has_one_quota_for_a_resource(self):
        self.post(URL, self.body(), self.as_admin(), status=201)
        error = self.error(self.post(URL, self.body(), self.as_admin(), status=409))
        self.assertEqual('Quota for project p already exists for resource Cluster.',
                         error['detail'])

    def test_members_set_no_quotas_and_keystone_is_not_asked(self):
        for response in (self.post(URL, self.body(), status=403),
                         self.patch(MINE, self.body(), status=403),
                         self.delete(MINE, status=403), self.get(URL, status=403)):
            self.assertIn("Policy doesn't allow quota:", self.error(response)['detail'])
        self.get_project.assert_not_called()

    def test_the_project_has_to_exist(self):
        self.get_project.side_effect = exception.ProjectNotFound(name='project_id', id='p')
        error = self.error(self.post(URL, self.body(), self.as_admin(), status=404))
        self.assertEqual('The project_id p could not be found.', error['detail'])
        self.assertEqual([], self.get(f'{URL}?all_tenants=1', self.as_admin()).json['quotas'])

    def test_a_broken_keystone_is_not_our_error(self):
        self.get_project.side_effect = exception.BackendUnavailable(service='identity')
        self.post(URL, self.body(), self.as_admin(), status=503)

    def test_bad_values_are_refused(self):
        for values, text in ((dict(hard_limit=-3), 'hard_limit'), (dict(hard_limit=None),
                                                                   'hard_limit'),
                             (dict(hard_limit=2 ** 31), 'hard_limit'),
                             (dict(resource='Pod'), 'resource'), (dict(project_id=''),
                                                                  'project_id'),
                             (dict(project_id=None), 'project ID'),
                             (dict(project_id='x' * 256), 'project_id'),
                             (dict(created_at='2026-01-01'), 'created_at')):
            response = self.post(URL, self.body(**values), self.as_admin(), status=400)
            self.assertIn(text, self.error(response)['detail'])

    def test_a_quota_is_changed(self):
        self.make()
        answer = self.patch(MINE, {'hard_limit': 7}, self.as_admin(), status=202).json
        self.assertEqual((7, True), (answer['hard_limit'], answer['updated_at'] is not None))

    def test_what_a_change_leaves_out_stays(self):
        self.make()
        for body in ({}, {'project_id': fakes.PROJECT_ID, 'resource': 'Cluster'}):
            self.assertEqual(10, self.patch(MINE, body, self.as_admin(),
                                            status=202).json['hard_limit'])
        self.patch(MINE, {'hard_limit': None}, self.as_admin(), status=400)
        self.assertEqual(10, self.get(MINE).json['hard_limit'])

    def test_the_address_of_a_change_counts(self):
        self.make()
        self.make('other', 4)
        self.patch(MINE, self.body(project_id='other', hard_limit=1), self.as_admin(), status=202)
        self.assertEqual(4, self.get(f'{URL}/other/Cluster', self.as_admin()).json['hard_limit'])

    def test_the_address_of_a_change_may_be_in_the_body(self):
        self.make('p')
        answer = self.patch(URL, self.body(), self.as_admin(), status=202).json
        self.assertEqual(('p', 3), (answer['project_id'], answer['hard_limit']))

    def test_a_quota_that_is_not_there_is_neither_changed_nor_removed(self):
        text = 'Quota could not be found: project_id p resource Cluster.'
        for response in (self.patch(f'{URL}/p/Cluster', self.body(), self.as_admin(), status=404),
                         self.delete(f'{URL}/p/Cluster', self.as_admin(), status=404)):
            self.assertEqual(text, self.error(response)['detail'])

    def test_a_removed_quota_leaves_the_default(self):
        self.config('quotas', max_clusters_per_project=15)
        self.make()
        self.delete(MINE, self.as_admin())
        self.assertEqual({'hard_limit': 15, 'project_id': fakes.PROJECT_ID, 'resource': 'Cluster'},
                         self.get(MINE).json)

    def test_members_see_the_quota_of_their_project_only(self):
        self.make()
        self.assertEqual(10, self.get(MINE).json['hard_limit'])
        error = self.error(self.get(MINE, self.as_other(), status=403))
        self.assertEqual('Not authorized.', error['detail'])
        self.assertEqual(10, self.get(MINE, self.as_admin()).json['hard_limit'])

    def test_other_resources_have_no_quota(self):
        for response in (self.get(f'{URL}/{fakes.PROJECT_ID}/Bogus', status=400),
                         self.patch(f'{URL}/p/Bogus', {'hard_limit': 1}, self.as_admin(),
                                    status=400)):
            self.assertIn('Bogus has no quota', self.error(response)['detail'])

    def test_a_missing_part_of_the_address_is_named(self):
        error = self.error(self.get(f'{URL}/p', self.as_admin(), status=400))
        self.assertEqual('Missing argument: "resource"', error['detail'])


class TestList(base.FunctionalTest):
    def setUp(self):
        super().setUp()
        self.projects = ['a', 'b', 'admin_project', 'c', 'd']
        for number, project in enumerate(self.projects):
            objects.Quota(self.context, project_id=project, resource='Cluster',
                          hard_limit=number).create()

    def pages(self, query):
        address = f'{URL}?{query}'
        while address:
            page = self.get(address, self.as_admin()).json
            yield [quota['project_id'] for quota in page['quotas']]
            address = page.get('next')

    def test_an_admin_sees_the_own_project_or_all(self):
        self.assertEqual([['admin_project']], list(self.pages('')))
        self.assertEqual([['admin_project']], list(self.pages('all_tenants=False')))
        self.assertEqual([self.projects], list(self.pages('all_tenants=True')))

    def test_pages_keep_the_parameters(self):
        self.assertEqual([['a', 'b'], ['admin_project', 'c'], ['d']],
                         list(self.pages('all_tenants=true&limit=2')))
        self.assertEqual([['d', 'c'], ['admin_project', 'b'], ['a']], list(self.pages(
            'all_tenants=true&limit=2&sort_key=hard_limit&sort_dir=desc')))

    def test_the_address_of_the_next_page(self):
        page = self.get(f'{URL}?all_tenants=true&limit=2', self.as_admin()).json
        self.assertEqual('http://localhost/v1/quotas?sort_key=id&sort_dir=asc&all_tenants=True'
                         f'&limit=2&marker={page["quotas"][-1]["id"]}', page['next'])

    def test_a_marker_has_to_be_a_row(self):
        for marker, status in (('x', 400), ('-1', 400), (str(2 ** 70), 400), ('999999', 404)):
            self.get(f'{URL}?marker={marker}', self.as_admin(), status=status)

    def test_a_list_is_one_statement(self):
        _answer, statements = self.database.count_statements(
            self.get, f'{URL}?all_tenants=true', self.as_admin())
        self.assertEqual(1, len(statements))
