# SPDX-License-Identifier: Apache-2.0
"""An API of the original with a conductor of ours: what an upgrade passes through."""

from magnum_ng.tests.functional.fleet import lives


class Common:

    @classmethod
    def start(cls, fleet):
        fleet.ng.run('magnum-db-manage', 'upgrade')
        fleet.ng.conductor()
        cls.start_api(fleet)

    def test_a_cluster_lives_its_whole_life(self):
        cluster = self.new_cluster()
        self.live(cluster)
        self.delete(cluster)
        self.assertEqual({'ng'}, {line['side'] for line in self.fleet.calls(cluster)})
        for table in ('nodegroup', 'ng_operation', 'ng_cluster_lock', 'ng_cluster_note'):
            column = 'cluster_id' if table == 'nodegroup' else 'cluster_uuid'
            self.assertEqual(0, self.fleet.count(table, f"{column} = '{cluster}'"), table)


class ExecutableTestCase(Common, lives.TestCase):
    """magnum-api of the original asks the conductor for every object."""

    @classmethod
    def start_api(cls, fleet):
        fleet.original.api()

    def test_no_certificate_is_left_behind(self):
        before = self.fleet.count('x509keypair')
        cluster = self.new_cluster()
        self.assertLess(before, self.fleet.count('x509keypair'))
        self.rotate_ca(cluster)
        self.delete(cluster)
        self.assertEqual(before, self.fleet.count('x509keypair'))

    def test_our_conductor_is_among_the_services(self):
        services = self.request('GET', '/v1/mservices', user='admin', status=200)['mservices']
        self.assertEqual([('magnum-conductor', 'up')],
                         [(service['binary'], service['state']) for service in services])

    def test_a_driver_that_fails_is_a_failed_cluster_with_the_reason(self):
        for name in ('fail-create', 'late-create'):
            cluster = self.new_cluster(f'{self.name}-{name}', wait='CREATE_FAILED')
            self.assertIn('the fleet driver was asked to fail',
                          self.cluster(cluster)['status_reason'])

    def test_a_deletion_that_fails_says_so(self):
        cluster = self.new_cluster(f'{self.name}-fail-delete')
        self.request('DELETE', f'/v1/clusters/{cluster}', status=204)
        self.assertIn('the fleet driver was asked to fail',
                      self.wait_for(cluster, 'DELETE_FAILED')['status_reason'])

    def test_a_resize_that_fails_keeps_the_old_size(self):
        cluster = self.new_cluster(f'{self.name}-fail-update')
        self.request('POST', f'/v1/clusters/{cluster}/actions/resize', {'node_count': 5},
                     status=202)
        found = self.wait_for(cluster, 'UPDATE_FAILED')
        self.assertEqual(2, found['node_count'])

    def test_a_nodegroup_that_fails_says_so(self):
        cluster = self.new_cluster()
        nodegroup = self.request('POST', f'/v1/clusters/{cluster}/nodegroups', {
            'name': 'fail-create', 'node_count': 1}, status=202)['uuid']
        self.wait_for_nodegroup(cluster, nodegroup, 'CREATE_FAILED')

    def test_what_the_driver_refuses_keeps_its_code(self):
        template = self.new_template()
        for code in (400, 409):
            cluster = self.new_cluster(f'{self.name}-refuse-{code}', template)
            text = self.error(
                'POST', f'/v1/clusters/{cluster}/actions/upgrade',
                {'cluster_template': template, 'max_batch_size': 1}, status=code)
            self.assertIn('asked to refuse', text)

    def test_what_the_status_forbids_is_400_as_with_a_conductor_of_the_original(self):
        template = self.new_template()
        cluster = self.new_cluster(template=template)
        self.fleet.sql('UPDATE cluster SET status = :status WHERE uuid = :uuid',
                       status='CREATE_FAILED', uuid=cluster)
        path = f'/v1/clusters/{cluster}/actions/upgrade'
        text = self.error('POST', path, {'cluster_template': template, 'max_batch_size': 1})
        self.assertIn('CREATE_FAILED', text)
        self.error('PATCH', f'/v1/certificates/{cluster}', {})
        self.assertEqual([], [line for line in self.fleet.calls(cluster)
                              if line['call'] in ('upgrade_cluster', 'rotate_ca_certificate')])

    def test_a_bad_signing_request_is_a_400(self):
        cluster = self.new_cluster()
        self.error('POST', '/v1/certificates', {'cluster_uuid': cluster, 'csr': 'nonsense'})

    def test_what_does_not_exist_is_a_404(self):
        for path in ('/v1/clusters/nowhere', '/v1/certificates/nowhere',
                     '/v1/clustertemplates/nowhere'):
            self.error('GET', path, status=404)

    def test_two_of_a_name_are_a_409(self):
        template = self.new_template()
        for _number in range(2):
            self.new_cluster(template=template)
        self.error('GET', f'/v1/clusters/{self.name}', status=409)

    def test_a_template_in_use_is_kept(self):
        template = self.new_template()
        self.new_cluster(template=template)
        self.error('DELETE', f'/v1/clustertemplates/{template}', status=400)


class WsgiTestCase(Common, lives.TestCase):
    """magnum.wsgi.api of the original reads the database itself."""

    @classmethod
    def start_api(cls, fleet):
        fleet.original.wsgi()
