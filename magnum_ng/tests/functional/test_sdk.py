# SPDX-License-Identifier: Apache-2.0
"""Every operation of openstacksdk on the running service."""

from openstack import exceptions as sdk_exc

from magnum_ng.tests.functional import base
from magnum_ng.tests.functional import test_lifecycle


class SdkTest(base.TestCase):

    def setUp(self):
        super().setUp()
        self.infra = self.stack.sdk().container_infrastructure_management

    def _template(self, **values):
        return self.infra.create_cluster_template(**{
            'name': self.name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
            'external_network_id': 'public', 'flavor_id': 'm1.small',
            'master_flavor_id': 'm1.medium', 'keypair_id': 'demo-key', **values})

    def _cluster(self):
        created = self.infra.create_cluster(
            name=self.name, cluster_template_id=self._template().uuid, master_count=1,
            node_count=1, keypair='demo-key')
        self.wait_for(created.id, 'CREATE_COMPLETE')
        return created

    def test_templates_are_created_found_listed_changed_and_deleted(self):
        template = self._template()
        self.assertEqual(template.uuid, self.infra.find_cluster_template(self.name).uuid)
        self.assertEqual(template.uuid, self.infra.get_cluster_template(template.uuid).uuid)
        self.assertIn(template.uuid, [t.uuid for t in self.infra.cluster_templates()])
        self.infra.update_cluster_template(
            self.infra.get_cluster_template(template.uuid), flavor_id='m1.large')
        self.assertEqual('m1.large', self.infra.get_cluster_template(template.uuid).flavor_id)
        self.infra.delete_cluster_template(template.uuid)
        self.assertIsNone(self.infra.find_cluster_template(self.name))

    def test_clusters_are_created_found_listed_changed_and_deleted(self):
        cluster = self._cluster()
        self.assertEqual(cluster.id, self.infra.find_cluster(self.name).uuid)
        self.assertIn(cluster.id, [c.uuid for c in self.infra.clusters()])
        found = self.infra.get_cluster(cluster.id)
        self.assertEqual('CREATE_COMPLETE', found.status)
        self.infra.update_cluster(found, node_count=2)
        self.wait_for(cluster.id, 'UPDATE_COMPLETE')
        self.assertEqual(2, self.infra.get_cluster(cluster.id).node_count)
        self.infra.delete_cluster(cluster.id)
        self.wait_gone(cluster.id)
        self.assertIsNone(self.infra.find_cluster(self.name))

    def test_certificates_are_shown_and_signed(self):
        cluster = self._cluster()
        shown = self.infra.get_cluster_certificate(cluster.id)
        self.assertIn('BEGIN CERTIFICATE', shown.pem)
        signed = self.infra.create_cluster_certificate(
            cluster_uuid=cluster.id, csr=test_lifecycle.signing_request())
        self.assertIn('BEGIN CERTIFICATE', signed.pem)

    def test_services_are_listed_to_administrators_only(self):
        admin = self.stack.sdk('admin').container_infrastructure_management
        self.assertEqual(['magnum-conductor'], [s.binary for s in admin.services()])
        self.assertRaises(sdk_exc.ForbiddenException, list, self.infra.services())

    def test_what_is_not_there_is_not_found(self):
        self.assertRaises(sdk_exc.NotFoundException, self.infra.get_cluster, self.name)
        self.assertIsNone(self.infra.find_cluster(self.name))
