# SPDX-License-Identifier: Apache-2.0
"""``/v1/credentials``: give a cluster new credentials of whoever asks for it, since 1.12."""

import pecan

from magnum_ng.api import expose
from magnum_ng.api import scope
from magnum_ng.api import utils as api_utils
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers.v1 import types
from magnum_ng.conductor import decisions


class ClusterID(types.ClusterID):
    """The cluster that a request was about."""


class CredentialsController(base.Controller):
    """The credentials with which a cluster reaches the cloud."""

    @base.Controller.api_version('1.12')
    @expose.expose(ClusterID, types.uuid_or_name, status_code=202)
    def patch(self, cluster_ident):
        """Give a cluster new credentials of the caller; answers before it is done.

        :param cluster_ident: UUID or name of a cluster.
        """
        context = scope.reach('credential:rotate_all_projects')
        if not context.all_tenants:
            self.authorize('credential:rotate')
        pecan.request.authorized = True
        cluster = api_utils.get_resource('Cluster', cluster_ident)
        with decisions.rotate_credential(context, cluster):
            pecan.request.rpcapi.credential_rotate(cluster)
        return ClusterID(cluster.uuid)
