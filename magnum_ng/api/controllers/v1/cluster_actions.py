# SPDX-License-Identifier: Apache-2.0
"""Actions on a cluster: resize and upgrade."""

import pecan
import wsme

from magnum_ng.api import expose
from magnum_ng.api import scope
from magnum_ng.api import utils as api_utils
from magnum_ng.api import validation
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers.v1 import nodegroup as nodegroup_api
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import exception
from magnum_ng.conductor import decisions
from magnum_ng.drivers.common import driver
from magnum_ng import objects

_TEXT = types.StringType(min_length=1, max_length=255)


class ClusterID(types.ClusterID):
    """The cluster that an action was accepted for."""


class ClusterResizeRequest(base.APIBase):
    """The size that a nodegroup is to have, and the nodes to give up first."""

    node_count = wsme.wsattr(types.IntegerType(minimum=0), mandatory=True)
    nodes_to_remove = wsme.wsattr([_TEXT], default=[])
    nodegroup = _TEXT


class ClusterUpgradeRequest(base.APIBase):
    """The template that a nodegroup is to follow."""

    max_batch_size = types.IntegerType(minimum=1)
    nodegroup = _TEXT
    cluster_template = _TEXT


class ActionsController(base.Controller):
    """/v1/clusters/{cluster_ident}/actions"""

    _custom_actions = {'resize': ['POST'], 'upgrade': ['POST']}

    @base.Controller.api_version('1.7')
    @expose.expose(ClusterID, types.uuid_or_name, body=ClusterResizeRequest, status_code=202)
    def resize(self, cluster_ident, cluster_resize_req):
        """Change the number of nodes of a nodegroup."""
        minor = pecan.request.version.minor
        count = cluster_resize_req.node_count
        validation.check_given('node_count', count)
        request = validation.Request(pecan.request.context, minor, node_count=count,
                                     nodes_to_remove=cluster_resize_req.nodes_to_remove or [])
        validation.run(validation.WORKERS, request)
        context = scope.reach('cluster:resize_all_projects')
        cluster = api_utils.get_resource('Cluster', cluster_ident)
        self.authorize('cluster:resize', cluster)
        nodegroup = request.nodegroup = self._nodegroup(cluster, cluster_resize_req.nodegroup)
        if validation.is_master(nodegroup):
            request.driver = driver.resolve(cluster.cluster_template)
        validation.run(validation.RESIZE, request)
        with decisions.resize_cluster(context, cluster, count, request.nodes_to_remove,
                                      nodegroup):
            pecan.request.rpcapi.cluster_resize_async(cluster, count, request.nodes_to_remove,
                                                      nodegroup)
        return ClusterID(cluster.uuid)

    @base.Controller.api_version('1.7', '1.7')
    @expose.expose(ClusterID, types.uuid_or_name, body=ClusterUpgradeRequest, status_code=202)
    def upgrade(self, cluster_ident, cluster_upgrade_req):
        """Refuse; the action came with 1.8."""
        raise exception.ClusterUpgradeNotSupported()

    @base.Controller.api_version('1.8')  # noqa: F811
    @expose.expose(ClusterID, types.uuid_or_name, body=ClusterUpgradeRequest, status_code=202)
    def upgrade(self, cluster_ident, cluster_upgrade_req):  # noqa: F811
        """Bring a cluster, or one of its nodegroups, to a template."""
        context = self.widen('cluster:upgrade_all_projects')
        cluster = api_utils.get_resource('Cluster', cluster_ident)
        self.authorize('cluster:upgrade', cluster)
        now = nodegroup_api.template_of(cluster)
        template = self._target(cluster, now, cluster_upgrade_req.cluster_template)
        nodegroup = self._nodegroup(cluster, cluster_upgrade_req.nodegroup)
        request = validation.Request(context, cluster=cluster, template=template, before=now,
                                     nodegroup=nodegroup, driver=nodegroup_api.driver_of(now))
        validation.run(validation.UPGRADE, request)
        batch = cluster_upgrade_req.max_batch_size or 1
        with decisions.upgrade_cluster(context, cluster, template, batch, nodegroup):
            pecan.request.rpcapi.cluster_upgrade_async(cluster, template, batch, nodegroup)
        return ClusterID(cluster.uuid)

    @staticmethod
    def _nodegroup(cluster, ident):
        if not ident:
            return cluster.default_ng_worker
        return objects.NodeGroup.get(pecan.request.context, cluster.uuid, ident)

    @staticmethod
    def _target(cluster, now, ident):
        validation.check_given('cluster_template', ident)
        try:
            return api_utils.get_resource('ClusterTemplate', ident)
        except exception.ClusterTemplateNotFound:
            # The one that the cluster has already may be hidden by now.
            if now is None or ident not in (now.uuid, now.name):
                raise
            return now
