# SPDX-License-Identifier: Apache-2.0
"""Each client on one long way through everything that it can do.

An operation that the installed release of a client has, and that the way does not pass, is a
failure: it is then to be added here.
"""

import contextlib
import inspect

from magnumclient.common import base as client_base
from openstack.cloud import _coe
from openstack.container_infrastructure_management.v1 import _proxy

from magnum_ng.tests.functional import base
from magnum_ng.tests.functional import test_lifecycle


def operations(owner):
    """The public functions of a class, the inherited ones of its package included."""
    package = owner.__module__.partition('.')[0]
    return {name for name, function in inspect.getmembers(owner, inspect.isfunction)
            if not name.startswith('_') and function.__module__.startswith(package)}


class Recorder:
    """Stands before an object of a client and notes which of its operations are used."""

    def __init__(self, wrapped, used, prefix=''):
        self.__dict__.update(wrapped=wrapped, used=used, prefix=prefix)

    def __getattr__(self, name):
        found = getattr(self.wrapped, name)
        if inspect.ismethod(found):
            self.used.add(self.prefix + name)
        return found


class ClientTestCase(base.TestCase):

    def setUp(self):
        super().setUp()
        self.used = set()

    def template_values(self, name):
        return {'name': name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
                'external_network_id': 'public', 'keypair_id': 'demo-key',
                'flavor_id': 'm1.small', 'master_flavor_id': 'm1.medium'}


class MagnumClientTest(ClientTestCase):
    """python-magnumclient"""

    def managers(self):
        return {name: manager for name, manager in vars(self.stack.magnum()).items()
                if isinstance(manager, client_base.Manager)}

    def client(self, user):
        class Client:
            pass

        found = Client()
        for name, manager in vars(self.stack.magnum(user)).items():
            if isinstance(manager, client_base.Manager):
                setattr(found, name, Recorder(manager, self.used, f'{name}.'))
        return found

    def test_every_operation_is_driven(self):
        wanted = {f'{name}.{operation}' for name, manager in self.managers().items()
                  for operation in operations(type(manager))}
        mine, admin = self.client('demo'), self.client('admin')
        self.drive_templates(mine.cluster_templates)
        self.drive_clusters(mine)
        self.drive_quotas(admin.quotas)
        self.assertEqual(['magnum-conductor'], [one.binary for one in admin.mservices.list()])
        self.assertEqual(set(), wanted - self.used)

    def drive_templates(self, templates):
        name = f'{self.name}-driven'
        created = templates.create(**self.template_values(name))
        self.assertEqual(created.uuid, templates.get(name).uuid)
        for options in ({}, {'detail': True}, {'limit': 100, 'sort_key': 'name',
                                               'sort_dir': 'desc'}):
            self.assertIn(created.uuid, [one.uuid for one in templates.list(**options)])
        changed = templates.update(created.uuid, [{'op': 'replace', 'path': '/name',
                                                   'value': f'{name}-2'}])
        self.assertEqual(f'{name}-2', changed.name)
        templates.delete(created.uuid)
        self.assertNotIn(created.uuid, [one.uuid for one in templates.list()])

    def drive_clusters(self, mine):
        template = mine.cluster_templates.create(**self.template_values(self.name))
        newer = mine.cluster_templates.create(**self.template_values(f'{self.name}-newer'))
        before = mine.stats.list(self.stack.cloud.user('demo').project_id).clusters
        cluster = mine.clusters.create(
            name=self.name, cluster_template_id=template.uuid, keypair='demo-key',
            master_count=1, node_count=2, create_timeout=60).uuid
        self.wait_for(cluster, 'CREATE_COMPLETE')
        self.assertEqual(cluster, mine.clusters.get(self.name).uuid)
        for options in ({}, {'detail': True}, {'limit': 100, 'sort_key': 'name'}):
            self.assertIn(cluster, [one.uuid for one in mine.clusters.list(**options)])
        self.assertEqual(before + 1, mine.stats.list(
            self.stack.cloud.user('demo').project_id).clusters)
        mine.clusters.update(cluster, [{'op': 'replace', 'path': '/node_count', 'value': 3}])
        self.wait_for(cluster, 'UPDATE_COMPLETE')
        mine.clusters.resize(cluster, 1)
        self.wait_for(cluster, 'UPDATE_COMPLETE')
        self.drive_nodegroups(mine.nodegroups, cluster)
        mine.clusters.upgrade(cluster, newer.uuid)
        self.assertEqual(newer.uuid, self.wait_for(cluster, 'UPDATE_COMPLETE').cluster_template_id)
        self.drive_certificates(mine.certificates, cluster)
        mine.credentials.update(cluster)
        self.wait_for(cluster, 'UPDATE_COMPLETE')
        mine.clusters.delete(cluster)
        self.wait_gone(cluster)

    def drive_nodegroups(self, nodegroups, cluster):
        nodegroups.create(cluster, name='pool', node_count=1, role='gpu')
        self.wait_for(cluster, 'UPDATE_COMPLETE')
        self.assertEqual('gpu', nodegroups.get(cluster, 'pool').role)
        self.assertEqual(3, len(nodegroups.list(cluster)))
        self.assertEqual(['pool'], [one.name for one in nodegroups.list(cluster, role='gpu')])
        nodegroups.update(cluster, 'pool', [{'op': 'replace', 'path': '/max_node_count',
                                             'value': 9}])
        self.wait_for(cluster, 'UPDATE_COMPLETE')
        self.assertEqual(9, nodegroups.get(cluster, 'pool').max_node_count)
        nodegroups.delete(cluster, 'pool')
        self.wait_until(lambda: len(nodegroups.list(cluster)) == 2, 'the nodegroup to go')
        self.wait_for(cluster, 'UPDATE_COMPLETE')

    def drive_certificates(self, certificates, cluster):
        authority = certificates.get(cluster).pem
        signed = certificates.create(cluster_uuid=cluster,
                                     csr=test_lifecycle.signing_request())
        self.assertIn('BEGIN CERTIFICATE', signed.pem)
        certificates.rotate_ca(cluster_uuid=cluster)
        self.wait_for(cluster, 'UPDATE_COMPLETE')
        self.assertNotEqual(authority, certificates.get(cluster).pem)

    def drive_quotas(self, quotas):
        project = self.stack.cloud.user('other').project_id
        values = {'project_id': project, 'resource': 'Cluster'}
        quotas.create(**values, hard_limit=4)
        self.assertEqual(4, quotas.get(project, 'Cluster').hard_limit)
        quotas.update(project, 'Cluster', dict(values, hard_limit=5))
        self.assertEqual([(project, 5)], [(one.project_id, one.hard_limit)
                                          for one in quotas.list(all_tenants=True)])
        quotas.delete(project, 'Cluster')
        self.assertEqual([], quotas.list(all_tenants=True))


class ProxyTest(ClientTestCase):
    """The container_infrastructure_management proxy of openstacksdk"""

    def test_every_operation_is_driven(self):
        wanted = {name for name, value in vars(_proxy.Proxy).items()
                  if inspect.isfunction(value) and not name.startswith('_')}
        infra = Recorder(self.stack.sdk().container_infrastructure_management, self.used)
        template = self.drive_templates(infra)
        self.drive_clusters(infra, template)
        admin = Recorder(self.stack.sdk('admin').container_infrastructure_management, self.used)
        self.assertEqual(['magnum-conductor'], [one.binary for one in admin.services()])
        self.assertEqual(set(), wanted - self.used)

    def test_actions_of_the_resource_are_driven(self):
        infra = self.stack.sdk(version='1.14').container_infrastructure_management
        template = infra.create_cluster_template(**self.template_values(self.name))
        newer = infra.create_cluster_template(**self.template_values(f'{self.name}-newer'))
        created = infra.create_cluster(name=self.name, cluster_template_id=template.uuid,
                                       node_count=1, keypair='demo-key')
        self.wait_for(created.id, 'CREATE_COMPLETE')
        cluster = infra.get_cluster(created.id)
        self._act(cluster.resize, infra, node_count=2)
        self.assertEqual(2, self.wait_for(cluster.id, 'UPDATE_COMPLETE').node_count)
        self._act(cluster.upgrade, infra, cluster_template=newer.uuid)
        self.assertEqual(newer.uuid,
                         self.wait_for(cluster.id, 'UPDATE_COMPLETE').cluster_template_id)

    @staticmethod
    def _act(action, *arguments, **values):
        # 4.22 takes the answer for its body once it has it.
        with contextlib.suppress(TypeError):
            action(*arguments, **values)

    def drive_templates(self, infra):
        kept = infra.create_cluster_template(**self.template_values(self.name))
        other = infra.create_cluster_template(**self.template_values(f'{self.name}-2'))
        self.assertEqual(kept.uuid, infra.find_cluster_template(self.name).uuid)
        self.assertLessEqual({kept.uuid, other.uuid},
                             {one.uuid for one in infra.cluster_templates()})
        infra.update_cluster_template(infra.get_cluster_template(other.uuid),
                                      flavor_id='m1.large')
        self.assertEqual('m1.large', infra.get_cluster_template(other.uuid).flavor_id)
        infra.delete_cluster_template(other.uuid)
        self.assertIsNone(infra.find_cluster_template(other.uuid))
        return kept

    def drive_clusters(self, infra, template):
        created = infra.create_cluster(name=self.name, cluster_template_id=template.uuid,
                                       node_count=1, keypair='demo-key')
        cluster = infra.wait_for_status(infra.get_cluster(created.id), status='CREATE_COMPLETE',
                                        failures=['CREATE_FAILED'], interval=0.1, wait=30)
        self.assertEqual(cluster.uuid, infra.find_cluster(self.name).uuid)
        self.assertIn(cluster.uuid, [one.uuid for one in infra.clusters()])
        infra.update_cluster(cluster, node_count=2)
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertIn('BEGIN CERTIFICATE', infra.get_cluster_certificate(cluster.uuid).pem)
        signed = infra.create_cluster_certificate(cluster_uuid=cluster.uuid,
                                                  csr=test_lifecycle.signing_request())
        self.assertIn('BEGIN CERTIFICATE', signed.pem)
        infra.delete_cluster(cluster.uuid)
        infra.wait_for_delete(infra.get_cluster(cluster.uuid)
                              if infra.find_cluster(cluster.uuid) else cluster,
                              interval=0.1, wait=30)


class CloudLayerTest(ClientTestCase):
    """What openstacksdk has beside the proxy, and Ansible uses"""

    def test_every_operation_is_driven(self):
        wanted = {name for name, value in vars(_coe.CoeCloudMixin).items()
                  if inspect.isfunction(value)}
        cloud = Recorder(self.stack.sdk(), self.used)
        self.drive_templates(cloud)
        self.drive_clusters(cloud)
        admin = Recorder(self.stack.sdk('admin'), self.used)
        self.assertEqual(['magnum-conductor'],
                         [one.binary for one in admin.list_magnum_services()])
        self.assertEqual(set(), wanted - self.used)

    def drive_templates(self, cloud):
        values = self.template_values(f'{self.name}-driven')
        created = cloud.create_cluster_template(**values)
        self.assertEqual(created.uuid, cloud.get_cluster_template(values['name']).uuid)
        self.assertIn(created.uuid, [one.uuid for one in cloud.list_cluster_templates()])
        self.assertEqual([created.uuid], [
            one.uuid for one in cloud.search_cluster_templates(values['name'])])
        changed = cloud.update_cluster_template(values['name'], flavor_id='m1.large')
        self.assertEqual('m1.large', changed.flavor_id)
        self.assertTrue(cloud.delete_cluster_template(values['name']))
        self.assertFalse(cloud.delete_cluster_template(values['name']))

    def drive_clusters(self, cloud):
        template = cloud.create_cluster_template(**self.template_values(self.name))
        created = cloud.create_coe_cluster(self.name, template.uuid, node_count=1,
                                           keypair='demo-key')
        self.wait_for(created.id, 'CREATE_COMPLETE')
        self.assertEqual(created.id, cloud.get_coe_cluster(self.name).uuid)
        self.assertIn(created.id, [one.uuid for one in cloud.list_coe_clusters()])
        self.assertEqual([created.id], [one.uuid
                                        for one in cloud.search_coe_clusters(self.name)])
        cloud.update_coe_cluster(self.name, node_count=2)
        self.wait_for(created.id, 'UPDATE_COMPLETE')
        self.assertIn('BEGIN CERTIFICATE', cloud.get_coe_cluster_certificate(created.id).pem)
        self.assertIn('BEGIN CERTIFICATE', cloud.sign_coe_cluster_certificate(
            created.id, test_lifecycle.signing_request()).pem)
        self.assertTrue(cloud.delete_coe_cluster(self.name))
        self.wait_gone(created.id)
        self.assertFalse(cloud.delete_coe_cluster(self.name))
