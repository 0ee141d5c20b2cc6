# SPDX-License-Identifier: Apache-2.0
"""Certificates and their private keys, kept in the database."""

from oslo_utils import strutils
from oslo_utils import uuidutils

from magnum_ng.common import exception
from magnum_ng.objects import base
from magnum_ng.objects import fields


@base.MagnumObjectRegistry.register
class X509KeyPair(base.MagnumPersistentObject, base.MagnumObject):
    VERSION = '1.2'

    fields = {
        'id': fields.IntegerField(),
        'uuid': fields.UUIDField(nullable=True),
        'certificate': fields.StringField(nullable=True),
        'private_key': fields.StringField(nullable=True),
        'intermediates': fields.StringField(nullable=True),
        'private_key_passphrase': fields.StringField(nullable=True),
        'project_id': fields.StringField(nullable=True),
        'user_id': fields.StringField(nullable=True),
    }

    def __repr__(self):
        # Never the key: this ends in logs.
        uuid = self.uuid if self.obj_attr_is_set('uuid') else None
        return f'X509KeyPair(uuid={uuid})'

    @classmethod
    @base.remotable
    def get(cls, context, x509keypair_id):
        """By id or uuid, whichever the argument looks like."""
        if strutils.is_int_like(x509keypair_id):
            return cls.get_by_id(context, x509keypair_id)
        if uuidutils.is_uuid_like(x509keypair_id):
            return cls.get_by_uuid(context, x509keypair_id)
        raise exception.InvalidIdentity(identity=x509keypair_id)

    @classmethod
    @base.remotable
    def get_by_id(cls, context, x509keypair_id):
        return cls._from_row(context, cls.dbapi.get_x509keypair_by_id(context, x509keypair_id))

    @classmethod
    @base.remotable
    def get_by_uuid(cls, context, uuid):
        return cls._from_row(context, cls.dbapi.get_x509keypair_by_uuid(context, uuid))

    @classmethod
    @base.remotable
    def list(cls, context, limit=None, marker=None, sort_key=None, sort_dir=None, filters=None):
        rows = cls.dbapi.get_x509keypair_list(
            context, limit=limit, marker=marker, sort_key=sort_key, sort_dir=sort_dir,
            filters=filters)
        return cls._from_rows(context, rows)

    @base.remotable
    def create(self, context=None):
        self._from_db_object(self, self.dbapi.create_x509keypair(self._column_changes()))

    @base.remotable
    def destroy(self, context=None):
        self.dbapi.destroy_x509keypair(self.uuid)
        self.obj_reset_changes()

    @base.remotable
    def save(self, context=None):
        self.dbapi.update_x509keypair(self.uuid, self._column_changes())
        self.obj_reset_changes()

    @base.remotable
    def refresh(self, context=None):
        row = self.dbapi.get_x509keypair_by_uuid(self._context, self.uuid)
        self._from_db_object(self, row)
