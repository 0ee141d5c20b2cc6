# SPDX-License-Identifier: Apache-2.0

from magnum_ng import objects
from magnum_ng.tests import fakes
from magnum_ng.tests.unit.api import base
from magnum_ng.tests.unit.objects import utils

URL = '/v1/federations'
NAMES = ['uuid', 'name', 'hostcluster_id', 'member_ids', 'status', 'properties', 'links']


class TestFederations(base.FunctionalTest):
    def setUp(self):
        super().setUp()
        template = utils.create_test_cluster_template(self.context)
        self.cluster = utils.create_test_cluster(self.context, cluster_template_id=template.uuid)

    def make(self, number=0, **values):
        federation = objects.Federation(
            self.context, name=f'f{number}', project_id=fakes.PROJECT_ID,
            uuid=f'98f7b15d-19d2-4b22-ba24-17254ac6a94{number}', hostcluster_id='host',
            member_ids=[], status='CREATE_COMPLETE', properties={'dns-zone': 'example.com.'},
            **values)
        federation.create()
        return federation

    def body(self, **values):
        return {'name': 'f', 'hostcluster_id': self.cluster.uuid,
                'properties': {'dns-zone': 'example.com.'}, **values}

    def test_lists_are_empty_where_nothing_is_stored(self):
        for address in (URL, f'{URL}/', f'{URL}/detail'):
            self.assertEqual({'federations': []}, self.get(address).json)

    def test_what_is_stored_is_shown(self):
        federation = self.make()
        for ident in (federation.uuid, 'f0'):
            shown = self.get(f'{URL}/{ident}').json
            self.assertEqual(('f0', 'CREATE_COMPLETE', {'dns-zone': 'example.com.'}),
                             (shown['name'], shown['status'], shown['properties']))
            self.assertEqual(f'http://localhost/v1/federations/{federation.uuid}',
                             shown['links'][0]['href'])

    def test_lists_are_short_or_long(self):
        self.make()
        self.assertEqual(sorted(NAMES), sorted(self.get(URL).json['federations'][0]))
        detail = self.get(f'{URL}/detail').json['federations'][0]
        self.assertEqual(sorted([*NAMES, 'status_reason', 'created_at', 'updated_at']),
                         sorted(detail))

    def test_there_are_pages(self):
        for number in range(3):
            self.make(number)
        names, address = [], f'{URL}/detail?limit=2'
        while address:
            page = self.get(address).json
            names.append([row['name'] for row in page['federations']])
            address = page.get('next')
        self.assertEqual([['f0', 'f1'], ['f2']], names)

    def test_a_detailed_list_is_of_the_collection(self):
        federation = self.make()
        self.get(f'{URL}/{federation.uuid}/detail', status=404)

    def test_other_projects_do_not_see_it(self):
        federation = self.make()
        self.get(f'{URL}/{federation.uuid}', self.as_other(), status=404)

    def test_creating_is_checked_and_then_refused(self):
        for body, status, text in (
                (self.body(), 400, 'Creating a federation is not supported.'),
                (self.body(hostcluster_id='none'), 404, 'Cluster none could not be found.'),
                (self.body(hostcluster_id=None), 400, 'No hostcluster specified.'),
                (self.body(properties=None), 400, 'Please specify a `properties` dict'),
                (self.body(properties={}), 400, '`properties` dict'),
                (self.body(properties={'a': 'b'}), 400, 'No DNS zone specified.'),
                (self.body(name='1'), 400, 'should match the pattern'),
                (self.body(nope=1), 400, 'Unknown attribute for argument federation: nope')):
            self.assertIn(text, self.error(self.post(URL, body, status=status))['detail'])
        self.assertEqual([], self.conductor.messages)

    def test_changing_is_checked_and_then_refused(self):
        federation = self.make()
        address = f'{URL}/{federation.uuid}'
        member = {'op': 'add', 'path': '/member_ids', 'value': self.cluster.uuid}
        for patch, status, text in (
                ([member], 400, 'Changing a federation is not supported.'),
                ([], 400, 'Changing a federation is not supported.'),
                ([{**member, 'value': 'none'}], 404, 'Cluster none could not be found.'),
                ([{**member, 'op': 'remove'}], 404, 'is not a member of the federation f0.'),
                ([{'op': 'replace', 'path': '/name', 'value': 'x'}], 400,
                 'cannot change federation property(ies) name.'),
                ([{'op': 'replace', 'path': '/uuid', 'value': 'x'}], 400, 'internal attribute'),
                ([{'op': 'replace', 'path': '/properties', 'value': {'a': 'b'}}], 400,
                 'Changing a federation is not supported.')):
            self.assertIn(text, self.error(self.patch(address, patch, status=status))['detail'])
        self.patch(f'{URL}/none', [], status=404)
        federation.member_ids = [self.cluster.uuid]
        federation.save()
        self.assertIn('already a member', self.error(self.patch(address, [member],
                                                                status=409))['detail'])

    def test_a_record_is_removed(self):
        federation = self.make()
        self.delete(f'{URL}/{federation.uuid}')
        self.get(f'{URL}/{federation.uuid}', status=404)
        self.delete(f'{URL}/none', status=404)

    def test_policy_decides(self):
        federation = self.make()
        for rule in ('get_all', 'get', 'create', 'update', 'delete', 'detail'):
            self.policy.set_rules({f'federation:{rule}': 'role:none'})
        self.get(URL, status=403)
        self.get(f'{URL}/detail', status=403)
        self.get(f'{URL}/{federation.uuid}', status=403)
        self.post(URL, self.body(), status=403)
        self.patch(f'{URL}/{federation.uuid}', [], status=403)
        self.delete(f'{URL}/{federation.uuid}', status=403)
