# SPDX-License-Identifier: Apache-2.0
"""What requests cost in statements and messages, so that more cannot creep in.

Lists, one cluster, nodegroups, templates, quotas and statistics are counted next to the tests of
their controllers; requests to the cloud in test_attr_validator; the poller in service/test_status
and the conductor in conductor/test_operations.
"""

from magnum_ng.tests.unit.api import cluster_base


class TestCosts(cluster_base.ClusterTest):

    def test_reading_sends_no_message_to_a_conductor(self):
        clusters = [self.make_cluster(uuid=None, name=f'c{number}') for number in range(3)]
        one = f'/v1/clusters/{clusters[0].uuid}'
        groups = self.get(f'{one}/nodegroups').json['nodegroups']
        for path in ('/v1/clusters', '/v1/clusters/detail', one,
                     f"{one}/nodegroups/{groups[0]['uuid']}", '/v1/clustertemplates', '/v1/stats'):
            self.get(path)
        self.assertEqual([], self.conductor.messages)

    def _create(self, template, name):
        answer, statements = self.database.count_statements(self.post, '/v1/clusters', {
            'name': name, 'cluster_template_id': template.uuid})
        self.assertEqual(202, answer.status_int, answer.text)
        return [text for text in statements if not text.startswith('BEGIN')]

    def test_a_creation_is_one_message_and_few_statements_beside_many_or_none(self):
        template = self.make_template()
        # The first one also makes the row that is locked for the project's quota, and looks for
        # conductors of the original.
        statements = self._create(template, 'first')
        self.assertEqual(10, len(statements), statements)
        self.assertEqual(['cluster_create_async'], self.conductor.names)
        for number in range(5):
            statements = self._create(template, f'new{number}')
            self.assertEqual(7, len(statements), statements)
            for extra in range(3):
                self.make_cluster(template, uuid=None, name=f'other{number}{extra}')

    def test_a_refusal_asks_for_as_little(self):
        for path, most in (('/v1/clusters/00000000-0000-4000-8000-000000000000', 1),
                           ('/v1/nothing', 0)):
            _answer, statements = self.database.count_statements(self.get, path, status=404)
            self.assertLessEqual(len(statements), most, statements)
