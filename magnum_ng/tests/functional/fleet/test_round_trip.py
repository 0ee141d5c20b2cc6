# SPDX-License-Identifier: Apache-2.0
"""From the original to magnum_ng and back on one database, with clusters that live through it."""

import json

from magnum_ng.db.sqlalchemy import migration
from magnum_ng.tests.functional.fleet import lives

#: Of a cluster's representation: what may differ between the two sides, or with time.
VOLATILE = ('updated_at', 'health_status', 'health_status_reason', 'status_reason')


class RoundTrip:

    @classmethod
    def start(cls, fleet):
        fleet.original.run('magnum-db-manage', 'upgrade')

    def start_original(self):
        # A no-op with each start, as deployment tools have it.
        self.fleet.original.run('magnum-db-manage', 'upgrade')
        self.fleet.original.conductor()
        self.fleet.original.api()

    def start_ours(self):
        self.fleet.ng.run('magnum-db-manage', 'upgrade')
        self.fleet.ng.conductor()
        self.fleet.ng.api()

    def revision(self):
        return self.fleet.sql('SELECT version_num FROM alembic_version')[0][0]

    def picture(self, cluster):
        """What a client sees of a cluster, its nodegroups and its certificate."""
        found = self.cluster(cluster)
        nodegroups = self.request('GET', f'/v1/clusters/{cluster}/nodegroups',
                                  status=200)['nodegroups']
        for document in (found, *nodegroups):
            document.pop('links', None)
            for name in VOLATILE:
                document.pop(name, None)
        return {'cluster': found, 'ca': self.ca(cluster),
                'nodegroups': sorted(nodegroups, key=lambda group: group['uuid'])}

    def status(self):
        """The result of each check of magnum-status."""
        printed = self.fleet.ng.run('magnum-status', 'upgrade', 'check', '--json', status=None)
        return {check['check']: check for check in json.loads(printed)['checks']}

    def test_nothing_is_lost_on_the_way_there_and_back(self):
        head = migration.head()

        # The original
        self.start_original()
        stays = self.new_cluster(f'{self.name}-stays')
        nodegroup = self.create_nodegroup(stays, 'old')
        goes = self.new_cluster(f'{self.name}-goes')
        before = {cluster: self.picture(cluster) for cluster in (stays, goes)}
        self.fleet.stop_all()

        # In
        found = self.status()
        self.assertEqual(0, found['Database']['result'], found)
        self.assertIn('Run magnum-db-manage upgrade', found['Database']['details'])
        self.start_ours()
        self.assertEqual(head, self.revision())
        self.assertEqual(before, {cluster: self.picture(cluster) for cluster in before})
        for title, check in self.status().items():
            self.assertEqual(0, check['result'], (title, check))
        self.get_a_certificate_signed(stays)
        self.update_nodegroup(stays, nodegroup)
        self.delete_nodegroup(stays, nodegroup)
        self.live(stays)
        self.resize(goes, 3)
        self.delete(goes)
        new = self.new_cluster(f'{self.name}-new')
        kept = self.create_nodegroup(stays, 'kept')
        middle = {cluster: self.picture(cluster) for cluster in (stays, new)}
        self.assertEqual([], self.fleet.sql('SELECT * FROM ng_operation'))
        self.fleet.stop_all()

        # And back
        self.start_original()
        self.assertEqual(head, self.revision())
        self.assertEqual(middle, {cluster: self.picture(cluster) for cluster in middle})
        self.update_nodegroup(stays, kept)
        self.delete_nodegroup(stays, kept)
        for cluster in (stays, new):
            self.get_a_certificate_signed(cluster)
            self.resize(cluster, 5)
        self.upgrade(new, self.new_template(name=f'{self.name}-newer'))
        self.rotate_ca(new)
        for cluster in (stays, new):
            self.delete(cluster)
        self.assertEqual((0, 0), (self.fleet.count('cluster'), self.fleet.count('nodegroup')))


class X509KeyPairTestCase(RoundTrip, lives.TestCase):
    """The certificates are in the database."""


class BarbicanTestCase(RoundTrip, lives.TestCase):
    """The certificates are in the key manager."""

    certificates = 'barbican'
