# SPDX-License-Identifier: Apache-2.0
"""openstacksdk, and python-magnumclient as a library."""

from magnum_clients import pki
from magnum_clients import report


class Walk:
    def __init__(self, found, cloud, prefix):
        self.report = found
        self.cloud = cloud
        self.prefix = prefix
        self.proxy = cloud.connection.container_infrastructure_management

    def run(self):
        self.report.begin('openstacksdk')
        check = self.report.check
        try:
            check('create_cluster_template', self._template, self.prefix)
            check('find_cluster_template', self._found_by_name)
            check('update_cluster_template', self._update_template)
            check('cluster_templates', self._lists_templates)
            check('create_cluster, visible at once', self._create)
            check('wait_for_status', self._wait, 'CREATE_COMPLETE')
            check('get_cluster, find_cluster, clusters', self._read)
            check('update_cluster with a fetched object', self._update)
            check('wait_for_status', self._wait, 'UPDATE_COMPLETE')
            check('update_cluster by id alone is refused as a bad request', self._update_by_id)
            check('Cluster.resize (its own mistake with the answer aside)', self._resize)
            check('wait_for_status', self._wait, 'UPDATE_COMPLETE')
            check('certificates', self._certificates)
            check('services', self._services)
            check('the cloud layer: list_coe_clusters, list_cluster_templates', self._cloud_layer)
            self.report.begin('python-magnumclient')
            self._library()
        finally:
            self.report.begin('openstacksdk, the end')
            check('delete_cluster, wait_for_delete', self._delete)
            check('delete_cluster_template', self._delete_template)

    def _template(self, name):
        return self.proxy.create_cluster_template(
            name=name, image_id=self.cloud.image, external_network_id=self.cloud.network,
            flavor_id=self.cloud.flavor, master_flavor_id=self.cloud.flavor,
            keypair_id=self.cloud.keypair, coe='kubernetes', network_driver='flannel',
            labels={'a': '1'})

    def _found_by_name(self):
        found = self.proxy.find_cluster_template(self.prefix, ignore_missing=False)
        # What was given is answered as it was given.
        report.ensure(found.image_id == self.cloud.image, f'image_id is {found.image_id}')
        report.ensure(found.labels == {'a': '1'}, f'labels are {found.labels}')
        report.ensure(self.proxy.find_cluster_template('no-such') is None, 'found no-such')

    def _update_template(self):
        found = self.proxy.find_cluster_template(self.prefix)
        self.proxy.update_cluster_template(found, dns_nameserver='9.9.9.9')
        found = self.proxy.get_cluster_template(found.id)
        report.ensure(found.dns_nameserver == '9.9.9.9', found.dns_nameserver)

    def _lists_templates(self):
        names = [each.name for each in self.proxy.cluster_templates(limit=1)]
        report.ensure(self.prefix in names, names)

    def _create(self):
        template = self.proxy.find_cluster_template(self.prefix)
        made = self.proxy.create_cluster(
            name=self.prefix, cluster_template_id=template.uuid, master_count=1, node_count=1)
        report.ensure(made.id, 'no id')
        found = self.proxy.get_cluster(made.id)
        report.ensure(found.status == 'CREATE_IN_PROGRESS', found.status)

    def _cluster(self):
        return self.proxy.find_cluster(self.prefix, ignore_missing=False)

    def _wait(self, status):
        self.proxy.wait_for_status(self._cluster(), status,
                                   failures=['CREATE_FAILED', 'UPDATE_FAILED'], interval=1,
                                   wait=90)

    def _read(self):
        found = self._cluster()
        template = self.proxy.find_cluster_template(self.prefix)
        report.ensure(found.cluster_template_id == template.uuid, found.cluster_template_id)
        report.ensure(found.stack_id, 'no stack_id at 1.1')
        report.ensure(self.proxy.get_cluster(found.uuid).name == self.prefix, 'another one')
        report.ensure(found.uuid in [each.uuid for each in self.proxy.clusters()],
                      'not in the list')

    def _update(self):
        self.proxy.update_cluster(self.proxy.get_cluster(self._cluster().uuid), node_count=2)

    def _update_by_id(self):
        from openstack import exceptions
        try:
            self.proxy.update_cluster(self._cluster().uuid, node_count=3)
        except exceptions.BadRequestException:
            return
        report.ensure(False, 'it was accepted')

    def _resize(self):
        try:
            # Its default is 1.1, which has no such action.
            proxy = self.cloud.connect(
                container_infrastructure_management_default_microversion='1.7')
            self._cluster().resize(proxy.container_infrastructure_management, node_count=1)
        except TypeError:
            # It reads the response as if it were a dictionary, when all is done.
            pass

    def _certificates(self):
        uuid = self._cluster().uuid
        authority = self.proxy.get_cluster_certificate(uuid)
        made = self.proxy.create_cluster_certificate(cluster_uuid=uuid, csr=pki.request('sdk'))
        pki.check_signed(made.pem, authority.pem)

    def _services(self):
        found = list(self.cloud.admin.container_infrastructure_management.services())
        report.ensure([each.binary for each in found] == ['magnum-conductor'], found)

    def _cloud_layer(self):
        connection = self.cloud.connection
        report.ensure(self.prefix in [each.name for each in connection.list_coe_clusters()],
                      'not in the list of clusters')
        report.ensure(
            self.prefix in [each.name for each in connection.list_cluster_templates()],
            'not in the list of templates')

    # -- python-magnumclient -----------------------------------------------------------------
    def _library(self):
        from magnumclient import client

        magnum = client.Client('1', session=self.cloud.connection.session, api_version='latest',
                               region_name=self.cloud.variables.get('OS_REGION_NAME'))
        check, uuid = self.report.check, self._cluster().uuid
        check('clusters.list with limit and marker', lambda: report.ensure(
            magnum.clusters.list(marker=magnum.clusters.list(
                sort_key='created_at', sort_dir='asc')[-1].uuid,
                sort_key='created_at', sort_dir='asc') == [], 'more after the last'))
        check('clusters.update with rollback', lambda: magnum.clusters.update(
            uuid, [{'op': 'replace', 'path': '/node_count', 'value': 2}], rollback=True))
        check('wait for it', self._wait, 'UPDATE_COMPLETE')
        check('nodegroups.list', lambda: report.ensure(
            len(magnum.nodegroups.list(uuid)) == 2, 'not two'))
        check('cluster_templates.list in detail', lambda: report.ensure(
            any(each.name == self.prefix
                for each in magnum.cluster_templates.list(detail=True)), 'not in the list'))
        check('certificates.get', lambda: magnum.certificates.get(cluster_uuid=uuid).pem)

    def _delete(self):
        found = self._cluster()
        self.proxy.delete_cluster(found)
        report.until('deletion', lambda: self.proxy.find_cluster(self.prefix) is None)

    def _delete_template(self):
        self.proxy.delete_cluster_template(self.proxy.find_cluster_template(self.prefix))
        report.ensure(self.proxy.find_cluster_template(self.prefix) is None, 'still there')
