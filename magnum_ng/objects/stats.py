# SPDX-License-Identifier: Apache-2.0
"""How many clusters and nodes there are."""

from magnum_ng.objects import base
from magnum_ng.objects import fields


@base.MagnumObjectRegistry.register
class Stats(base.MagnumObject, base.MagnumObjectDictCompat):
    VERSION = '1.0'

    fields = {
        'clusters': fields.IntegerField(),
        'nodes': fields.IntegerField(nullable=True),
    }

    @classmethod
    @base.remotable
    def get_cluster_stats(cls, context, project_id=None):
        """Of one project, or of all of them."""
        clusters, nodes = cls.dbapi.get_cluster_stats(context, project_id)
        stats = cls(context, clusters=clusters, nodes=nodes)
        stats.obj_reset_changes()
        return stats
