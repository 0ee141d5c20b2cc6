# SPDX-License-Identifier: Apache-2.0
"""Quotas: how much of a resource a project may have."""

from magnum_ng.objects import base
from magnum_ng.objects import fields


@base.MagnumObjectRegistry.register
class Quota(base.MagnumPersistentObject, base.MagnumObject, base.MagnumObjectDictCompat):
    VERSION = '1.0'

    fields = {
        'id': fields.IntegerField(),
        'project_id': fields.StringField(nullable=False),
        'resource': fields.StringField(nullable=False),
        'hard_limit': fields.IntegerField(nullable=False),
    }

    @classmethod
    @base.remotable
    def get_by_id(cls, context, quota_id):
        return cls._from_row(context, cls.dbapi.get_quota_by_id(context, quota_id))

    @classmethod
    @base.remotable
    def get_quota_by_project_id_resource(cls, context, project_id, resource):
        row = cls.dbapi.get_quota_by_project_id_resource(project_id, resource)
        return cls._from_row(context, row)

    @classmethod
    @base.remotable
    def list(cls, context, limit=None, marker=None, sort_key=None, sort_dir=None, filters=None):
        rows = cls.dbapi.get_quota_list(
            context, limit=limit, marker=marker, sort_key=sort_key, sort_dir=sort_dir,
            filters=filters)
        return cls._from_rows(context, rows)

    @classmethod
    @base.remotable
    def quota_get_all_by_project_id(cls, context, project_id):
        rows = cls.dbapi.get_quota_list(context, filters={'project_id': project_id})
        return cls._from_rows(context, rows)

    @classmethod
    @base.remotable
    def update_quota(cls, context, project_id, quota):
        """``quota`` names the resource and the new limit; returns the changed row."""
        return cls._from_row(context, cls.dbapi.update_quota(project_id, quota))

    @base.remotable
    def create(self, context=None):
        self._from_db_object(self, self.dbapi.create_quota(self._column_changes()))

    @base.remotable
    def delete(self, context=None):
        self.dbapi.delete_quota(self.project_id, self.resource)
        self.obj_reset_changes()
