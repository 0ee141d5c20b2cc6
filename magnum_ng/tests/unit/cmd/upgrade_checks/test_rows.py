# SPDX-License-Identifier: Apache-2.0

import datetime

from oslo_utils import timeutils

from magnum_ng.cmd.upgrade_checks import rows
from magnum_ng.tests.unit.cmd.upgrade_checks import base

Code = base.Code


def ago(minutes):
    return (timeutils.utcnow() - datetime.timedelta(minutes=minutes)).isoformat(' ')


class ProgressTestCase(base.ChecksTestCase):
    TITLE = 'Clusters In Progress'

    def test_settled_clusters_are_fine(self):
        self.cluster(created_at=ago(10000))
        self.assertEqual((), self.check().findings)

    def test_a_cluster_that_has_just_begun_is_no_reason_to_worry(self):
        cluster = self.cluster(status='UPDATE_IN_PROGRESS', created_at=ago(10000),
                               updated_at=ago(5))
        found = self.only()
        self.assertEqual((Code.SUCCESS, (f'{cluster} UPDATE_IN_PROGRESS',)),
                         (found.code, found.examples))

    def test_a_cluster_that_does_not_get_on_is_stuck(self):
        self.cluster(status='DELETE_IN_PROGRESS', created_at=ago(10000), updated_at=ago(61))
        self.cluster(status='CREATE_IN_PROGRESS', created_at=ago(61))
        found = self.only()
        self.assertEqual((Code.WARNING, 2), (found.code, found.count))

    def test_the_timeout_of_a_creation_is_granted(self):
        self.cluster(status='CREATE_IN_PROGRESS', created_at=ago(100), create_timeout=120)
        self.assertEqual(Code.SUCCESS, self.only().code)


class OperationsTestCase(base.ChecksTestCase):
    TITLE = 'Recorded Operations'

    def test_none_is_fine(self):
        self.assertEqual((), self.check().findings)

    def test_what_is_queued_is_told(self):
        self.insert('ng_operation', uuid='o', cluster_uuid='c', action='resize', state='queued',
                    expires_at=ago(0))
        self.assertEqual((Code.SUCCESS, 1), (self.only().code, self.only().count))


class ReferencesTestCase(base.ChecksTestCase):
    TITLE = 'Rows That Point At Nothing'

    def setUp(self):
        super().setUp()
        rows.CONF.set_override('cert_manager_type', 'x509keypair', 'certificates')
        self.addCleanup(rows.CONF.clear_override, 'cert_manager_type', 'certificates')

    def certificate(self, uuid):
        self.insert('x509keypair', uuid=uuid, certificate='c', private_key='k')
        return uuid

    def assertFinds(self, text, *examples):
        found = self.only()
        self.assertIn(text, found.what)
        self.assertEqual((Code.WARNING, len(examples), examples),
                         (found.code, found.count, found.examples))

    def test_whole_clusters_are_fine(self):
        self.cluster(ca_cert_ref=self.certificate('a'), magnum_cert_ref=self.certificate('b'))
        self.assertEqual((), self.check().findings)

    def test_a_cluster_whose_template_is_gone(self):
        cluster = self.cluster('nowhere')
        self.assertFinds('template that is gone', cluster)

    def test_a_nodegroup_whose_cluster_is_gone(self):
        nodegroup = self.nodegroup('nowhere')
        self.assertFinds('nodegroup(s) of a cluster that is gone', nodegroup)

    def test_a_cluster_without_workers(self):
        cluster = self.cluster(groups=False)
        self.nodegroup(cluster, 'master')
        self.nodegroup(cluster, 'worker', default=False)
        self.assertFinds('without a default nodegroup', cluster)

    def test_what_is_left_of_operations(self):
        self.insert('ng_operation', uuid='o', cluster_uuid='c1', action='resize', state='queued',
                    expires_at=ago(0))
        self.insert('ng_cluster_lock', cluster_uuid='c2', owner='o', purpose='poll',
                    expires_at=ago(0))
        self.insert('ng_cluster_note', cluster_uuid='c3', kind='upgrade', value='t')
        self.assertEqual([('c1',), ('c2',), ('c3',)],
                         [found.examples for found in self.check().findings])

    def test_a_cluster_whose_certificate_is_gone(self):
        cluster = self.cluster(ca_cert_ref='nowhere')
        self.assertFinds('certificates that are gone', cluster)

    def test_references_to_another_storage_are_not_looked_for_in_the_database(self):
        rows.CONF.set_override('cert_manager_type', 'barbican', 'certificates')
        self.cluster(ca_cert_ref='http://barbican/v1/containers/a')
        self.assertEqual((), self.check().findings)

    def test_a_certificate_that_no_cluster_refers_to(self):
        self.cluster(ca_cert_ref=self.certificate('a'))
        self.assertFinds('no cluster refers to', self.certificate('left'))

    def test_certificates_of_a_rotation_at_work_are_not_left_behind(self):
        cluster = self.cluster()
        for uuid in ('old', 'new1', 'new2'):
            self.certificate(uuid)
        self.insert('ng_cluster_note', cluster_uuid=cluster, kind='retired-0', value='old')
        self.insert('ng_operation', uuid='o', cluster_uuid=cluster, action='rotate',
                    state='running', expires_at=ago(0),
                    arguments='{"new_certificates": {"ca_cert_ref": "new1", "x": "new2"}}')
        self.assertEqual((), self.check().findings)
