# SPDX-License-Identifier: Apache-2.0

from magnum_ng.tests.unit.api import base

BOTH = 'http://localhost/v1/%s', 'http://localhost/%s'
VERSION_HEADERS = ('OpenStack-API-Version', 'OpenStack-API-Minimum-Version',
                   'OpenStack-API-Maximum-Version')


class TestDocuments(base.FunctionalTest):
    def test_root_names_the_versions(self):
        response = self.get('/', headers={})
        self.assertEqual({
            'name': 'OpenStack Magnum API',
            'description': 'Magnum is an OpenStack project which aims to provide container '
                           'cluster management.',
            'versions': [{'id': 'v1', 'status': 'CURRENT', 'max_version': '1.14',
                          'min_version': '1.1',
                          'links': [{'href': 'http://localhost/v1/', 'rel': 'self'}]}],
        }, response.json)
        self.assertEqual('application/json', response.headers['Content-Type'])
        for name in VERSION_HEADERS:
            self.assertNotIn(name, response.headers)

    def test_v1_names_the_resources(self):
        document = self.get('/v1', headers={}).json
        self.assertEqual(['id', 'media_types', 'links', 'clustertemplates', 'clusters', 'quotas',
                          'certificates', 'mservices', 'stats', 'federations', 'nodegroups',
                          'credentials'], list(document))
        self.assertEqual([
            {'href': 'http://localhost/v1/clusters/', 'rel': 'self'},
            {'href': 'http://localhost/clusters/', 'rel': 'bookmark'}], document['clusters'])
        self.assertEqual('http://localhost/v1/clusters/{cluster_id}/nodegroups',
                         document['nodegroups'][0]['href'])
        self.assertEqual('text/html', document['links'][1]['type'])

    def test_v1_answers_with_and_without_a_slash(self):
        self.assertEqual(self.get('/v1', headers={}).body, self.get('/v1/', headers={}).body)

    def test_links_are_below_the_prefix_that_the_service_is_mounted_at(self):
        response = self.app.get('/v1', extra_environ={'SCRIPT_NAME': '/container-infra'})
        self.assertEqual('http://localhost/container-infra/v1/stats/',
                         response.json['stats'][0]['href'])

    def test_every_answer_has_a_request_id(self):
        for path in ('/', '/v1', '/v1/nothing'):
            response = self.app.get(path, status='*')
            self.assertRegex(response.headers['x-openstack-request-id'], '^req-')


class TestRouting(base.FunctionalTest):
    def test_a_path_without_version_means_v1(self):
        self.assertEqual({'quotas': []}, self.get('/quotas', self.as_admin()).json)

    def test_an_unknown_resource_is_not_found(self):
        error = self.error(self.get('/v1/nothing', status=404))
        self.assertEqual((404, '', 'There is nothing at this address'),
                         (error['status'], error['code'], error['title']))
        self.assertRegex(error['request_id'], '^req-')

    def test_there_is_no_json_suffix(self):
        self.get('/v1.json', status=404)
        self.get('/.json', status=404)
        for collection in ('clusters', 'clustertemplates', 'mservices'):
            self.get(f'/v1/{collection}.json', self.as_admin(), status=404)
        self.get('/v1/clusters/name/nodegroups.json', status=404)
        # At the end of a name it is a part of it.
        for path, text in (('clusters/name.json', 'Cluster name.json'),
                           ('clustertemplates/name.json', 'ClusterTemplate name.json'),
                           ('clusters/detail.json', 'Cluster detail.json')):
            error = self.error(self.get(f'/v1/{path}', status=404))
            self.assertEqual(f'{text} could not be found.', error['detail'])

    def test_a_slash_at_the_end_changes_nothing(self):
        for path in ('clusters', 'clusters/detail', 'clustertemplates', 'federations', 'stats'):
            self.assertEqual(self.get(f'/v1/{path}').json, self.get(f'/v1/{path}/').json)
        for path in ('mservices', 'quotas'):
            self.assertEqual(self.get(f'/v1/{path}', self.as_admin()).json,
                             self.get(f'/v1/{path}/', self.as_admin()).json)
        self.get('/v1/clusters/name/', status=404)

    def test_a_method_that_nothing_takes_is_405_and_names_the_others(self):
        response = self.send('PUT', '/v1/quotas', {}, status=405)
        self.assertEqual('DELETE, GET, PATCH, POST', response.headers['Allow'])
        self.assertEqual('The address does not take this method', self.error(response)['title'])
        self.send('OPTIONS', '/', status=405)

    def test_head_is_405_without_a_body(self):
        response = self.app.head('/v1/quotas', status=405)
        self.assertEqual(b'', response.body)

    def test_a_nul_in_the_path_is_not_found(self):
        self.get('/v1/quotas/%00/Cluster', status=404)

    def test_a_path_that_is_not_utf8_is_refused(self):
        response = self.app.get('/v1/quotas/%ff/Cluster', status=400)
        self.assertEqual('The address is not UTF-8', self.error(response)['title'])

    def test_answers_are_json_whatever_else_is_accepted(self):
        for accept in ('*/*', '', 'application/json', 'text/html,*/*;q=0.1', 'application/*'):
            self.get('/v1', headers={'Accept': accept})
        for accept in ('text/html', 'application/xml'):
            response = self.get('/v1', headers={'Accept': accept}, status=406)
            self.assertIn('form that the request accepts', self.error(response)['title'])


class TestVersions(base.FunctionalTest):
    def used(self, header, status=200):
        response = self.get('/v1', headers={'OpenStack-API-Version': header}, status=status)
        return response.headers.get('OpenStack-API-Version')

    def test_the_first_version_is_the_default(self):
        response = self.get('/v1', headers={})
        self.assertEqual('container-infrastructure-management 1.1',
                         response.headers['OpenStack-API-Version'])
        self.assertEqual('container-infrastructure-management 1.1',
                         response.headers['OpenStack-API-Minimum-Version'])
        self.assertEqual('container-infrastructure-management 1.14',
                         response.headers['OpenStack-API-Maximum-Version'])
        self.assertEqual('OpenStack-API-Version', response.headers['Vary'])

    def test_errors_have_the_headers_as_well(self):
        cluster = '/v1/clusters/5d12f6fd-a196-4bf0-ae4c-1f639a523a52'
        for status, method, path, more in (
                (404, 'GET', cluster, {}), (400, 'GET', '/v1/clusters?colour=red', {}),
                (403, 'GET', '/v1/quotas', {}),
                (415, 'POST', '/v1/clusters', {'Content-Type': 'text/csv'})):
            response = self.send(method, path, raw=b'{}' if method == 'POST' else None,
                                 headers=self.headers(version='container-infra 1.8', **more))
            self.assertEqual(status, response.status_int, response.text)
            self.assertEqual(('container-infrastructure-management 1.8',
                              'container-infrastructure-management 1.1',
                              'container-infrastructure-management 1.14'),
                             tuple(response.headers[f'OpenStack-API-{name}'] for name in (
                                 'Version', 'Minimum-Version', 'Maximum-Version')), path)
            error = self.error(response)
            self.assertEqual(response.headers['X-OpenStack-Request-ID'], error['request_id'])
            self.assertTrue(error['title'], path)
            self.assertTrue(error['detail'], path)

    def test_what_no_operation_answers_names_no_version_as_ever(self):
        cluster = '/v1/clusters/5d12f6fd-a196-4bf0-ae4c-1f639a523a52'
        for status, method, path in ((404, 'GET', '/v1/nothing'), (405, 'PUT', '/v1/quotas'),
                                     (406, 'GET', cluster + '/nodegroups')):
            response = self.send(method, path,
                                 headers=self.headers(version='container-infra 1.8'))
            self.assertEqual(status, response.status_int, response.text)
            self.assertNotIn('OpenStack-API-Version', response.headers)
            error = self.error(response)
            self.assertEqual(response.headers['X-OpenStack-Request-ID'], error['request_id'])
            self.assertTrue(error['title'] and error['detail'], path)

    def test_all_names_of_the_service_are_known(self):
        for name in ('container-infra', 'container-infrastructure',
                     'container-infrastructure-management'):
            self.assertEqual('container-infrastructure-management 1.7', self.used(f'{name} 1.7'))

    def test_latest_and_sloppy_versions(self):
        for header, version in (('container-infra LATEST', '1.14'), ('anything latest', '1.14'),
                                ('container-infra   1.05', '1.5')):
            self.assertEqual(f'container-infrastructure-management {version}', self.used(header))

    def test_of_several_services_ours_counts(self):
        for header in ('container-infra 1.5, compute 2.1', 'compute 2.1,container-infra 1.5',
                       'compute latest, container-infra 1.5'):
            self.assertEqual('container-infrastructure-management 1.5', self.used(header))

    def test_a_version_out_of_range_is_refused_with_the_range(self):
        for version in ('1.0', '1.15', '2.0', '0.0'):
            header = f'container-infra {version}'
            response = self.get('/v1/clusters', headers={'OpenStack-API-Version': header},
                                status=406)
            self.assertEqual([{
                'max_version': '1.14', 'min_version': '1.1',
                'code': 'magnum.microversion-unsupported',
                'links': [{'rel': 'help', 'href': 'http://docs.openstack.org/api-guide/compute/'
                                                  'microversions.html'}],
                'title': 'Requested microversion is unsupported'}], response.json['errors'])
            self.assertEqual(f'container-infrastructure-management {version}',
                             response.headers['OpenStack-API-Version'])
            self.assertEqual('application/json', response.headers['Content-Type'])

    def test_who_asks_for_json_reads_about_the_version_too(self):
        headers = {'OpenStack-API-Version': 'container-infra 1.99', 'Accept': 'application/json'}
        error, = self.get('/v1/clusters', headers=headers, status=406).json['errors']
        self.assertEqual(
            'Version 1.99 was requested but the minor version is not supported by this service. '
            'The supported version range is: [container-infrastructure-management 1.1, '
            'container-infrastructure-management 1.14].', error['description'])

    def test_a_header_that_cannot_be_read_is_refused_with_a_text(self):
        for header in ('container-infra', 'container-infra 1', 'container-infra one.two',
                       'compute 2.1', 'Container-Infra 1.5', '1.5', 'a b c', ',', ' ',
                       'compute 2.1, identity 3.0', 'container-infra 1.' + '9' * 5000):
            response = self.get('/v1', headers={'OpenStack-API-Version': header}, status=406)
            self.assertRegex(self.error(response)['title'],
                             '^Invalid (service type|value) for OpenStack-API-Version header')
            self.assertNotIn('OpenStack-API-Version', response.headers)

    def test_an_operation_that_the_version_lacks_is_refused_with_a_text(self):
        response = self.patch('/v1/credentials/none', {}, status=406, headers=self.headers(
            version='container-infra 1.11'))
        self.assertEqual('Version 1.11 was requested but the requested API patch is not supported '
                         'for this version.', self.error(response)['detail'])
