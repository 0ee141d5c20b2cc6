# SPDX-License-Identifier: Apache-2.0
"""Nodegroups of a cluster."""

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
from magnum_ng.api.controllers.v1 import collection
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.conductor import decisions
from magnum_ng.db.sqlalchemy import session
from magnum_ng.drivers.common import driver
from magnum_ng import objects
from magnum_ng.objects import fields as object_fields

_TEXT = types.StringType(min_length=1, max_length=255)
_COUNT = types.IntegerType(minimum=0)


class NodeGroup(base.APIBase):
    """A nodegroup in requests and answers."""

    fields = tuple(objects.NodeGroup.fields)

    id = types.IntegerType(minimum=1)
    uuid = types.uuid
    name = wsme.wsattr(_TEXT, default=None)
    cluster_id = types.uuid
    project_id = wsme.wsattr(wtypes.text, readonly=True)
    docker_volume_size = types.IntegerType(minimum=1)
    labels = types.labels
    links = wsme.wsattr([link.Link], readonly=True)
    flavor_id = _TEXT
    image_id = _TEXT
    node_addresses = wsme.wsattr([wtypes.text], readonly=True)
    node_count = wsme.wsattr(_COUNT, default=1)
    role = wsme.wsattr(_TEXT, default='worker')
    min_node_count = wsme.wsattr(_COUNT, default=0)
    max_node_count = wsme.wsattr(_COUNT, default=None)
    is_default = types.boolean
    stack_id = wsme.wsattr(wtypes.text, readonly=True)
    status = types.Enum(wtypes.text, *object_fields.ClusterStatus.ALL)
    status_reason = wtypes.text
    version = wtypes.text
    merge_labels = wsme.wsattr(types.boolean, default=False)
    labels_overridden = types.labels
    labels_added = types.labels
    labels_skipped = types.labels
    node_labels = wtypes.DictType(wtypes.text, wtypes.text)
    node_taints = [wtypes.DictType(wtypes.text, wtypes.text)]


class NodeGroupPatchType(types.JsonPatchType):
    _api_base = NodeGroup

    @staticmethod
    def internal_attrs():
        return types.JsonPatchType.internal_attrs() + [
            '/cluster_id', '/docker_volume_size', '/flavor_id', '/image_id', '/is_default',
            '/labels', '/name', '/node_addresses', '/node_count', '/role', '/stack_id', '/status',
            '/status_reason', '/version']


class NodeGroupCollection(collection.Collection):
    """A page of nodegroups."""

    nodegroups = [NodeGroup]

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._type = 'nodegroups'


class NodeGroupController(base.Controller):
    """/v1/clusters/{cluster_id}/nodegroups"""

    # Reading

    @base.Controller.api_version('1.9')
    @expose.expose(NodeGroupCollection, types.uuid_or_name, types.uuid, int, wtypes.text,
                   wtypes.text, wtypes.text, wtypes.text, wtypes.text)
    def get_all(self, cluster_id, marker=None, limit=None, sort_key='id', sort_dir='asc',
                role=None, name=None, status=None):
        """List the nodegroups of a cluster."""
        context = self.authorize('nodegroup:get_all')
        self.widen('nodegroup:get_all_all_projects')
        filters = {key: value for key, value in (('role', role), ('name', name))
                   if value is not None}
        if status is not None:
            filters['status'] = validation.statuses(status)
        limit = self.listing(limit, sort_dir)
        with session.reader():
            cluster = api_utils.get_resource('Cluster', cluster_id)
            after = objects.NodeGroup.get(context, cluster.uuid, marker) if marker else None
            rows = objects.NodeGroup.list(context, cluster.uuid, limit=limit, marker=after,
                                          sort_key=sort_key, sort_dir=sort_dir, filters=filters)
        return cluster_views.page(
            'nodegroups', [cluster_views.nodegroup_summary(row) for row in rows], rows, limit,
            pecan.request.application_url, f'clusters/{cluster.uuid}/nodegroups',
            {'sort_key': sort_key, 'sort_dir': sort_dir, 'role': role, 'name': name,
             'status': status})

    @base.Controller.api_version('1.9')
    @expose.expose(NodeGroup, types.uuid_or_name, types.uuid_or_name)
    def get_one(self, cluster_id, nodegroup_id):
        """Show a nodegroup."""
        context = self.authorize('nodegroup:get')
        self.widen('nodegroup:get_one_all_projects')
        with session.reader():
            cluster = api_utils.get_resource('Cluster', cluster_id)
            nodegroup = objects.NodeGroup.get(context, cluster.uuid, nodegroup_id)
        return self._view(nodegroup, cluster)

    @staticmethod
    def _view(nodegroup, cluster):
        return cluster_views.nodegroup_details(nodegroup, cluster, pecan.request.application_url)

    # Writing

    @base.Controller.api_version('1.9')
    @expose.expose(NodeGroup, types.uuid_or_name, body=NodeGroup, status_code=202)
    def post(self, cluster_id, nodegroup):
        """Add a nodegroup to a cluster."""
        context = self.authorize('nodegroup:create')
        scope.reach('nodegroup:create_all_projects')
        cluster = api_utils.get_resource('Cluster', cluster_id)
        draft = defaults.new_nodegroup(nodegroup)
        template = template_of(cluster)
        request = validation.Request(context, cluster=cluster, nodegroup=draft,
                                     driver=driver_of(template))
        validation.run(validation.NEW_NODEGROUP, request)
        self._check_name_is_free(cluster, draft.name)
        image_id = draft.image_id
        defaults.inherit_from_cluster(draft, cluster, image_of(cluster, template))
        validation.run(validation.NEW_NODEGROUP_CONTENT, request)
        self._check_resources(context, draft, cluster, image_id)
        draft.pop('merge_labels')
        new = objects.NodeGroup(context, cluster_id=cluster.uuid, is_default=False,
                                project_id=cluster.project_id, **draft)
        with decisions.create_nodegroup(context, cluster, new):
            pecan.request.rpcapi.nodegroup_create_async(cluster, new)
        return self._view(new, cluster)

    @base.Controller.api_version('1.9')
    @expose.expose(NodeGroup, types.uuid_or_name, types.uuid_or_name, body=[NodeGroupPatchType],
                   status_code=202)
    def patch(self, cluster_id, nodegroup_id, patch):
        """Change the bounds, labels or taints of a nodegroup."""
        context = scope.reach('nodegroup:update_all_projects')
        cluster = api_utils.get_resource('Cluster', cluster_id)
        self.authorize('nodegroup:update')
        nodegroup = objects.NodeGroup.get(context, cluster.uuid, nodegroup_id)
        before, after = patched.apply(NodeGroup, nodegroup.as_dict(), patch)
        validation.run(validation.NODEGROUP,
                       validation.Request(context, nodegroup=validation.Draft(after)))
        for name, value in after.items():
            if before.get(name) != value:
                setattr(nodegroup, name, value)
        if nodegroup.obj_what_changed():
            with decisions.update_nodegroup(context, cluster, nodegroup):
                pecan.request.rpcapi.nodegroup_update_async(cluster, nodegroup)
        return self._view(nodegroup, cluster)

    @base.Controller.api_version('1.9')
    @expose.expose(None, types.uuid_or_name, types.uuid_or_name, status_code=204)
    def delete(self, cluster_id, nodegroup_id):
        """Remove a nodegroup from a cluster."""
        context = self.authorize('nodegroup:delete')
        scope.reach('nodegroup:delete_all_projects')
        cluster = api_utils.get_resource('Cluster', cluster_id)
        nodegroup = objects.NodeGroup.get(context, cluster.uuid, nodegroup_id)
        validation.run(validation.DELETED_NODEGROUP,
                       validation.Request(context, nodegroup=nodegroup))
        with decisions.delete_nodegroup(context, cluster, nodegroup) as operation:
            if operation:
                pecan.request.rpcapi.nodegroup_delete_async(cluster, nodegroup)

    @staticmethod
    def _check_name_is_free(cluster, name):
        # The insert is what decides; this only gives the text with the cluster's name.
        try:
            objects.NodeGroup.get_by_name(pecan.request.context, cluster.uuid, name)
        except exception.NodeGroupNotFound:
            return
        raise exception.NodeGroupAlreadyExists(name=name, cluster_id=cluster.name)

    @staticmethod
    def _check_resources(context, nodegroup, cluster, image_id):
        cli = clients.OpenStackClients(context)
        if nodegroup.flavor_id:
            size = label_rules.root_volume_size({**cluster.labels, **nodegroup.labels})
            attr_validator.validate_flavor_root_volume_size(cli, nodegroup.flavor_id, size)
        if image_id:
            attr_validator.validate_image(cli, image_id)


def template_of(cluster):
    """The template of a cluster, whoever may choose it; None where the row is gone."""
    try:
        return cluster.cluster_template
    except exception.ClusterTemplateNotFound:
        return None


def image_of(cluster, template):
    """The image of a cluster, also of one whose template is gone."""
    return template.image_id if template else cluster.default_ng_worker.image_id


def driver_of(template):
    """The driver of a template, None where there is no template or driver any more."""
    try:
        return driver.resolve(template, existing=True) if template else None
    except exception.NotSupported:
        return None
