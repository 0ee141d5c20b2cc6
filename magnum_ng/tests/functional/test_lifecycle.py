# SPDX-License-Identifier: Apache-2.0
"""A cluster's life as python-magnumclient tells it, on each database and message bus."""

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from magnumclient import exceptions as client_exc

from magnum_ng.common import context as magnum_context
from magnum_ng import objects
from magnum_ng.tests.functional import base


def signing_request():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    request = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([
        x509.NameAttribute(x509.NameOID.COMMON_NAME, 'admin'),
        x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, 'system:masters'),
    ])).sign(key, hashes.SHA256())
    return request.public_bytes(serialization.Encoding.PEM).decode()


class Lifecycle:
    """Run by one class for each combination of servers."""

    def test_a_new_cluster_is_visible_at_once_and_becomes_complete(self):
        created = self.new_cluster(wait=None)
        self.assertIn(created.status, ('CREATE_IN_PROGRESS', 'CREATE_COMPLETE'))
        cluster = self.wait_for(created.uuid, 'CREATE_COMPLETE')
        self.assertEqual((1, 2), (cluster.master_count, cluster.node_count))
        self.assertEqual(1, len(cluster.master_addresses))
        self.assertEqual(2, len(cluster.node_addresses))
        self.assertEqual('v1.35.0', cluster.coe_version)
        self.assertEqual(1, len(self.calls('create_cluster')))

    def test_a_cluster_that_fails_says_why(self):
        cluster = self.new_cluster(f'{self.name}-fail-create', wait='CREATE_FAILED')
        self.assertIn('asked to fail', cluster.status_reason)

    def test_a_cluster_that_the_driver_refuses_fails_with_its_reason(self):
        cluster = self.new_cluster(f'{self.name}-refuse-create', wait='CREATE_FAILED')
        self.assertIn('was asked to refuse', cluster.status_reason)

    def test_resize_reaches_the_driver_and_the_next_get(self):
        cluster = self.new_cluster()
        self.magnum.clusters.resize(cluster.uuid, 4)
        self.assertEqual(4, self.magnum.clusters.get(cluster.uuid).node_count)
        cluster = self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertEqual(4, len(cluster.node_addresses))
        (call,) = self.calls('resize_cluster')
        self.assertEqual(4, call.detail['node_count'])

    def test_a_failed_resize_leaves_update_failed_and_may_be_repeated(self):
        cluster = self.new_cluster(f'{self.name}-fail-update')
        self.magnum.clusters.resize(cluster.uuid, 3)
        self.wait_for(cluster.uuid, 'UPDATE_FAILED')
        self.magnum.clusters.resize(cluster.uuid, 1)
        self.wait_for(cluster.uuid, 'UPDATE_FAILED')
        self.assertEqual(2, len(self.calls('resize_cluster')))

    def test_patch_of_the_node_count_updates_the_cluster(self):
        cluster = self.new_cluster()
        self.magnum.clusters.update(
            cluster.uuid, [{'op': 'replace', 'path': '/node_count', 'value': 3}])
        cluster = self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertEqual(3, cluster.node_count)
        self.assertEqual(1, len(self.calls('update_cluster')))

    def test_upgrade_moves_the_cluster_to_the_new_template(self):
        cluster = self.new_cluster()
        newer = self.new_template(name=self.name + '-newer', labels={'kube_tag': 'v1.36.0'})
        self.magnum.clusters.upgrade(cluster.uuid, newer.uuid)
        cluster = self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertEqual(newer.uuid, cluster.cluster_template_id)
        self.assertEqual('v1.36.0', cluster.coe_version)

    def test_a_nodegroup_comes_is_changed_and_goes(self):
        cluster = self.new_cluster()
        groups = self.magnum.nodegroups
        created = groups.create(cluster.uuid, name='pool', node_count=1, flavor_id='m1.large')
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertEqual('CREATE_COMPLETE', groups.get(cluster.uuid, 'pool').status)
        self.assertEqual(3, self.magnum.clusters.get(cluster.uuid).node_count)

        groups.update(cluster.uuid, created.uuid,
                      [{'op': 'replace', 'path': '/max_node_count', 'value': 5}])
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertEqual(5, groups.get(cluster.uuid, 'pool').max_node_count)

        self.magnum.clusters.resize(cluster.uuid, 3, nodegroup='pool')
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertEqual(3, len(groups.get(cluster.uuid, 'pool').node_addresses))

        groups.delete(cluster.uuid, 'pool')
        self.wait_until(lambda: len(groups.list(cluster.uuid)) == 2, 'the nodegroup to go')
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')

    def test_delete_is_visible_at_once_and_leaves_nothing(self):
        cluster = self.new_cluster()
        self.magnum.clusters.delete(cluster.uuid)
        after = self.request('GET', f'/v1/clusters/{cluster.uuid}')
        if after.status_code != 404:
            self.assertEqual('DELETE_IN_PROGRESS', after.json()['status'])
        self.wait_gone(cluster.uuid)
        self.assertRaises(client_exc.NotFound, self.magnum.certificates.get, cluster.uuid)
        self.assertRaises(client_exc.NotFound, self.magnum.nodegroups.list, cluster.uuid)

    def test_delete_wins_over_a_creation_that_never_ends(self):
        cluster = self.new_cluster(f'{self.name}-stuck-create', wait=None)
        self.wait_until(lambda: self.calls('create_cluster'), 'the driver to begin')
        self.magnum.clusters.delete(cluster.uuid)
        self.wait_gone(cluster.uuid)

    def test_a_failed_delete_may_be_repeated(self):
        cluster = self.new_cluster(f'{self.name}-fail-delete')
        for _ in range(2):
            self.magnum.clusters.delete(cluster.uuid)
            self.wait_for(cluster.uuid, 'DELETE_FAILED')

    def test_an_update_is_refused_while_the_cluster_is_being_created(self):
        cluster = self.new_cluster(f'{self.name}-stuck-create', wait=None)
        error = self.assertRaises(client_exc.Conflict, self.magnum.clusters.resize,
                                  cluster.uuid, 3)
        self.assertIn('CREATE_IN_PROGRESS', str(error))

    def test_the_certificate_authority_signs_and_is_rotated(self):
        cluster = self.new_cluster()
        first = self.magnum.certificates.get(cluster.uuid).pem
        signed = self.magnum.certificates.create(
            cluster_uuid=cluster.uuid, csr=signing_request()).pem
        authority = x509.load_pem_x509_certificate(first.encode())
        x509.load_pem_x509_certificate(signed.encode()).verify_directly_issued_by(authority)

        self.magnum.certificates.rotate_ca(cluster_uuid=cluster.uuid)
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.assertNotEqual(first, self.magnum.certificates.get(cluster.uuid).pem)

    def test_credentials_are_rotated(self):
        cluster = self.new_cluster()
        self.magnum.credentials.update(cluster.uuid)
        self.assertEqual(1, len(self.calls('rotate_credential')))

    def test_a_template_is_listed_changed_and_deleted(self):
        template = self.new_template()
        self.assertIn(template.uuid, [t.uuid for t in self.magnum.cluster_templates.list()])
        changed = self.magnum.cluster_templates.update(
            template.uuid, [{'op': 'replace', 'path': '/flavor_id', 'value': 'm1.large'}])
        self.assertEqual('m1.large', changed.flavor_id)
        self.magnum.cluster_templates.delete(template.uuid)
        self.assertRaises(client_exc.NotFound, self.magnum.cluster_templates.get, template.uuid)

    def test_a_template_in_use_is_kept(self):
        template = self.new_template()
        self.new_cluster(template=template)
        self.assertRaises(client_exc.BadRequest, self.magnum.cluster_templates.delete,
                          template.uuid)

    def test_a_quota_is_set_and_kept_to(self):
        admin = self.stack.magnum('admin')
        project = self.stack.cloud.user('other').project_id
        admin.quotas.create(project_id=project, resource='Cluster', hard_limit=1)
        self.addCleanup(admin.quotas.delete, project, 'Cluster')
        self.assertEqual(1, admin.quotas.get(project, 'Cluster').hard_limit)
        self.magnum = self.stack.magnum('other')
        template = self.new_template(user='other')
        self.new_cluster(template=template)
        self.assertRaises(client_exc.Forbidden, self.new_cluster, self.name + '-2',
                          template=template)
        admin.quotas.update(project, 'Cluster',
                            {'project_id': project, 'resource': 'Cluster', 'hard_limit': 2})
        self.new_cluster(self.name + '-2', template=template)

    def test_statistics_count_clusters_and_nodes(self):
        before = self.magnum.stats.list(self.stack.cloud.user('demo').project_id)
        self.new_cluster()
        after = self.magnum.stats.list(self.stack.cloud.user('demo').project_id)
        self.assertEqual((before.clusters + 1, before.nodes + 3), (after.clusters, after.nodes))

    def test_the_conductor_is_listed_as_up(self):
        services = self.stack.magnum('admin').mservices.list()
        self.assertEqual([('magnum-conductor', 'up')], [(s.binary, s.state) for s in services])

    def test_lists_are_paged(self):
        template = self.new_template()
        wanted = {self.new_cluster(f'{self.name}-{n}', template=template, wait=None).uuid
                  for n in range(3)}
        seen, page = [], self.magnum.clusters.list(limit=2)
        while page:
            self.assertLessEqual(len(page), 2)
            seen += [cluster.uuid for cluster in page]
            page = self.magnum.clusters.list(limit=2, marker=seen[-1])
        self.assertEqual(len(seen), len(set(seen)))
        self.assertLessEqual(wanted, set(seen))

    def test_other_projects_see_nothing(self):
        cluster = self.new_cluster()
        other = self.stack.magnum('other')
        self.assertRaises(client_exc.NotFound, other.clusters.get, cluster.uuid)
        self.assertNotIn(cluster.uuid, [c.uuid for c in other.clusters.list()])


class SqliteTest(Lifecycle, base.TestCase):
    """SQLite and an in-process message bus."""


class BarbicanTest(Lifecycle, base.TestCase):
    """Certificates in the key manager service."""

    stack_options = {'certificates': 'barbican'}

    def test_delete_leaves_no_secret(self):
        key_manager = self.stack.cloud.key_manager
        cluster = self.new_cluster()
        stored = objects.Cluster.get_by_uuid(
            magnum_context.make_admin_context(all_tenants=True), cluster.uuid)
        # Other tests of the class have clusters in the same key manager.
        containers = {stored[name].rsplit('/', 1)[1] for name in (
            'ca_cert_ref', 'magnum_cert_ref', 'etcd_ca_cert_ref', 'front_proxy_ca_cert_ref')}
        secrets = {secret['secret_ref'].rsplit('/', 1)[1] for container in containers
                   for secret in key_manager.containers[container]['body']['secret_refs']}
        self.assertEqual((4, 12), (len(containers), len(secrets)))
        self.assertLessEqual(secrets, set(key_manager.secrets))
        self.magnum.clusters.delete(cluster.uuid)
        self.wait_gone(cluster.uuid)
        self.assertEqual(set(), containers & set(key_manager.containers))
        self.assertEqual(set(), secrets & set(key_manager.secrets))


class MariadbTest(Lifecycle, base.TestCase):
    """MariaDB or MySQL, and an in-process message bus."""

    stack_options = {'database': base.new_mariadb}


class PostgresqlTest(Lifecycle, base.TestCase):
    """PostgreSQL, and an in-process message bus."""

    stack_options = {'database': base.new_postgresql}


class RabbitmqTest(Lifecycle, base.TestCase):
    """MariaDB and RabbitMQ: what most clouds run."""

    stack_options = {'database': base.new_mariadb, 'transport': base.rabbitmq_url}
