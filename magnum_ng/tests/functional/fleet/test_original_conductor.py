# SPDX-License-Identifier: Apache-2.0
"""Our API while a conductor of the original runs: it changes nothing, and says why."""

from magnum_ng.tests.functional.fleet import lives


class OriginalConductorTestCase(lives.TestCase):

    @classmethod
    def start(cls, fleet):
        fleet.ng.run('magnum-db-manage', 'upgrade')
        cls.foreign = fleet.original.conductor()
        cls.api = fleet.ng.api()

    def post(self, template):
        return self.request('POST', '/v1/clusters', {
            'name': self.name, 'cluster_template_id': template, 'master_count': 1,
            'node_count': 1, 'keypair': 'demo-key'})

    def test_nothing_is_accepted_until_the_conductor_is_ours(self):
        template = self.new_template()
        answer = self.post(template)
        self.assertEqual(503, answer.status_code, answer.text)
        self.assertIn('another release', answer.json()['errors'][0]['detail'])
        for table in ('cluster', 'nodegroup', 'ng_operation', 'x509keypair'):
            self.assertEqual(0, self.fleet.count(table), table)
        self.assertEqual([], self.request('GET', '/v1/clusters', status=200)['clusters'])
        self.assertIn('magnum-conductor of the original runs on fleet',
                      self.api.log.read_text())

        self.fleet.stop(self.foreign, patience=2)
        # Of the same host name, as where a package is replaced: it takes over at once, but for
        # the seconds for which the API believes what it has read.
        self.fleet.ng.conductor()

        def accepted():
            answer = self.post(template)
            if answer.status_code == 503:
                return None
            self.assertEqual(202, answer.status_code, answer.text)
            return answer.json()['uuid']

        cluster = self.fleet.wait_until(accepted, seconds=20, what='the API to accept')
        self.wait_for(cluster, 'CREATE_COMPLETE')
        self.delete(cluster)
