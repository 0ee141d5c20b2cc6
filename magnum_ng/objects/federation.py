# SPDX-License-Identifier: Apache-2.0
"""Federations. No driver can build one; rows of older releases can be read and removed."""

from oslo_utils import strutils
from oslo_utils import uuidutils

from magnum_ng.common import exception
from magnum_ng.objects import base
from magnum_ng.objects import fields


@base.MagnumObjectRegistry.register
class Federation(base.MagnumPersistentObject, base.MagnumObject, base.MagnumObjectDictCompat):
    VERSION = '1.0'

    fields = {
        'id': fields.IntegerField(),
        'uuid': fields.UUIDField(nullable=True),
        'name': fields.StringField(nullable=True),
        'project_id': fields.StringField(nullable=True),
        'hostcluster_id': fields.StringField(nullable=True),
        'member_ids': fields.ListOfStringsField(nullable=True),
        'status': fields.FederationStatusField(nullable=True),
        'status_reason': fields.StringField(nullable=True),
        'properties': fields.DictOfStringsField(nullable=True),
    }

    @classmethod
    @base.remotable
    def get(cls, context, federation_id):
        """By id or uuid, whichever the argument looks like."""
        if strutils.is_int_like(federation_id):
            return cls.get_by_id(context, federation_id)
        if uuidutils.is_uuid_like(federation_id):
            return cls.get_by_uuid(context, federation_id)
        raise exception.InvalidIdentity(identity=federation_id)

    @classmethod
    @base.remotable
    def get_by_id(cls, context, federation_id):
        return cls._from_row(context, cls.dbapi.get_federation_by_id(context, federation_id))

    @classmethod
    @base.remotable
    def get_by_uuid(cls, context, uuid):
        return cls._from_row(context, cls.dbapi.get_federation_by_uuid(context, uuid))

    @classmethod
    @base.remotable
    def get_by_name(cls, context, name):
        return cls._from_row(context, cls.dbapi.get_federation_by_name(context, name))

    @classmethod
    @base.remotable
    def get_count_all(cls, context, filters=None):
        return len(cls.dbapi.get_federation_list(context, filters=filters))

    @classmethod
    @base.remotable
    def list(cls, context, limit=None, marker=None, sort_key=None, sort_dir=None, filters=None):
        rows = cls.dbapi.get_federation_list(
            context, limit=limit, marker=marker, sort_key=sort_key, sort_dir=sort_dir,
            filters=filters)
        return cls._from_rows(context, rows)

    @base.remotable
    def create(self, context=None):
        self._from_db_object(self, self.dbapi.create_federation(self._column_changes()))

    @base.remotable
    def destroy(self, context=None):
        self.dbapi.destroy_federation(self.uuid)
        self.obj_reset_changes()

    @base.remotable
    def save(self, context=None):
        self.dbapi.update_federation(self.uuid, self._column_changes())
        self.obj_reset_changes()

    @base.remotable
    def refresh(self, context=None):
        row = self.dbapi.get_federation_by_uuid(self._context, self.uuid)
        self._from_db_object(self, row)
