# SPDX-License-Identifier: Apache-2.0
"""A cluster whose driver is gone, to the end of its record."""

import sqlalchemy as sa

from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.tests.functional import base


class ForceDeleteTest(base.TestCase):

    def sql(self, statement, **values):
        with db_session.get_engine().begin() as connection:
            result = connection.execute(sa.text(statement), values)
            return result.all() if result.returns_rows else None

    def leftover(self):
        """A cluster of a driver that was there when it was built."""
        template = self.new_template()
        cluster = self.new_cluster(template=template)
        self.sql("UPDATE cluster_template SET driver = 'k8s_fedora_coreos_v1' "
                 'WHERE uuid = :uuid', uuid=template.uuid)
        return cluster

    def test_it_fails_with_the_reason_and_can_then_be_removed_by_force(self):
        certificates = self.sql('SELECT COUNT(*) FROM x509keypair')
        cluster = self.leftover()
        path = f'/v1/clusters/{cluster.uuid}'
        self.assertEqual(204, self.request('DELETE', path).status_code)
        failed = self.wait_for(cluster.uuid, 'DELETE_FAILED')
        self.assertIn('k8s_fedora_coreos_v1', failed.status_reason)

        self.assertEqual(403, self.request('DELETE', path + '?force=true').status_code)
        answer = self.request('DELETE', path + '?force=true', user='admin')
        self.assertEqual(200, answer.status_code, answer.text)
        left = answer.json()['left']
        self.assertEqual(cluster.uuid, answer.json()['uuid'])
        self.assertEqual((cluster.cluster_id, cluster.api_address, []),
                         (left['stack_id'], left['api_address'], left['certificates']))
        self.assertEqual(
            [('default-master', 1, 1), ('default-worker', 2, 2)],
            [(group['name'], group['node_count'], len(group['node_addresses']))
             for group in left['nodegroups']])

        self.assertEqual(404, self.request('GET', path).status_code)
        for table, column in (('cluster', 'uuid'), ('nodegroup', 'cluster_id'),
                              ('ng_operation', 'cluster_uuid'),
                              ('ng_cluster_lock', 'cluster_uuid'),
                              ('ng_cluster_note', 'cluster_uuid')):
            self.assertEqual([], self.sql(
                f'SELECT {column} FROM {table} WHERE {column} = :uuid',  # noqa: S608
                uuid=cluster.uuid), table)
        self.assertEqual(certificates, self.sql('SELECT COUNT(*) FROM x509keypair'))
        self.assertEqual([], self.calls('delete_cluster'))


class KeyManagerTest(base.TestCase):
    stack_options = {'certificates': 'barbican'}

    def test_certificates_that_could_not_be_removed_are_among_what_is_left(self):
        cluster = self.new_cluster()
        self.stack.cloud.disturb('key-manager', status=500)
        answer = self.request('DELETE', f'/v1/clusters/{cluster.uuid}?force=true', user='admin')
        self.assertEqual(200, answer.status_code, answer.text)
        left = answer.json()['left']['certificates']
        self.assertEqual(4, len(left))
        self.assertTrue(all('/containers/' in reference for reference in left), left)
