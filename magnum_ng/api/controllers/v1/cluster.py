# SPDX-License-Identifier: Apache-2.0
"""Clusters."""

import contextlib

from oslo_utils import uuidutils
import pecan
import wsme
from wsme import types as wtypes

from magnum_ng.api import attr_validator
from magnum_ng.api import cluster_views
from magnum_ng.api import defaults
from magnum_ng.api import expose
from magnum_ng.api import labels as label_rules
from magnum_ng.api import patched
from magnum_ng.api import scope
from magnum_ng.api import utils as api_utils
from magnum_ng.api import validation
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers import link
from magnum_ng.api.controllers.v1 import cluster_actions
from magnum_ng.api.controllers.v1 import collection
from magnum_ng.api.controllers.v1 import nodegroup as nodegroup_api
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.conductor import decisions
from magnum_ng.db.sqlalchemy import session
from magnum_ng.db.sqlalchemy import summaries
from magnum_ng.drivers.common import driver
from magnum_ng import objects
from magnum_ng.objects import fields as object_fields

_TEXT = types.StringType(min_length=1, max_length=255)
_SUMMARY = (*cluster_views.CLUSTER_SUMMARY, 'labels', 'stack_id')
_DETAILS = (*cluster_views.CLUSTER_DETAILS, 'labels', 'stack_id', 'health_status_reason',
            'created_at', 'updated_at')
_HEALTH = frozenset({'health_status', 'health_status_reason'})


class ClusterID(types.ClusterID):
    """The cluster that a request was accepted for."""


class ForcedDeletion(wtypes.Base):
    """The cluster whose record was removed, and what it left in the cloud."""

    _wsme_attr_order = ('uuid', 'left')

    uuid = types.uuid
    left = wtypes.DictType(wtypes.text, wtypes.text)


class Cluster(base.APIBase):
    """A cluster in requests and answers."""

    fields = tuple(objects.Cluster.fields)

    uuid = types.uuid
    name = types.StringType(min_length=1, max_length=242, pattern='^[a-zA-Z][a-zA-Z0-9_.-]*$')
    cluster_template_id = wsme.wsattr(wtypes.text, mandatory=True)
    keypair = wsme.wsattr(_TEXT, default=None)
    node_count = wsme.wsattr(types.IntegerType(minimum=0), default=1)
    master_count = wsme.wsattr(types.IntegerType(minimum=1), default=1)
    docker_volume_size = types.IntegerType(minimum=1)
    labels = types.labels
    master_flavor_id = _TEXT
    flavor_id = _TEXT
    create_timeout = wsme.wsattr(types.IntegerType(minimum=0), default=60)
    links = wsme.wsattr([link.Link], readonly=True)
    stack_id = wsme.wsattr(wtypes.text, readonly=True)
    cluster_id = wsme.wsattr(wtypes.text, readonly=True)
    status = types.Enum(wtypes.text, *object_fields.ClusterStatus.ALL)
    status_reason = wtypes.text
    health_status = types.Enum(wtypes.text, *object_fields.ClusterHealthStatus.ALL)
    health_status_reason = wtypes.DictType(wtypes.text, wtypes.text)
    discovery_url = wtypes.text
    api_address = wsme.wsattr(wtypes.text, readonly=True)
    coe_version = wsme.wsattr(wtypes.text, readonly=True)
    container_version = wsme.wsattr(wtypes.text, readonly=True)
    project_id = wsme.wsattr(wtypes.text, readonly=True)
    user_id = wsme.wsattr(wtypes.text, readonly=True)
    node_addresses = wsme.wsattr([wtypes.text], readonly=True)
    master_addresses = wsme.wsattr([wtypes.text], readonly=True)
    faults = wsme.wsattr(wtypes.DictType(wtypes.text, wtypes.text))
    fixed_network = _TEXT
    fixed_subnet = _TEXT
    floating_ip_enabled = types.boolean
    merge_labels = wsme.wsattr(types.boolean, default=False)
    labels_overridden = types.labels
    labels_added = types.labels
    labels_skipped = types.labels
    master_lb_enabled = types.boolean


class ClusterPatchType(types.JsonPatchType):
    _api_base = Cluster

    @staticmethod
    def internal_attrs():
        return types.JsonPatchType.internal_attrs() + [
            '/api_address', '/ca_cert_ref', '/cluster_id', '/etcd_ca_cert_ref',
            '/front_proxy_ca_cert_ref', '/magnum_cert_ref', '/master_addresses',
            '/node_addresses', '/stack_id']


class ClusterCollection(collection.Collection):
    """A page of clusters."""

    clusters = [Cluster]

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._type = 'clusters'


class ClustersController(base.Controller):
    """/v1/clusters"""

    _custom_actions = {'detail': ['GET']}

    nodegroups = nodegroup_api.NodeGroupController()
    actions = cluster_actions.ActionsController()

    # Reading

    @staticmethod
    def _summaries(rows):
        counts = summaries.node_counts([row.uuid for row in rows])
        url, minor = pecan.request.application_url, pecan.request.version.minor
        return [cluster_views.cluster_summary(row, *counts.get(row.uuid, (0, 0)), url, minor)
                for row in rows]

    @staticmethod
    def _details(rows, faults=False):
        sizes = {row.uuid: cluster_views.Sizes() for row in rows}
        for nodegroup in summaries.nodegroups(list(sizes)):
            sizes[nodegroup.cluster_id].add(nodegroup)
        labels = summaries.template_labels(row.cluster_template_id for row in rows)
        url, minor = pecan.request.application_url, pecan.request.version.minor
        return [cluster_views.cluster_details(row, sizes[row.uuid],
                                              labels.get(row.cluster_template_id), url, minor,
                                              faults)
                for row in rows]

    def _page(self, names, render, path, query, marker, limit, sort_key, sort_dir):
        context = pecan.request.context
        limit = self.listing(limit, sort_dir)
        filters = {key: value for key, value in query.items()
                   if value is not None and key != 'all_tenants'}
        with session.reader():
            if 'status' in filters:
                filters['status'] = validation.statuses(filters['status'])
            if 'cluster_template_id' in filters:
                filters['cluster_template_id'] = self._template_uuid(
                    filters['cluster_template_id'])
            after = objects.Cluster.get_by_uuid(context, marker) if marker else None
            rows = summaries.clusters(context, names, filters, limit, after, sort_key, sort_dir)
            items = render(rows)
        return cluster_views.page('clusters', items, rows, limit, pecan.request.application_url,
                                  path, {'sort_key': sort_key, 'sort_dir': sort_dir, **query})

    @staticmethod
    def _template_uuid(ident):
        if uuidutils.is_uuid_like(ident):
            return ident
        return api_utils.get_resource('ClusterTemplate', ident).uuid

    @expose.expose(ClusterCollection, types.uuid, int, wtypes.text, wtypes.text, wtypes.text,
                   wtypes.text, wtypes.text, wtypes.text, types.boolean)
    def get_all(self, marker=None, limit=None, sort_key='id', sort_dir='asc', name=None,
                status=None, cluster_template_id=None, project_id=None, all_tenants=None):
        """List clusters with a part of their attributes."""
        self.authorize('cluster:get_all')
        scope.of_list('cluster:get_all_all_projects', project_id, all_tenants)
        query = {'name': name, 'status': status, 'cluster_template_id': cluster_template_id,
                 'project_id': project_id, 'all_tenants': all_tenants}
        return self._page(_SUMMARY, self._summaries, 'clusters', query, marker, limit, sort_key,
                          sort_dir)

    @expose.expose(ClusterCollection, types.uuid, int, wtypes.text, wtypes.text, wtypes.text,
                   wtypes.text, wtypes.text, wtypes.text, types.boolean)
    def detail(self, marker=None, limit=None, sort_key='id', sort_dir='asc', name=None,
               status=None, cluster_template_id=None, project_id=None, all_tenants=None):
        """List clusters with all their attributes."""
        self.authorize('cluster:detail')
        scope.of_list('cluster:detail_all_projects', project_id, all_tenants)
        self.check_detail('clusters')
        query = {'name': name, 'status': status, 'cluster_template_id': cluster_template_id,
                 'project_id': project_id, 'all_tenants': all_tenants}
        return self._page(_DETAILS, self._details, 'clusters/detail', query, marker, limit,
                          sort_key, sort_dir)

    @expose.expose(Cluster, types.uuid_or_name)
    def get_one(self, cluster_ident):
        """Show a cluster, and why nodegroups of it failed."""
        self.widen('cluster:get_one_all_projects')
        with session.reader():
            cluster = api_utils.get_resource('Cluster', cluster_ident)
            self.authorize('cluster:get', cluster)
            return self._details([cluster], faults=True)[0]

    # Creating

    @base.Controller.api_version('1.1', '1.9')
    @expose.expose(ClusterID, body=Cluster, status_code=202)
    def post(self, cluster):
        """Create a cluster; a template that does not exist makes the request a bad one."""
        try:
            template = self._template(cluster)
        except exception.ClusterTemplateNotFound as error:
            error.code = 400
            raise
        return self._create(cluster, template)

    @base.Controller.api_version('1.10')  # noqa: F811
    @expose.expose(ClusterID, body=Cluster, status_code=202)
    def post(self, cluster):  # noqa: F811
        """Create a cluster."""
        return self._create(cluster, self._template(cluster))

    @staticmethod
    def _template(cluster):
        ident = cluster.cluster_template_id
        validation.check_given('cluster_template_id', ident)
        try:
            return api_utils.get_resource('ClusterTemplate', ident)
        except exception.ClusterTemplateNotFound:
            if not ident.isdecimal():
                raise
            return objects.ClusterTemplate.get_by_id(pecan.request.context, ident)

    def _create(self, cluster, template):
        context = pecan.request.context
        draft = defaults.new_cluster(cluster)
        request = validation.Request(
            context, pecan.request.version.minor, cluster=draft, template=template,
            driver=driver.resolve(template), node_count=draft.node_count)
        validation.run(validation.NEW_CLUSTER, request)
        self.authorize('cluster:create')
        validation.run(validation.CHOSEN_TEMPLATE, request)
        self._inherit_keypair(context, draft, template)
        defaults.inherit_from_template(draft, template)
        validation.run(validation.INHERITED_CLUSTER, request)
        validation.warn_of_retired(labels=draft.labels)
        self._check_resources(context, draft, template)
        new = self._build(context, draft, template)
        with decisions.create_cluster(context, new, draft.master_count, draft.node_count,
                                      new.create_timeout):
            pecan.request.rpcapi.cluster_create_async(
                new, draft.master_count, draft.node_count, new.create_timeout)
        return ClusterID(new.uuid)

    @staticmethod
    def _inherit_keypair(context, cluster, template):
        """Do not inherit the key pair of another user who keeps it to himself."""
        inherited = cluster.keypair is None and template.keypair_id
        if not inherited or template.user_id == context.user_id:
            return
        try:
            attr_validator.validate_keypair(clients.OpenStackClients(context),
                                            template.keypair_id)
        except exception.KeyPairNotFound:
            cluster.no_keypair = True

    @staticmethod
    def _check_resources(context, cluster, template):
        cli = clients.OpenStackClients(context)
        with contextlib.suppress(exception.MagnumException):
            # Whoever needs the answers is told why there are none.
            attr_validator.prefetch(cli, {**template.as_dict(), **cluster}, cluster)
        size = label_rules.root_volume_size(cluster.labels)
        for flavor in (cluster.flavor_id, cluster.master_flavor_id):
            if flavor:
                attr_validator.validate_flavor_root_volume_size(cli, flavor, size)
        attr_validator.validate_os_resources(context, template.as_dict(), dict(cluster))
        validation.check_master_count(cluster.master_count, cluster.master_lb_enabled)

    @staticmethod
    def _build(context, draft, template):
        values = {name: draft[name] for name in draft if name in objects.Cluster.fields}
        values.update(cluster_template_id=template.uuid, project_id=context.project_id,
                      user_id=context.user_id)
        values.setdefault('create_timeout', Cluster.create_timeout.default)
        new = objects.Cluster(context, **values)
        new.cluster_template = template
        return new

    # Changing

    @base.Controller.api_version('1.1', '1.2')
    @expose.expose(ClusterID, types.uuid_or_name, body=[ClusterPatchType], status_code=202)
    def patch(self, cluster_ident, patch):
        """Change the size of a cluster, or report its health."""
        return self._patch(cluster_ident, patch)

    @base.Controller.api_version('1.3')  # noqa: F811
    @expose.expose(ClusterID, types.uuid_or_name, types.boolean, body=[ClusterPatchType],
                   status_code=202)
    def patch(self, cluster_ident, rollback=False, patch=None):  # noqa: F811
        """Change the size of a cluster, or report its health."""
        validation.check_given('patch', patch)
        return self._patch(cluster_ident, patch, bool(rollback))

    def _patch(self, cluster_ident, patch, rollback=False):
        context = self.widen('cluster:update_all_projects')
        cluster = api_utils.get_resource('Cluster', cluster_ident)
        self.authorize('cluster:update', cluster)
        self.authorize('cluster:update_health_status')
        before, after = patched.apply(Cluster, cluster.as_dict(), patch)
        changed = {name for name in after if after[name] != before[name]}
        validation.validate_cluster_properties(changed)
        if any(operation['path'] == '/node_count' for operation in patch):
            self._set_size(context, cluster, after['node_count'], rollback)
        if changed & _HEALTH:
            decisions.report_health(context, cluster, after['health_status'],
                                    after['health_status_reason'])
        return ClusterID(cluster.uuid)

    @staticmethod
    def _set_size(context, cluster, count, rollback):
        nodegroup = cluster.default_ng_worker
        request = validation.Request(context, pecan.request.version.minor, node_count=count,
                                     nodegroup=nodegroup)
        validation.run(validation.WORKERS, request)
        if count == nodegroup.node_count:
            return
        validation.size_is_within_bounds(request)
        with decisions.update_cluster(context, cluster, count, rollback) as operation:
            if operation:
                pecan.request.rpcapi.cluster_update_async(
                    cluster, count, cluster.health_status, cluster.health_status_reason, rollback)

    # Deleting

    @expose.expose(None, types.uuid_or_name, types.boolean, status_code=204)
    def delete(self, cluster_ident, force=False):
        """Delete a cluster; ``force`` removes the record of one that its driver cannot delete."""
        context = self.widen('cluster:delete_all_projects')
        cluster = api_utils.get_resource('Cluster', cluster_ident)
        self.authorize('cluster:delete', cluster)
        if force:
            return self._force_delete(context, cluster)
        with decisions.delete_cluster(context, cluster) as operation:
            if operation:
                pecan.request.rpcapi.cluster_delete_async(cluster.uuid)
        return None

    def _force_delete(self, context, cluster):
        self.authorize('cluster:force_delete')
        left = decisions.force_delete_cluster(context, cluster)
        answer = {'uuid': cluster.uuid, 'left': left}
        return wsme.api.Response(answer, status_code=200, return_type=ForcedDeletion)
