# SPDX-License-Identifier: Apache-2.0

import datetime

from oslo_utils import timeutils

from magnum_ng.tests.unit.api import base


class TestServices(base.FunctionalTest):
    def setUp(self):
        super().setUp()
        self.ids = [self.dbapi.create_magnum_service({
            'host': f'host-{number}', 'binary': 'magnum-conductor', 'report_count': number}).id
            for number in range(3)]

    def see(self, service_id, seconds_ago, **values):
        moment = timeutils.utcnow() - datetime.timedelta(seconds=seconds_ago)
        self.dbapi.update_magnum_service(service_id, {'last_seen_up': moment, **values})

    def test_an_admin_sees_the_conductors_and_which_are_up(self):
        self.see(self.ids[0], 10)
        self.see(self.ids[1], 1000)
        self.see(self.ids[2], 10, forced_down=True)
        rows = self.get('/v1/mservices', self.as_admin()).json['mservices']
        self.assertEqual(['up', 'down', 'down'], [row['state'] for row in rows])
        self.assertEqual(['host', 'binary', 'state', 'id', 'report_count', 'disabled',
                          'disabled_reason', 'created_at', 'updated_at'], list(rows[0]))
        self.assertEqual(('host-0', 'magnum-conductor', False, None),
                         tuple(rows[0][name] for name in ('host', 'binary', 'disabled',
                                                          'disabled_reason')))

    def test_a_member_does_not(self):
        error = self.error(self.get('/v1/mservices', status=403))
        self.assertEqual("Policy doesn't allow magnum-service:get_all to be performed.",
                         error['detail'])

    def test_there_are_pages(self):
        hosts, address = [], '/v1/mservices?limit=2&sort_dir=desc'
        while address:
            page = self.get(address, self.as_admin()).json
            hosts.append([row['host'] for row in page['mservices']])
            address = page.get('next')
        self.assertEqual([['host-2', 'host-1'], ['host-0']], hosts)

    def test_bad_parameters_are_refused(self):
        for query in ('limit=0', 'limit=x', 'sort_key=nope', 'sort_dir=up', 'marker=x',
                      'host=x'):
            self.get(f'/v1/mservices?{query}', self.as_admin(), status=400)
        for marker in (987654, 2 ** 40, -1):
            self.get(f'/v1/mservices?marker={marker}', self.as_admin(), status=404)
