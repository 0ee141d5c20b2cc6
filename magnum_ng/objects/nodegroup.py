# SPDX-License-Identifier: Apache-2.0
"""Nodegroups: the nodes of one cluster that are alike."""

from oslo_utils import strutils
from oslo_utils import uuidutils

from magnum_ng.objects import base
from magnum_ng.objects import fields


@base.MagnumObjectRegistry.register
class NodeGroup(base.MagnumPersistentObject, base.MagnumObject, base.MagnumObjectDictCompat):
    """``cluster_id``, and every argument that names a cluster here, is the cluster's uuid."""

    VERSION = '1.2'

    FIELDS_SINCE = {'1.2': ('node_labels', 'node_taints')}

    fields = {
        'id': fields.IntegerField(),
        'uuid': fields.UUIDField(),
        'name': fields.StringField(),
        'cluster_id': fields.StringField(),
        'project_id': fields.StringField(),
        'docker_volume_size': fields.IntegerField(nullable=True),
        'labels': fields.DictOfStringsField(nullable=True),
        'flavor_id': fields.StringField(nullable=True),
        'image_id': fields.StringField(nullable=True),
        'node_addresses': fields.ListOfStringsField(nullable=True),
        'node_count': fields.IntegerField(nullable=False, default=1),
        'role': fields.StringField(),
        'max_node_count': fields.IntegerField(nullable=True),
        'min_node_count': fields.IntegerField(nullable=False, default=0),
        'is_default': fields.BooleanField(default=False),
        'stack_id': fields.StringField(nullable=True),
        'status': fields.ClusterStatusField(nullable=True),
        'status_reason': fields.StringField(nullable=True),
        'version': fields.StringField(nullable=True),
        'node_labels': fields.DictOfStringsField(nullable=True),
        'node_taints': fields.ListOfDictsField(nullable=True),
    }

    @classmethod
    @base.remotable
    def get(cls, context, cluster_id, nodegroup_id):
        """By id, uuid or name, whichever the argument looks like."""
        if strutils.is_int_like(nodegroup_id):
            return cls.get_by_id(context, cluster_id, nodegroup_id)
        if uuidutils.is_uuid_like(nodegroup_id):
            return cls.get_by_uuid(context, cluster_id, nodegroup_id)
        return cls.get_by_name(context, cluster_id, nodegroup_id)

    @classmethod
    @base.remotable
    def get_by_id(cls, context, cluster, id_):
        return cls._from_row(context, cls.dbapi.get_nodegroup_by_id(context, cluster, id_))

    @classmethod
    @base.remotable
    def get_by_uuid(cls, context, cluster, uuid):
        return cls._from_row(context, cls.dbapi.get_nodegroup_by_uuid(context, cluster, uuid))

    @classmethod
    @base.remotable
    def get_by_name(cls, context, cluster, name):
        return cls._from_row(context, cls.dbapi.get_nodegroup_by_name(context, cluster, name))

    @classmethod
    @base.remotable
    def get_count_all(cls, context, cluster_id):
        return cls.dbapi.get_cluster_nodegroup_count(context, cluster_id)

    @classmethod
    @base.remotable
    def list(cls, context, cluster_id, limit=None, marker=None, sort_key=None, sort_dir=None,
             filters=None):
        rows = cls.dbapi.list_cluster_nodegroups(
            context, cluster_id, filters=filters, limit=limit, marker=marker,
            sort_key=sort_key, sort_dir=sort_dir)
        return cls._from_rows(context, rows)

    @classmethod
    @base.remotable
    def update_nodegroup(cls, context, cluster_id, nodegroup_id, values):
        """Change a row without reading it first, and return what it then is."""
        row = cls.dbapi.update_nodegroup(cluster_id, nodegroup_id, values)
        return cls._from_row(context, row)

    @base.remotable
    def create(self, context=None):
        self._from_db_object(self, self.dbapi.create_nodegroup(self._column_changes()))

    @base.remotable
    def destroy(self, context=None):
        self.dbapi.destroy_nodegroup(self.cluster_id, self.uuid)
        self.obj_reset_changes()

    @base.remotable
    def save(self, context=None):
        self.dbapi.update_nodegroup(self.cluster_id, self.uuid, self._column_changes())
        self.obj_reset_changes()

    @base.remotable
    def refresh(self, context=None):
        row = self.dbapi.get_nodegroup_by_uuid(self._context, self.cluster_id, self.uuid)
        self._from_db_object(self, row)
