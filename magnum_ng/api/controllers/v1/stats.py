# SPDX-License-Identifier: Apache-2.0
"""``/v1/stats``: how many clusters and nodes a project, or everybody together, has."""

from wsme import types as wtypes

from magnum_ng import objects
from magnum_ng.api import expose
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import exception
from magnum_ng.i18n import _

TYPES = ('cluster',)


class Stats(base.APIBase):
    """How many clusters and nodes there are."""

    clusters = types.IntegerType(minimum=0)
    nodes = types.IntegerType(minimum=0)


class StatsController(base.Controller):
    """Statistics of a project, or of all of them for administrators."""

    @expose.expose(Stats, wtypes.text, wtypes.text)
    def get_all(self, project_id=None, type='cluster'):
        """Count clusters and nodes, masters included.

        :param project_id: without it, an administrator gets the sums over all projects.
        """
        context = self.authorize('stats:get_all')
        if type is None or type.lower() not in TYPES:
            raise exception.InvalidParameterValue(
                _("Invalid stats type. Allowed values are '%s'") % "', '".join(TYPES))
        if not context.is_admin:
            if project_id not in (None, context.project_id):
                raise exception.NotAuthorized()
            project_id = context.project_id
        found = objects.Stats.get_cluster_stats(context, project_id)
        return Stats(clusters=found.clusters, nodes=found.nodes or 0)
