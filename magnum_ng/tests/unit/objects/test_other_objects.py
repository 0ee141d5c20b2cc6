# SPDX-License-Identifier: Apache-2.0
"""Templates, quotas, key pairs, services, federations, statistics and certificates."""

from oslo_utils import uuidutils

from magnum_ng import objects
from magnum_ng.common import exception
from magnum_ng.tests import fakes
from magnum_ng.tests.unit.db import base
from magnum_ng.tests.unit.objects import utils


class ClusterTemplateTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.template = utils.create_test_cluster_template(self.context)

    def test_by_id_uuid_or_name(self):
        for ident in (self.template.id, str(self.template.id), self.template.uuid,
                      'clustermodel1'):
            self.assertEqual(self.template.uuid,
                             objects.ClusterTemplate.get(self.context, ident).uuid)
        self.assertRaises(exception.ClusterTemplateNotFound, objects.ClusterTemplate.get,
                          self.context, 'other')

    def test_list_and_its_order(self):
        utils.create_test_cluster_template(self.context, uuid=uuidutils.generate_uuid(), name='a')
        found = objects.ClusterTemplate.list(self.context, sort_key='name', limit=1)
        self.assertEqual(['a'], [template.name for template in found])

    def test_save_refresh_and_destroy(self):
        other = objects.ClusterTemplate.get_by_uuid(self.context, self.template.uuid)
        self.template.labels['a'] = 'b'
        self.template.save()
        other.refresh()
        self.assertEqual({'key1': 'val1', 'key2': 'val2', 'a': 'b'}, other.labels)
        self.template.destroy()
        self.assertRaises(exception.ClusterTemplateNotFound, other.refresh)

    def test_only_kubernetes_is_a_coe(self):
        self.assertRaises(ValueError, setattr, self.template, 'coe', 'swarm')


class QuotaTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.quota = utils.create_test_quota(self.context)

    def test_reading(self):
        self.assertEqual(10, objects.Quota.get_by_id(self.context, self.quota.id).hard_limit)
        self.assertEqual(10, objects.Quota.get_quota_by_project_id_resource(
            self.context, fakes.PROJECT_ID, 'Cluster').hard_limit)
        self.assertRaises(exception.QuotaNotFound,
                          objects.Quota.get_quota_by_project_id_resource,
                          self.context, 'nobody', 'Cluster')

    def test_all_of_one_project(self):
        utils.create_test_quota(self.context, project_id='other')
        for found in (objects.Quota.quota_get_all_by_project_id(self.context, 'other'),
                      objects.Quota.list(self.context, filters={'project_id': 'other'})):
            self.assertEqual(['other'], [quota.project_id for quota in found])
        self.assertEqual(2, len(objects.Quota.list(self.context)))

    def test_update_returns_the_new_limit(self):
        changed = objects.Quota.update_quota(self.context, fakes.PROJECT_ID,
                                             {'resource': 'Cluster', 'hard_limit': 3})
        self.assertEqual(3, changed.hard_limit)
        self.assertEqual(3, objects.Quota.get_by_id(self.context, self.quota.id).hard_limit)

    def test_delete(self):
        self.quota.delete()
        self.assertRaises(exception.QuotaNotFound, objects.Quota.get_by_id, self.context,
                          self.quota.id)


class X509KeyPairTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.pair = utils.create_test_x509keypair(self.context)

    def test_by_id_or_uuid(self):
        for ident in (self.pair.id, self.pair.uuid):
            self.assertEqual('certificate',
                             objects.X509KeyPair.get(self.context, ident).certificate)
        self.assertRaises(exception.InvalidIdentity, objects.X509KeyPair.get, self.context, 'x')

    def test_save_refresh_and_destroy(self):
        other = objects.X509KeyPair.get_by_uuid(self.context, self.pair.uuid)
        self.pair.certificate = 'new'
        self.pair.save()
        other.refresh()
        self.assertEqual('new', other.certificate)
        self.assertEqual(1, len(objects.X509KeyPair.list(self.context)))
        self.pair.destroy()
        self.assertRaises(exception.X509KeyPairNotFound, other.refresh)

    def test_the_key_is_not_shown(self):
        self.assertEqual(f'X509KeyPair(uuid={self.pair.uuid})', repr(self.pair))
        self.assertEqual('X509KeyPair(uuid=None)', repr(objects.X509KeyPair(private_key='k')))


class MagnumServiceTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.service = utils.create_test_magnum_service(self.context)

    def get(self, host='fakehost'):
        return objects.MagnumService.get_by_host_and_binary(self.context, host, 'fake-bin')

    def test_by_host_and_binary(self):
        self.assertEqual(self.service.id, self.get().id)
        self.assertIsNone(self.get('elsewhere'))
        self.assertEqual([self.service.id],
                         [found.id for found in objects.MagnumService.list(self.context)])

    def test_a_heartbeat_counts_and_is_dated(self):
        self.assertIsNone(self.service.last_seen_up)
        self.service.report_state_up()
        found = self.get()
        self.assertEqual(14, found.report_count)
        self.assertIsNotNone(found.last_seen_up.tzinfo)

    def test_save_and_destroy(self):
        self.service.disabled = True
        self.service.save()
        self.assertTrue(self.get().disabled)
        self.service.destroy()
        self.assertIsNone(self.get())


class FederationTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.federation = utils.create_test_federation(self.context)

    def test_by_id_uuid_or_name(self):
        for ident in (self.federation.id, self.federation.uuid):
            self.assertEqual('fake-name', objects.Federation.get(self.context, ident).name)
        self.assertEqual(self.federation.uuid,
                         objects.Federation.get_by_name(self.context, 'fake-name').uuid)
        self.assertRaises(exception.InvalidIdentity, objects.Federation.get, self.context, 'x')

    def test_list_and_count(self):
        self.assertEqual(1, len(objects.Federation.list(self.context)))
        self.assertEqual(1, objects.Federation.get_count_all(self.context))
        self.assertEqual(0, objects.Federation.get_count_all(self.context,
                                                             filters={'name': 'other'}))

    def test_save_refresh_and_destroy(self):
        other = objects.Federation.get_by_uuid(self.context, self.federation.uuid)
        self.federation.properties['dns-zone'] = 'example.org.'
        self.federation.member_ids = ['one']
        self.federation.save()
        other.refresh()
        self.assertEqual(({'dns-zone': 'example.org.'}, ['one']),
                         (other.properties, other.member_ids))
        self.federation.destroy()
        self.assertRaises(exception.FederationNotFound, other.refresh)


class StatsTest(base.DbTestCase):

    def test_clusters_and_nodes_of_a_project_or_of_all(self):
        utils.create_test_cluster(self.context, node_count=2, master_count=1)
        utils.create_test_cluster(self.context, node_count=4, master_count=3,
                                  uuid=uuidutils.generate_uuid(), project_id='other')
        for project_id, expected in (('other', (1, 7)), (None, (2, 10)), ('nobody', (0, 0))):
            stats = objects.Stats.get_cluster_stats(self.admin_context, project_id)
            self.assertEqual(expected, (stats.clusters, stats.nodes or 0))
            self.assertEqual(set(), stats.obj_what_changed())


class CertificateTest(base.DbTestCase):

    def test_it_knows_its_cluster(self):
        cluster = utils.create_test_cluster(self.context)
        row = self.dbapi.get_cluster_by_uuid(self.context, cluster.uuid)
        for made in (objects.Certificate.from_object_cluster(cluster),
                     objects.Certificate.from_db_cluster(row)):
            self.assertEqual({'project_id': cluster.project_id, 'user_id': cluster.user_id,
                              'cluster_uuid': cluster.uuid}, made.as_dict())
