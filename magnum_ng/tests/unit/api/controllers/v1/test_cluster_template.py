# SPDX-License-Identifier: Apache-2.0

import logging

import fixtures

from magnum_ng import objects
from magnum_ng.tests.unit.api import cluster_base

ATTRIBUTES = {
    'apiserver_port', 'cluster_distro', 'coe', 'created_at', 'dns_nameserver',
    'docker_storage_driver', 'docker_volume_size', 'driver', 'external_network_id',
    'fixed_network', 'fixed_subnet', 'flavor_id', 'floating_ip_enabled', 'hidden', 'http_proxy',
    'https_proxy', 'image_id', 'insecure_registry', 'keypair_id', 'labels', 'links',
    'master_flavor_id', 'master_lb_enabled', 'name', 'network_driver', 'no_proxy', 'project_id',
    'public', 'registry_enabled', 'server_type', 'tags', 'tls_disabled', 'updated_at', 'user_id',
    'uuid', 'volume_driver'}


class TestReadTemplates(cluster_base.ClusterTest):

    def test_all_reads_show_everything(self):
        template = self.make_template()
        shown = self.get(f'/v1/clustertemplates/{template.uuid}').json
        self.assertEqual(ATTRIBUTES, set(shown))
        for path in ('/v1/clustertemplates', '/v1/clustertemplates/detail'):
            self.assertEqual([shown], self.get(path).json['clustertemplates'])
        self.assertRegex(shown['created_at'], r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$')
        self.assertIsNone(shown['updated_at'])
        self.assertEqual(f'http://localhost/v1/clustertemplates/{template.uuid}',
                         shown['links'][0]['href'])

    def test_a_list_costs_one_statement(self):
        for count in range(1, 4):
            self.make_template(uuid=None)
            answer, statements = self.database.count_statements(
                self.get, '/v1/clustertemplates')
            self.assertEqual(count, len(answer.json['clustertemplates']))
            self.assertEqual(1, len(statements), statements)

    def test_who_sees_which(self):
        private = self.make_template(uuid=None, name='private')
        public = self.make_template(uuid=None, name='public', public=True)
        hidden = self.make_template(uuid=None, name='hidden', public=True, hidden=True)
        for headers, names in ((self.headers(), 'private public hidden'),
                               (self.as_other(), 'public'),
                               (self.as_admin(), 'private public hidden')):
            seen = self.get('/v1/clustertemplates', headers).json['clustertemplates']
            self.assertEqual(names.split(), [template['name'] for template in seen])
            for template in (private, public, hidden):
                self.get(f'/v1/clustertemplates/{template.uuid}', headers,
                         200 if template.name in names else 404)

    def test_a_public_template_keeps_its_owners_secrets(self):
        template = self.make_template(
            public=True, http_proxy='http://user:pa@ss@proxy:3128/',
            https_proxy='http://proxy:3128')

        def shown(headers):
            one = self.get(f'/v1/clustertemplates/{template.uuid}', headers).json
            self.assertEqual([one],
                             self.get('/v1/clustertemplates', headers).json['clustertemplates'])
            return one['keypair_id'], one['http_proxy'], one['https_proxy']

        self.assertEqual((None, 'http://***@proxy:3128/', 'http://proxy:3128'),
                         shown(self.as_other()))
        for headers in (self.headers(), self.as_admin()):
            self.assertEqual(('keypair1', template.http_proxy, 'http://proxy:3128'),
                             shown(headers))

    def test_filters_and_pages(self):
        for name in 'abc':
            self.make_template(uuid=None, name=name)
        page = self.get('/v1/clustertemplates?limit=2&sort_key=name&sort_dir=desc').json
        self.assertEqual(['c', 'b'], [template['name'] for template in page['clustertemplates']])
        page = self.get(page['next']).json
        self.assertEqual(['a'], [template['name'] for template in page['clustertemplates']])
        self.assertNotIn('next', page)
        page = self.get('/v1/clustertemplates/detail?name=b').json['clustertemplates']
        self.assertEqual(['b'], [template['name'] for template in page])
        page = self.get('/v1/clustertemplates?project_id=other_project', self.as_admin()).json
        self.assertEqual([], page['clustertemplates'])
        self.get('/v1/clustertemplates?project_id=other_project', status=403)

    def test_bad_queries(self):
        for query, text in (
                ('limit=-1', 'Limit must be positive'), ('limit=0', 'Limit must be positive'),
                ('sort_dir=up', "Invalid sort direction: up. Acceptable values are 'asc' or "
                                "'desc'"),
                ('sort_key=nope', 'The sort_key value "nope" is an invalid field for sorting'),
                ('colour=red', 'Unknown argument: "colour"')):
            self.assertEqual(text, self.detail(self.get(f'/v1/clustertemplates?{query}',
                                                        status='*')))
        self.get('/v1/clustertemplates?marker=5d12f6fd-a196-4bf0-ae4c-1f639a523a52', status=404)

    def test_detail_of_one_is_not_found(self):
        template = self.make_template()
        self.get(f'/v1/clustertemplates/{template.uuid}/detail', status=404)

    def test_names(self):
        template = self.make_template()
        self.assertEqual(template.uuid,
                         self.get(f'/v1/clustertemplates/{template.name}').json['uuid'])
        self.make_template(uuid=None)
        self.assertIn('Multiple ClusterTemplates exist with same name', self.detail(
            self.get(f'/v1/clustertemplates/{template.name}', status='*'), 409))
        self.assertEqual('ClusterTemplate none could not be found.', self.detail(
            self.get('/v1/clustertemplates/none', status='*'), 404))


class TestCreateTemplate(cluster_base.ClusterTest):

    def create(self, status=201, headers=None, **body):
        body = {'name': 't1', 'coe': 'kubernetes', 'image_id': 'ubuntu', **body}
        return self.post('/v1/clustertemplates', body, headers, status=status)

    def refused(self, status=400, headers=None, **body):
        text = self.detail(self.create('*', headers, **body), status)
        self.assertEqual([], objects.ClusterTemplate.list(self.admin_context))
        return text

    def test_defaults(self):
        response = self.create()
        shown = response.json
        self.assertEqual(ATTRIBUTES, set(shown))
        self.assertEqual(f'http://localhost/v1/clustertemplates/{shown["uuid"]}',
                         response.headers['Location'])
        expected = {
            'server_type': 'vm', 'network_driver': 'flannel', 'cluster_distro': 'ubuntu',
            'driver': 'fake', 'labels': {}, 'registry_enabled': False, 'tls_disabled': False,
            'public': False, 'hidden': False, 'master_lb_enabled': False,
            'floating_ip_enabled': True, 'flavor_id': None, 'keypair_id': None,
            'project_id': 'fake_project', 'user_id': 'fake_user', 'updated_at': None}
        self.assertEqual(expected, {name: shown[name] for name in expected})
        self.assertEqual(shown, self.get(f'/v1/clustertemplates/{shown["uuid"]}').json)

    def test_null_is_as_good_as_nothing(self):
        names = ATTRIBUTES - {'name', 'coe', 'image_id', 'links', 'created_at', 'updated_at',
                              'project_id', 'user_id'}
        plain, nulls = self.create().json, self.create(**dict.fromkeys(names)).json
        for body in (plain, nulls):
            for name in ('uuid', 'links', 'created_at'):
                body.pop(name)
        self.assertEqual(plain, nulls)

    def test_a_name_is_generated(self):
        for name in (None,):
            self.assertRegex(self.create(name=name).json['name'], '^[a-z]+-[0-9]+-template$')

    def test_names(self):
        for name in ('a/b', 'a\nb', 'a\n', '\x7f', ' ', '', 'detail', '.', '..', 'x' * 256,
                     'abcdef01-2345-4678-9abc-def012345678'):
            self.assertIn('name', self.refused(name=name), repr(name))
        for name in ('a b', 'caf\u00e9', '2024', 'a.b'):
            self.create(name=name)

    def test_texts_of_refusals(self):
        for body, text in (
                ({'coe': None}, 'Requested COE type None is not supported.'),
                ({'coe': 'swarm'}, "Invalid input for field/attribute coe. Value: 'swarm'. Value "
                                   "should be one of: kubernetes"),
                ({'image_id': None}, "Invalid input for field/attribute image_id. Value: 'None'. "
                                     "Mandatory field missing."),
                ({'network_driver': 'weave'},
                 'Network driver type weave is not supported, expecting a '
                 'flannel/calico/cilium/unspecified network driver.'),
                ({'network_driver': 'cilium'},
                 'Network driver type cilium is not allowed, expecting a '
                 'flannel/calico/unspecified network driver. '),
                ({'volume_driver': 'rexray'},
                 'Volume driver type rexray is not supported, expecting a cinder/unspecified '
                 'volume driver.'),
                ({'server_type': 'container'},
                 "Invalid input for field/attribute server_type. Value: 'container'. Value should "
                 "be one of: vm, bm"),
                ({'docker_storage_driver': 'devicemapper', 'docker_volume_size': 2},
                 'docker volume size 2 GB is not valid, expecting minimum value 3GB for '
                 'devicemapper storage driver.'),
                ({'docker_storage_driver': 'devicemapper'},
                 'docker volume size None GB is not valid, expecting minimum value 3GB for '
                 'devicemapper storage driver.'),
                ({'image_id': 'none'}, 'Image none could not be found.'),
                ({'flavor_id': 'none'}, 'Unable to find flavor none.'),
                ({'flavor_id': 'm1.zero'}, 'Flavor with zero root volume size is not supported '
                                           'when boot_volume_size is zero.'),
                ({'driver': 'none'}, 'Cluster driver (none) not supported.'),
                ({'dns_nameserver': 'x'}, 'Expected a single dns address or comma separated dns '
                                          'list, but received x.'),
                ({'nonsense': 1}, 'Unknown attribute for argument cluster_template: nonsense')):
            self.assertEqual(text, self.refused(**body))
        text = self.detail(self.post('/v1/clustertemplates', {'image_id': 'ubuntu'}))
        self.assertEqual('Requested COE type Unset is not supported.', text)

    def test_all_network_drivers_may_be_allowed(self):
        self.config('cluster_template', kubernetes_allowed_network_drivers=['all'])
        self.assertEqual('cilium', self.create(network_driver='cilium').json['network_driver'])

    def test_numbers_beyond_the_column(self):
        for value in (2 ** 31, 2 ** 70, 0, 'abc', 1.5):
            self.assertIn('docker_volume_size', self.refused(docker_volume_size=value))
        for value in (80, 65536):
            self.assertIn('apiserver_port', self.refused(apiserver_port=value))

    def test_labels(self):
        for labels in ({'a': None}, {'boot_volume_size': 'abc'}, {'min_node_count': '-1'}, 'x',
                       {'a': 'x' * 20000}):
            self.assertIn('label', self.refused(labels=labels))
        self.assertEqual({'a': '1', 'b': 'True', 'c': '0.5'},
                         self.create(labels={'a': 1, 'b': True, 'c': 0.5}).json['labels'])

    def test_ipv6_name_servers(self):
        self.assertEqual('2001:db8::1', self.create(
            dns_nameserver='2001:db8::1').json['dns_nameserver'])

    def test_the_driver_comes_from_the_request_the_image_or_the_service(self):
        self.assertEqual('other', self.create(driver='other').json['driver'])
        self.assertEqual('other', self.create(image_id='pinned').json['driver'])
        self.assertEqual('fake', self.create(image_id='pinned', driver='fake').json['driver'])
        self.config('drivers', default_driver='other')
        self.assertEqual('other', self.create().json['driver'])

    def test_a_disabled_driver_is_refused(self):
        self.config('drivers', disabled_drivers=['other'])
        self.assertIn('not supported', self.refused(driver='other'))

    def test_the_distribution_is_that_of_the_image(self):
        self.assertEqual('flatcar', self.create(
            image_id='flatcar', cluster_distro='ubuntu').json['cluster_distro'])

    def test_coreos_is_accepted_with_a_warning(self):
        log = self.useFixture(fixtures.FakeLogger(level=logging.WARNING))
        self.assertEqual('coreos', self.create(image_id='coreos').json['cluster_distro'])
        self.assertIn('coreos', log.output)

    def test_retired_storage_drivers_are_accepted_with_a_warning(self):
        for name in ('devicemapper', 'overlay'):
            log = self.useFixture(fixtures.FakeLogger(level=logging.WARNING))
            with self.assertWarns(DeprecationWarning):
                self.create(docker_storage_driver=name, docker_volume_size=3)
            self.assertIn(f'{name} is deprecated', log.output)

    def test_the_image_is_read_once(self):
        self.create()
        self.assertEqual(1, self.cloud.questions.count(('image', 'ubuntu')))

    def test_publishing_is_for_administrators(self):
        for name in ('public', 'hidden'):
            self.assertEqual('Not authorized to set public or hidden flag for cluster template.',
                             self.refused(403, **{name: True}))
            self.assertIs(True, self.create(headers=self.as_admin(),
                                            **{name: True}).json.get(name))
            objects.ClusterTemplate.list(self.admin_context)[0].destroy()

    def test_a_reader_may_not(self):
        self.assertIn('clustertemplate:create', self.refused(403, self.headers(roles='reader')))

    def test_the_uuid_is_ours_to_choose(self):
        uuid = '5d12f6fd-a196-4bf0-ae4c-1f639a523a52'
        self.assertNotEqual(uuid, self.create(uuid=uuid).json['uuid'])

    def test_bodies_that_are_no_objects(self):
        for raw in ('null', '[]', '"x"', '{', ''):
            self.detail(self.post('/v1/clustertemplates', raw=raw))


class TestPatchTemplate(cluster_base.ClusterTest):

    def setUp(self):
        super().setUp()
        self.template = self.make_template(labels={'a': '1'})
        self.url = f'/v1/clustertemplates/{self.template.uuid}'

    def change(self, path, value=None, op='replace', status=200, **kwargs):
        operation = {'op': op, 'path': path}
        if op != 'remove':
            operation['value'] = value
        return self.patch(self.url, [operation], status=status, **kwargs)

    def refused(self, path, value=None, op='replace', status=400, **kwargs):
        before = self.get(self.url).json
        text = self.detail(self.change(path, value, op, status='*', **kwargs), status)
        self.assertEqual(before, self.get(self.url).json)
        return text

    def test_the_answer_is_the_new_template(self):
        answer = self.change('/name', 'new').json
        self.assertEqual('new', answer['name'])
        self.assertIsNone(answer['updated_at'])
        shown = self.get(self.url).json
        self.assertIsNotNone(shown.pop('updated_at'))
        answer.pop('updated_at')
        self.assertEqual(shown, answer)

    def test_labels_in_every_notation(self):
        for value, labels in (({'b': 2}, {'b': '2'}), ('{"a": true}', {'a': 'True'}),
                              ("{'a':'2'}", {'a': '2'}), ('{}', {})):
            self.assertEqual(labels, self.change('/labels', value).json['labels'])

    def test_single_labels(self):
        self.change('/labels/foo.bar', '1', 'add')
        self.change('/labels/example.com~1x', 2, 'add')
        self.assertEqual({'foo.bar': '1', 'example.com/x': '2'},
                         self.change('/labels/a', op='remove').json['labels'])

    def test_labels_that_are_none(self):
        for value in ('5', '[1]', '{[]:1}', '{{}}', '+'.join(['1'] * 3000), '-' * 60000 + '1', 5,
                      '{"a": null}', {'a': {}}, {'boot_volume_size': 'abc'},
                      {'a': 'x' * 17000}):
            self.assertIn('label', self.refused('/labels', value), str(value)[:80])
        self.assertIn('boot_volume_size', self.refused('/labels/boot_volume_size', 'abc', 'add'))

    def test_a_poisoned_template_can_be_renamed_and_mended(self):
        self.dbapi.update_cluster_template(self.template.id, {'labels': {
            'boot_volume_size': 'abc'}})
        self.change('/name', 'new')
        self.change('/labels/boot_volume_size', '5')

    def test_what_holds_for_new_ones_holds_here(self):
        for path, value, text in (
                ('/driver', 'none', 'Cluster driver (none) not supported.'),
                ('/coe', 'swarm', 'swarm'), ('/docker_volume_size', 'abc', 'docker_volume_size'),
                ('/docker_volume_size', 2 ** 70, 'docker_volume_size'),
                ('/docker_storage_driver', 'devicemapper', None),
                ('/server_type', 'container', 'server_type'), ('/name', 'a/b', 'name'),
                ('/network_driver', 'weave', 'Network driver type weave'),
                ('/volume_driver', 'x', 'Volume driver type x'), ('/flavor_id', 'none', 'none'),
                ('/flavor_id', 'm1.zero', 'zero root volume'), ('/image_id', 'none', 'none'),
                ('/dns_nameserver', 'x', 'dns'), ('/public', 'perhaps', 'perhaps'),
                ('/tags', 'x' * 256, 'tags')):
            if text is None:
                self.template.docker_volume_size, text = 1, 'docker volume size 1 GB'
                self.template.save()
            self.assertIn(text, self.refused(path, value), path)

    def test_distribution_and_driver_follow_the_image(self):
        answer = self.change('/image_id', 'pinned').json
        self.assertEqual(('ubuntu', 'other'), (answer['cluster_distro'], answer['driver']))
        answer = self.change('/image_id', 'flatcar').json
        self.assertEqual(('flatcar', 'other'), (answer['cluster_distro'], answer['driver']))
        self.assertEqual('flatcar',
                         self.change('/cluster_distro', 'whatever').json['cluster_distro'])

    def test_a_driver_that_is_removed_is_chosen_again(self):
        self.config('drivers', default_driver='other')
        self.assertEqual('other', self.change('/driver', op='remove').json['driver'])

    def test_nothing_is_asked_about_what_does_not_change(self):
        self.change('/name', 'new')
        self.change('/tags', 'a,b')
        self.assertEqual([], self.cloud.questions)

    def test_removed_attributes_get_their_defaults_or_null(self):
        for path, value in (('/http_proxy', None), ('/flavor_id', None), ('/keypair_id', None),
                            ('/floating_ip_enabled', True), ('/labels', {}), ('/tags', None)):
            shown = self.change(path, op='remove').json
            self.assertEqual(value, shown[path[1:]], path)
            self.change(path, op='remove')
        self.assertIsNone(self.change('/no_proxy', None).json['no_proxy'])

    def test_what_cannot_be_removed(self):
        for path in ('/image_id', '/coe', '/external_network_id', '/server_type',
                     '/tls_disabled', '/public', '/hidden', '/registry_enabled',
                     '/cluster_distro', '/network_driver', '/name'):
            self.assertEqual(f"'{path}' is a mandatory attribute and can not be removed",
                             self.refused(path, op='remove'))

    def test_internal_attributes(self):
        for path in ('/uuid', '/id', '/links', '/created_at', '/project_id', '/user_id'):
            self.assertEqual(f"'{path}' is an internal attribute and can not be updated",
                             self.refused(path, 'x'))

    def test_additions(self):
        self.assertEqual("The attribute /name has existed, please use 'replace' operation "
                         "instead.", self.refused('/name', 'again', 'add'))
        self.assertEqual('Adding a new attribute /nonsense to the root of the resource is not '
                         'allowed.', self.refused('/nonsense', 1, 'add'))
        self.change('/volume_driver', 'cinder', 'add')

    def test_booleans_as_words(self):
        self.assertIs(True, self.change('/registry_enabled', 'true').json['registry_enabled'])
        self.assertIs(False, self.change('/registry_enabled', 'False').json['registry_enabled'])

    def test_a_template_without_flavors_can_be_changed(self):
        self.template.flavor_id = self.template.master_flavor_id = None
        self.template.save()
        self.change('/name', 'new')

    def test_a_template_in_use(self):
        self.make_cluster(self.template)
        text = f'ClusterTemplate {self.template.uuid} is referenced by one or multiple clusters.'
        self.assertEqual(text, self.refused('/dns_nameserver', '9.9.9.9'))
        self.change('/name', 'new')
        self.change('/name', 'new')
        self.change('/hidden', True, headers=self.as_admin())
        self.assertEqual(text, self.detail(self.delete(self.url, status='*')))

    def test_publishing_is_for_administrators(self):
        for name in ('public', 'hidden'):
            self.assertEqual('Not authorized to set public or hidden flag for cluster template.',
                             self.refused(f'/{name}', True, status=403))
            self.change(f'/{name}', False)
            self.change(f'/{name}', True, headers=self.as_admin())

    def test_who_may(self):
        self.assertIn('clustertemplate:update', self.refused(
            '/name', 'x', status=403, headers=self.headers(roles='reader')))
        self.assertIn('could not be found', self.refused(
            '/name', 'x', status=404, headers=self.as_other()))
        self.change('/name', 'x', headers=self.as_admin())
        self.template.public = True
        self.template.save()
        self.assertIn('clustertemplate:update', self.refused(
            '/name', 'y', status=403, headers=self.as_other()))

    def test_bodies_that_are_no_patch(self):
        for raw in ('null', '[null]', '["x"]', '{"op": "replace"}', '', '5',
                    '[{"path": "/name", "value": "x"}]',
                    '[{"op": "test", "path": "/name", "value": "x"}]',
                    '[{"op": "replace", "path": "name", "value": "x"}]',
                    '[{"op": "move", "from": "/uuid", "path": "/id"}]'):
            self.detail(self.patch(self.url, raw=raw))
        self.patch(self.url, [], status=200)


class TestDeleteTemplate(cluster_base.ClusterTest):

    def test_by_uuid_and_by_name(self):
        first, second = self.make_template(uuid=None), self.make_template(uuid=None, name='b')
        self.delete(f'/v1/clustertemplates/{first.uuid}')
        self.delete(f'/v1/clustertemplates/{second.name}')
        self.assertEqual([], objects.ClusterTemplate.list(self.context))

    def test_who_may(self):
        template = self.make_template(public=True)
        url = f'/v1/clustertemplates/{template.uuid}'
        self.delete(url, self.as_other(), status=403)
        self.delete(url, self.headers(roles='reader'), status=403)
        self.delete(url, self.as_admin())
        self.delete(url, status=404)
