# SPDX-License-Identifier: Apache-2.0

import oslo_messaging
from oslo_utils import uuidutils

from magnum_ng import objects
from magnum_ng.tests.unit.api import cluster_base
from magnum_ng.tests.unit.objects import utils as obj_utils

SUMMARY = {'uuid', 'name', 'cluster_template_id', 'keypair', 'docker_volume_size', 'labels',
           'node_count', 'status', 'master_flavor_id', 'flavor_id', 'create_timeout',
           'master_count', 'health_status', 'links', 'merge_labels'}


class TestReadClusters(cluster_base.ClusterTest):

    def test_list_shows_a_part_of_the_attributes(self):
        cluster = self.make_cluster()
        [shown] = self.get('/v1/clusters').json['clusters']
        self.assertEqual(SUMMARY | {'cluster_id'}, set(shown))
        self.assertEqual(cluster.uuid, shown['uuid'])
        self.assertEqual((3, 1, False),
                         (shown['node_count'], shown['master_count'], shown['merge_labels']))
        self.assertEqual([f'http://localhost/v1/clusters/{cluster.uuid}',
                          f'http://localhost/clusters/{cluster.uuid}'],
                         [link['href'] for link in shown['links']])

    def test_cluster_id_is_called_stack_id_until_1_12(self):
        cluster = self.make_cluster()
        old = self.headers(version='container-infra 1.12')
        for path in ('/v1/clusters', '/v1/clusters/detail'):
            [shown] = self.get(path, old).json['clusters']
            self.assertEqual(cluster.stack_id, shown['stack_id'])
            self.assertNotIn('cluster_id', shown)
        shown = self.get(f'/v1/clusters/{cluster.uuid}').json
        self.assertEqual(cluster.stack_id, shown['cluster_id'])
        self.assertNotIn('stack_id', shown)

    def test_labels_are_compared_with_those_of_the_template(self):
        template = self.make_template(labels={'a': '1', 'b': '2', 'c': '3'})
        cluster = self.make_cluster(template, labels={'a': '1', 'b': '4', 'd': '5'})
        for shown in (self.get(f'/v1/clusters/{cluster.uuid}').json,
                      self.get('/v1/clusters/detail').json['clusters'][0]):
            self.assertEqual({'b': '2'}, shown['labels_overridden'])
            self.assertEqual({'d': '5'}, shown['labels_added'])
            self.assertEqual({'c': '3'}, shown['labels_skipped'])

    def test_a_template_that_is_gone_leaves_the_differences_empty(self):
        cluster = self.make_cluster(cluster_template_id='5d12f6fd-a196-4bf0-ae4c-000000000000',
                                    labels={'a': '1'})
        for shown in (self.get(f'/v1/clusters/{cluster.uuid}').json,
                      self.get('/v1/clusters/detail').json['clusters'][0]):
            self.assertEqual(({}, {}, {}), (shown['labels_overridden'], shown['labels_added'],
                                            shown['labels_skipped']))
        self.assertEqual(1, len(self.get('/v1/clusters').json['clusters']))

    def test_a_template_that_is_hidden_hides_no_cluster(self):
        template = self.make_template(hidden=True, project_id='another', labels={'a': '1'})
        cluster = self.make_cluster(template)
        shown = self.get(f'/v1/clusters/{cluster.uuid}').json
        self.assertEqual({'a': '1'}, shown['labels_skipped'])

    def test_a_cluster_without_nodegroups_can_be_read(self):
        cluster = self.make_cluster(nodegroups=False)
        for path in ('/v1/clusters', '/v1/clusters/detail'):
            [shown] = self.get(path).json['clusters']
            self.assertEqual((0, 0), (shown['node_count'], shown['master_count']))
        self.assertEqual(0, self.get(f'/v1/clusters/{cluster.name}').json['master_count'])

    def test_faults_of_a_failed_cluster(self):
        cluster = self.make_cluster(status='CREATE_FAILED')
        worker = cluster.default_ng_worker
        worker.status, worker.status_reason = 'CREATE_FAILED', 'no space'
        worker.save()
        shown = self.get(f'/v1/clusters/{cluster.uuid}').json
        self.assertEqual({worker.name: 'no space'}, shown['faults'])
        self.assertNotIn('faults', self.get('/v1/clusters/detail').json['clusters'][0])

    def test_nodegroups_that_are_deleted_do_not_count(self):
        cluster = self.make_cluster()
        obj_utils.create_test_nodegroup(
            self.context, cluster_id=cluster.uuid, uuid=uuidutils.generate_uuid(),
            status='DELETE_COMPLETE', node_count=5)
        for shown in (self.get(f'/v1/clusters/{cluster.uuid}').json,
                      self.get('/v1/clusters').json['clusters'][0]):
            self.assertEqual(3, shown['node_count'])

    def test_a_list_costs_the_same_whatever_its_length(self):
        for count in range(1, 6):
            self.make_cluster(uuid=None, name=f'c{count}')
            for path, most in (('/v1/clusters', 2), ('/v1/clusters/detail', 3)):
                answer, statements = self.database.count_statements(self.get, path)
                self.assertEqual(count, len(answer.json['clusters']))
                self.assertEqual(most, len(statements), statements)

    def test_a_page_costs_one_statement_more(self):
        first = self.make_cluster(uuid=None)
        self.make_cluster(uuid=None)
        answer, statements = self.database.count_statements(
            self.get, f'/v1/clusters?marker={first.uuid}')
        self.assertEqual(1, len(answer.json['clusters']))
        self.assertEqual(3, len(statements), statements)

    def test_one_cluster_costs_three_statements(self):
        cluster = self.make_cluster()
        for headers in (self.headers(), self.as_admin()):
            _answer, statements = self.database.count_statements(
                self.get, f'/v1/clusters/{cluster.uuid}', headers)
            self.assertEqual(3, len(statements), statements)

    def test_next_page_keeps_every_parameter(self):
        template = self.make_template()
        for name in 'abc':
            self.make_cluster(template, uuid=None, name=name)
        query = f'limit=2&sort_key=name&sort_dir=desc&cluster_template_id={template.uuid}'
        page = self.get(f'/v1/clusters?{query}').json
        self.assertEqual(['c', 'b'], [cluster['name'] for cluster in page['clusters']])
        self.assertTrue(page['next'].startswith(
            'http://localhost/v1/clusters?sort_key=name&sort_dir=desc&'))
        self.assertIn(f'cluster_template_id={template.uuid}', page['next'])
        page = self.get(page['next']).json
        self.assertEqual(['a'], [cluster['name'] for cluster in page['clusters']])
        self.assertNotIn('next', page)

    def test_filters(self):
        template = self.make_template(name='gold')
        self.make_cluster(template, uuid=None, name='one')
        self.make_cluster(uuid=None, name='two', status='UPDATE_FAILED')
        for query, expected in (
                ('name=two', ['two']), ('status=CREATE_COMPLETE', ['one']),
                ('status=CREATE_COMPLETE,UPDATE_FAILED', ['one', 'two']),
                (f'cluster_template_id={template.uuid}', ['one']),
                ('cluster_template_id=gold', ['one']), ('name=nobody', [])):
            for path in ('/v1/clusters', '/v1/clusters/detail'):
                found = self.get(f'{path}?{query}').json['clusters']
                self.assertEqual(expected, [cluster['name'] for cluster in found], query)
        self.assertIn('Value should be one of',
                      self.detail(self.get('/v1/clusters?status=odd', status='*')))
        self.assertEqual('Unknown argument: "colour"',
                         self.detail(self.get('/v1/clusters?colour=red', status='*')))

    def test_only_administrators_choose_the_project(self):
        self.make_cluster(uuid=None, name='mine')
        self.make_cluster(uuid=None, name='theirs', project_id='other_project')
        self.make_cluster(uuid=None, name='admins', project_id='admin_project')

        def names(query, headers):
            return [cluster['name']
                    for cluster in self.get(f'/v1/clusters{query}', headers).json['clusters']]

        admin = self.as_admin()
        self.assertEqual(['mine', 'theirs', 'admins'], names('', admin))
        self.assertEqual(['theirs'], names('?project_id=other_project', admin))
        self.assertEqual(['admins'], names('?all_tenants=false', admin))
        self.assertEqual(['mine', 'theirs', 'admins'], names('?all_tenants=true', admin))
        self.assertEqual(['mine'], names('', self.headers()))
        self.assertEqual(['mine'], names('?project_id=fake_project', self.headers()))
        for query in ('project_id=other_project', 'all_tenants=true'):
            self.get(f'/v1/clusters?{query}', status=403)

    def test_paging_loses_no_row_without_a_value(self):
        for number, health in enumerate((None, 'HEALTHY', None, 'UNKNOWN', None)):
            self.make_cluster(uuid=None, name=f'c{number}', health_status=health)
        for direction in ('asc', 'desc'):
            url, seen = f'/v1/clusters?limit=2&sort_key=health_status&sort_dir={direction}', []
            while url:
                page = self.get(url).json
                seen += [cluster['name'] for cluster in page['clusters']]
                url = page.get('next')
            self.assertEqual(['c0', 'c1', 'c2', 'c3', 'c4'], sorted(seen))

    def test_detail_of_one_is_not_found(self):
        cluster = self.make_cluster()
        self.get(f'/v1/clusters/{cluster.uuid}/detail', status=404)

    def test_the_clusters_of_others_are_not_found(self):
        cluster = self.make_cluster()
        other = self.as_other()
        url = f'/v1/clusters/{cluster.uuid}'
        self.get(url, other, status=404)
        self.assertEqual([], self.get('/v1/clusters', other).json['clusters'])
        self.get(f'/v1/clusters?marker={cluster.uuid}', other, status=404)
        self.patch(url, [{'op': 'replace', 'path': '/node_count', 'value': 2}], other, 404)
        self.delete(url, other, status=404)
        self.post(f'{url}/actions/resize', {'node_count': 2}, other, 404)
        self.post(f'{url}/actions/upgrade', {'cluster_template': 'x'}, other, 404)
        self.get(f'{url}/nodegroups', other, status=404)
        self.get(f'{url}/nodegroups/test-worker', other, status=404)
        self.post(f'{url}/nodegroups', {'name': 'n'}, other, 404)
        self.patch(f'{url}/nodegroups/test-worker', [], other, 404)
        self.delete(f'{url}/nodegroups/test-worker', other, status=404)
        self.assertEqual([], self.conductor.messages)

    def test_the_administrators_own_cluster_comes_first(self):
        self.make_cluster(uuid=None, name='same')
        own = self.make_cluster(uuid=None, name='same', project_id='admin_project')
        self.assertEqual(own.uuid, self.get('/v1/clusters/same', self.as_admin()).json['uuid'])

    def test_labels_are_strings_whatever_is_stored(self):
        cluster = self.make_cluster(nodegroups=False, labels={'n': '1'})
        self.dbapi.update_cluster(cluster.id, {'labels': {'n': 1, 'b': True}})
        for shown in (self.get(f'/v1/clusters/{cluster.uuid}').json,
                      self.get('/v1/clusters').json['clusters'][0]):
            self.assertEqual({'n': '1', 'b': 'True'}, shown['labels'])


class TestCreateCluster(cluster_base.ClusterTest):

    def setUp(self):
        super().setUp()
        self.template = self.make_template(labels={'a': '1', 'b': '2'})

    def create(self, status=202, headers=None, **body):
        body.setdefault('cluster_template_id', self.template.uuid)
        return self.post('/v1/clusters', body, headers, status=status)

    def stored(self, response):
        return objects.Cluster.get_by_uuid(self.context, response.json['uuid'])

    def refused(self, status=400, headers=None, **body):
        text = self.detail(self.create('*', headers, **body), status)
        self.assertEqual([], objects.Cluster.list(self.context))
        self.assertEqual([], self.conductor.messages)
        return text

    def test_the_cluster_and_its_nodegroups_exist_when_it_is_answered(self):
        response = self.create(name='c1', node_count=2, master_count=1)
        self.assertEqual({'uuid'}, set(response.json))
        shown = self.get('/v1/clusters/c1').json
        self.assertEqual(('CREATE_IN_PROGRESS', 2, 1),
                         (shown['status'], shown['node_count'], shown['master_count']))
        self.assertEqual(['default-master', 'default-worker'], sorted(
            group['name'] for group in self.get('/v1/clusters/c1/nodegroups').json['nodegroups']))
        [(name, arguments, _kwargs)] = self.conductor.messages
        self.assertEqual('cluster_create_async', name)
        self.assertEqual((response.json['uuid'], 1, 2, 60),
                         (arguments[0].uuid, *arguments[1:]))

    def test_what_is_not_given_comes_from_the_template(self):
        cluster = self.stored(self.create())
        for name in ('flavor_id', 'master_flavor_id', 'docker_volume_size', 'fixed_network',
                     'fixed_subnet', 'floating_ip_enabled', 'master_lb_enabled', 'labels'):
            self.assertEqual(getattr(self.template, name), getattr(cluster, name), name)
        self.assertEqual('keypair1', cluster.keypair)
        self.assertEqual(self.template.uuid, cluster.cluster_template_id)
        self.assertEqual(('fake_project', 'fake_user'), (cluster.project_id, cluster.user_id))
        self.assertRegex(cluster.name, '^[a-z]+-[0-9]+-cluster$')
        self.assertEqual((1, 1, 60),
                         (cluster.node_count, cluster.master_count, cluster.create_timeout))

    def test_null_is_as_good_as_nothing(self):
        cluster = self.stored(self.create(
            name=None, keypair=None, node_count=None, master_count=None, docker_volume_size=None,
            labels=None, master_flavor_id=None, flavor_id=None, fixed_network=None,
            fixed_subnet=None, floating_ip_enabled=None, merge_labels=None,
            master_lb_enabled=None, discovery_url=None, create_timeout=None))
        self.assertEqual((1, 1, 'm1.small', {'a': '1', 'b': '2'}, None), (
            cluster.node_count, cluster.master_count, cluster.flavor_id, cluster.labels,
            cluster.create_timeout))

    def test_own_labels_replace_those_of_the_template_or_are_merged(self):
        cluster = self.stored(self.create(labels={'b': 3, 'c': True}))
        self.assertEqual({'b': '3', 'c': 'True'}, cluster.labels)
        cluster = self.stored(self.create(labels={'b': 3}, merge_labels=True))
        self.assertEqual({'a': '1', 'b': '3'}, cluster.labels)
        self.assertEqual({}, self.stored(self.create(labels={})).labels)

    def test_server_owned_fields_are_ignored(self):
        uuid = '5d12f6fd-a196-4bf0-ae4c-1f639a523a52'
        cluster = self.stored(self.post('/v1/clusters', {
            'cluster_template_id': self.template.uuid, 'uuid': uuid,
            'status': 'CREATE_COMPLETE', 'status_reason': 'fine', 'health_status': 'HEALTHY',
            'health_status_reason': {'api': 'ok'}, 'discovery_url': 'http://192.0.2.1/',
            'faults': {'a': 'b'}}))
        self.assertNotEqual(uuid, cluster.uuid)
        self.assertEqual(('CREATE_IN_PROGRESS', None, None, {}, None), (
            cluster.status, cluster.status_reason, cluster.health_status,
            cluster.health_status_reason, cluster.discovery_url))

    def test_template_by_name_or_missing(self):
        self.create(cluster_template_id=self.template.name)
        text = self.detail(self.create('*', cluster_template_id='none'), 404)
        self.assertEqual('ClusterTemplate none could not be found.', text)
        old = self.headers(version='container-infra 1.9')
        self.assertEqual(text, self.detail(self.create('*', old, cluster_template_id='none')))
        self.assertIn('Mandatory field missing',
                      self.detail(self.post('/v1/clusters', {'name': 'x'})))
        self.assertIn('Mandatory field missing',
                      self.detail(self.create('*', cluster_template_id=None)))

    def test_a_template_whose_name_is_a_number(self):
        numbered = self.make_template(uuid=None, name='2024')
        self.assertEqual(numbered.uuid, self.stored(
            self.create(cluster_template_id='2024')).cluster_template_id)
        self.assertEqual(self.template.uuid, self.stored(
            self.create(cluster_template_id=str(self.template.id))).cluster_template_id)

    def test_the_cloud_is_asked_ahead(self):
        self.create(flavor_id='m1.zero', labels={'boot_volume_size': 1})
        self.assertEqual(('ahead', 'ubuntu', 'm1.zero'), self.cloud.questions[0])

    def test_zero_workers_came_with_1_10(self):
        self.assertIn('Resizing a nodegroup to zero', self.refused(
            headers=self.headers(version='container-infra 1.9'), node_count=0))
        self.create(node_count=0)

    def test_numbers_beyond_the_column(self):
        for name in ('node_count', 'master_count', 'docker_volume_size', 'create_timeout'):
            for value in (2 ** 31, 2 ** 70, -1, 1.5, 'many', [1], {}):
                self.assertIn(name, self.refused(**{name: value}), value)

    def test_master_count_is_the_drivers_to_judge(self):
        self.assertIn('cannot be an even number', self.refused(master_count=2))
        self.template.master_lb_enabled = False
        self.template.save()
        self.assertEqual('master_count must be 1 when master_lb_enabled is False',
                         self.refused(master_count=3))

    def test_names(self):
        for name in ('1bad', 'has space', '', 'a\n', 'a/b', 'detail', 'actions', 'nodegroups',
                     'abcdef01-2345-4678-9abc-def012345678', 'abcdef01234546789abcdef012345678',
                     'x' * 243, 5, 'caf\u00e9'):
            self.assertIn('name', self.refused(name=name), repr(name))
        self.create(name='x' * 242)

    def test_labels_that_cannot_be_stored(self):
        for labels in ({'a': None}, {'a': {}}, {'a': []}, ['a'], 'a', {'': 'x'},
                       {'k' * 256: 'x'}, {'a\n': 'x'}, {'a': 'x' * 16385},
                       {str(n): 'x' for n in range(513)},
                       {str(n): 'x' * 8000 for n in range(9)}):
            self.assertIn('labels', self.refused(labels=labels), str(labels)[:80])

    def test_labels_with_a_meaning(self):
        for name in ('boot_volume_size', 'min_node_count', 'max_node_count'):
            for value in ('abc', '', '-5', '1.5', '99999999999', '\u0663'):
                self.assertIn(name, self.refused(labels={name: value}), value)
        self.assertIn('min_node_count', self.refused(
            labels={'min_node_count': 3, 'max_node_count': 2}))

    def test_bounds_of_the_workers_come_from_labels(self):
        response = self.create(labels={'min_node_count': '1', 'max_node_count': 3})
        worker = self.stored(response).default_ng_worker
        self.assertEqual((1, 3), (worker.min_node_count, worker.max_node_count))

    def test_flavors_and_root_volume(self):
        self.assertIn('Unable to find flavor none', self.refused(flavor_id='none'))
        self.assertIn('zero root volume', self.refused(flavor_id='m1.zero'))
        self.create(flavor_id='m1.zero', labels={'boot_volume_size': 10})
        self.assertIn(('root volume', 'm1.zero', 10), self.cloud.questions)

    def test_a_cluster_without_any_flavor(self):
        self.template.flavor_id = self.template.master_flavor_id = None
        self.template.save()
        self.assertIn('flavor_id', self.refused())

    def test_own_keypair_must_exist(self):
        self.assertEqual('Unable to find keypair none.', self.refused(404, keypair='none'))

    def test_a_keypair_of_the_templates_owner_is_not_inherited(self):
        self.template.public = True
        self.template.save()
        self.cloud.keypairs.clear()
        response = self.create(headers=self.as_other())
        self.assertIsNone(objects.Cluster.get_by_uuid(
            self.admin_context, response.json['uuid']).keypair)
        self.assertEqual('Unable to find keypair keypair1.', self.detail(self.create('*'), 404))

    def test_quota(self):
        self.config('quotas', max_clusters_per_project=1)
        self.create()
        self.assertEqual(
            'Resource limit exceeded: You have reached the maximum clusters per project, 1. You '
            'may delete a cluster to make room for a new one.', self.detail(self.create('*'), 403))
        self.assertEqual(1, len(self.conductor.messages))

    def test_a_hidden_template_is_for_administrators(self):
        self.template.hidden = True
        self.template.save()
        self.assertEqual('Not authorized.', self.refused(403))
        self.create(headers=self.as_admin(project='fake_project'))

    def test_a_reader_may_not(self):
        self.assertIn('cluster:create', self.refused(403, self.headers(roles='reader')))

    def test_docker_volume_for_devicemapper(self):
        self.template.docker_storage_driver = 'devicemapper'
        self.template.save()
        self.assertEqual('docker volume size 2 GB is not valid, expecting minimum value 3GB for '
                         'devicemapper storage driver.', self.refused(docker_volume_size=2))
        self.create(docker_volume_size=3)

    def test_the_driver_stored_on_the_template_is_the_one_asked(self):
        self.config('drivers', disabled_drivers=['fake'])
        self.assertIn('Cluster driver (fake) not supported', self.refused())
        self.config('drivers', disabled_drivers=['other'])
        self.create()

    def test_a_beta_driver_must_be_enabled(self):
        self._replace(cluster_base.FakeDriver, 'beta', True)
        self.assertIn('beta driver', self.refused())
        self.config('drivers', enabled_beta_drivers=['fake'])
        self.create()

    def test_a_broker_that_is_down_changes_nothing(self):
        self.conductor.error = oslo_messaging.MessageDeliveryFailure()
        self.detail(self.create('*'), 503)
        self.assertEqual([], objects.Cluster.list(self.context))

    def test_bodies_that_are_no_objects(self):
        for raw in ('null', '[]', '"x"', '5', '{', '[1', ''):
            self.detail(self.post('/v1/clusters', raw=raw))

    def test_unknown_attributes(self):
        self.assertEqual('Unknown attribute for argument cluster: unknown_field',
                         self.refused(unknown_field=1))
        self.assertIn('Cannot set read only field', self.refused(stack_id='x'))


class TestPatchCluster(cluster_base.ClusterTest):

    def setUp(self):
        super().setUp()
        self.cluster = self.make_cluster()
        self.url = f'/v1/clusters/{self.cluster.uuid}'

    def change(self, path, value=None, op='replace', status=202, url=None, **kwargs):
        operation = {'op': op, 'path': path}
        if op != 'remove':
            operation['value'] = value
        return self.patch(url or self.url, [operation], status=status, **kwargs)

    def refused(self, path, value=None, op='replace', status=400, **kwargs):
        text = self.detail(self.change(path, value, op, status='*', **kwargs), status)
        self.assertEqual([], self.conductor.messages)
        return text

    def worker(self):
        return objects.Cluster.get_by_uuid(self.context, self.cluster.uuid).default_ng_worker

    def test_a_new_size_shows_at_once(self):
        self.assertEqual({'uuid': self.cluster.uuid}, self.change('/node_count', 4).json)
        shown = self.get(self.url).json
        self.assertEqual(('UPDATE_IN_PROGRESS', 4), (shown['status'], shown['node_count']))
        self.assertEqual(['cluster_update_async'], self.conductor.names)
        self.assertEqual(4, self.conductor.messages[0][1][1])
        self.assertIs(False, self.conductor.messages[0][1][4])

    def test_rollback_came_with_1_3(self):
        self.change('/node_count', 4, url=f'{self.url}/?rollback=True',
                    headers=self.headers(version='container-infra 1.3'))
        self.assertIs(True, self.conductor.messages[0][1][4])
        self.assertEqual('Unknown argument: "rollback"', self.detail(self.change(
            '/node_count', 5, url=f'{self.url}?rollback=True', status='*',
            headers=self.headers(version='container-infra 1.2'))))

    def test_saying_what_is_stored_changes_nothing(self):
        self.cluster.status = 'CREATE_IN_PROGRESS'
        self.cluster.save()
        for path, value in (('/name', self.cluster.name), ('/node_count', 3),
                            ('/master_count', 1), ('/labels', {})):
            self.change(path, value)
        self.assertEqual([], self.conductor.messages)
        self.patch(self.url, [], status=202)

    def test_other_properties_are_frozen(self):
        for path, value, name in (('/name', 'other', 'name'), ('/master_count', 3, 'master_count'),
                                  ('/labels', {'a': 'b'}, 'labels'), ('/keypair', 'k', 'keypair')):
            self.assertEqual(f'cannot change cluster property(ies) {name}.',
                             self.refused(path, value))
        self.assertEqual('cannot change cluster property(ies) labels.',
                         self.refused('/labels', op='remove'))
        for path in ('/uuid', '/api_address', '/stack_id', '/ca_cert_ref', '/links'):
            self.assertEqual(f"'{path}' is an internal attribute and can not be updated",
                             self.refused(path, 'x'))

    def test_removed_node_count_means_one(self):
        self.change('/node_count', op='remove')
        self.assertEqual(1, self.worker().node_count)

    def test_bounds_hold(self):
        worker = self.worker()
        worker.max_node_count = 3
        worker.save()
        self.assertEqual('Resizing test-worker outside the allowed range: min_node_count = 1, '
                         'max_node_count = 3', self.refused('/node_count', 9))
        self.refused('/node_count', 0)
        self.assertEqual(3, self.worker().node_count)

    def test_zero_came_with_1_10(self):
        worker = self.worker()
        worker.min_node_count = 0
        worker.save()
        self.assertIn('Resizing a nodegroup to zero', self.refused(
            '/node_count', 0, headers=self.headers(version='container-infra 1.9')))
        self.change('/node_count', 0)

    def test_sizes_that_are_none(self):
        for value in (-1, 2 ** 31, '4', [1], True):
            text = self.refused('/node_count', value)
            self.assertNotIn('not supported between', text)

    def test_only_the_default_workers_are_resized(self):
        obj_utils.create_test_nodegroup(self.context, cluster_id=self.cluster.uuid,
                                        uuid=uuidutils.generate_uuid(),
                                        is_default=False, node_count=5)
        self.assertEqual(8, self.get(self.url).json['node_count'])
        self.change('/health_status', 'HEALTHY')
        self.assertEqual(3, self.worker().node_count)
        self.assertEqual([], self.conductor.messages)

    def test_a_status_that_forbids_it(self):
        for status in ('CREATE_IN_PROGRESS', 'CREATE_FAILED', 'DELETE_IN_PROGRESS'):
            self.cluster.status = status
            self.cluster.save()
            self.assertEqual(f'Updating a cluster when status is "{status}" is not supported.',
                             self.refused('/node_count', 2, status=409))
        self.assertEqual(3, self.worker().node_count)

    def test_health_is_stored_in_any_status(self):
        for status in ('UPDATE_IN_PROGRESS', 'UPDATE_FAILED', 'DELETE_FAILED'):
            self.cluster.status = status
            self.cluster.save()
            self.patch(self.url, [
                {'op': 'replace', 'path': '/health_status', 'value': 'UNHEALTHY'},
                {'op': 'replace', 'path': '/health_status_reason',
                 'value': "{'api': '%s', 'node-1.Ready': 'False'}" % status}], status=202)
            shown = self.get(self.url).json
            self.assertEqual((status, 'UNHEALTHY', {'api': status, 'node-1.Ready': 'False'}), (
                shown['status'], shown['health_status'], shown['health_status_reason']))
        self.assertEqual([], self.conductor.messages)
        self.assertEqual([], self.cloud.questions)

    def test_a_health_report_leaves_the_rest_of_it(self):
        self.change('/health_status_reason', "{'api': 'ok'}")
        self.change('/health_status', 'HEALTHY')
        shown = self.get(self.url).json
        self.assertEqual(('HEALTHY', {'api': 'ok'}),
                         (shown['health_status'], shown['health_status_reason']))
        self.change('/health_status', op='remove')
        self.assertIsNone(self.get(self.url).json['health_status'])
        self.refused('/health_status', 'SICK')

    def test_reasons_of_a_health_report_are_a_text(self):
        self.assertIn("Wrong type. Expected '(<class 'str'>, <class 'int'>)'",
                      self.refused('/health_status_reason', {'api': 'down'}))

    def test_bodies_that_are_no_patch(self):
        for raw in ('null', '[null]', '["x"]', '{}', '""', '', '[{}]', '[{"op": "add"}]'):
            self.detail(self.patch(self.url, raw=raw))

    def test_who_may(self):
        self.assertIn('cluster:update', self.refused(
            '/node_count', 2, status=403, headers=self.headers(roles='reader')))
        self.change('/node_count', 2, headers=self.as_admin())

    def test_a_cluster_that_does_not_exist(self):
        self.assertEqual('Cluster none could not be found.', self.refused(
            '/name', 'x', status=404, url='/v1/clusters/none'))


class TestDeleteCluster(cluster_base.ClusterTest):

    def setUp(self):
        super().setUp()
        self.cluster = self.make_cluster()
        self.url = f'/v1/clusters/{self.cluster.uuid}'

    def test_the_deletion_shows_at_once_and_is_asked_for_once(self):
        self.assertEqual(b'', self.delete(self.url).body)
        self.assertEqual('DELETE_IN_PROGRESS', self.get(self.url).json['status'])
        self.delete(self.url)
        self.assertEqual([('cluster_delete_async', (self.cluster.uuid,), {})],
                         self.conductor.messages)

    def test_it_is_possible_in_any_status_and_wins(self):
        for status in objects.fields.ClusterStatus.ALL:
            if status in ('DELETE_IN_PROGRESS', 'DELETE_COMPLETE'):
                continue
            self.cluster.status = status
            self.cluster.save()
            self.delete(self.url)
            self.assertEqual('DELETE_IN_PROGRESS', self.get(self.url).json['status'])
        self.assertEqual(409, self.post(f'{self.url}/actions/resize',
                                        {'node_count': 2}).status_int)

    def test_by_name(self):
        self.delete(f'/v1/clusters/{self.cluster.name}')
        self.assertEqual('Cluster none could not be found.',
                         self.detail(self.delete('/v1/clusters/none', status='*'), 404))

    def test_an_ambiguous_name(self):
        self.make_cluster(uuid=None)
        self.assertEqual('Multiple clusters exist with same name. Please use the cluster uuid '
                         'instead.', self.detail(self.delete('/v1/clusters/cluster1', status='*'),
                                                 409))

    def test_the_cluster_of_a_hidden_or_missing_template(self):
        self.cluster.cluster_template_id = '5d12f6fd-a196-4bf0-ae4c-000000000000'
        self.cluster.save()
        self.delete(self.url)
        self.assertEqual(['cluster_delete_async'], self.conductor.names)

    def test_an_administrator_deletes_the_clusters_of_others(self):
        self.delete(self.url, self.as_admin())

    def test_force_removes_the_record_and_tells_what_is_left(self):
        self.cluster.status = 'DELETE_FAILED'
        self.cluster.save()
        answer = self.delete(f'{self.url}?force=true', self.as_admin(), status=200).json
        self.assertEqual(self.cluster.uuid, answer['uuid'])
        self.assertTrue(answer['left'])
        self.get(self.url, status=404)
        self.assertEqual([], self.conductor.messages)

    def test_force_is_for_administrators(self):
        text = self.detail(self.delete(f'{self.url}?force=true', status='*'), 403)
        self.assertIn('cluster:force_delete', text)
        self.get(self.url)
        self.assertEqual(400, self.delete(f'{self.url}?force=perhaps', status='*').status_int)

    def test_an_operator_may_keep_administrators_to_their_project(self):
        self.get(self.url)      # the default rules are loaded with the first request
        self.policy.set_rules({'cluster:delete_all_projects': '!'})
        self.delete(self.url, self.as_admin(), status=403)
