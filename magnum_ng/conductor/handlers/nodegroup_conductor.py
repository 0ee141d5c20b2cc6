# SPDX-License-Identifier: Apache-2.0
"""Endpoint: create, update and delete nodegroups."""

from magnum_ng.conductor import acceptance
from magnum_ng.conductor import intake
from magnum_ng.conductor import states


class Handler:

    def nodegroup_create(self, context, cluster, nodegroup):
        return self._take(context, states.NODEGROUP_CREATE, acceptance.create_nodegroup,
                          cluster, nodegroup)

    def nodegroup_update(self, context, cluster, nodegroup):
        return self._take(context, states.NODEGROUP_UPDATE, acceptance.update_nodegroup,
                          cluster, nodegroup)

    def nodegroup_delete(self, context, cluster, nodegroup):
        self._take(context, states.NODEGROUP_DELETE, acceptance.delete_nodegroup,
                   cluster, nodegroup)

    @staticmethod
    def _take(context, action, accept, cluster, nodegroup):
        return intake.take(
            context, action, lambda owner: accept(context, cluster, nodegroup, owner), cluster,
            (action, {'cluster': cluster, 'nodegroup': nodegroup}))
