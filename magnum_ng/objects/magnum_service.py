# SPDX-License-Identifier: Apache-2.0
"""The running services, as their heartbeats tell."""

from magnum_ng.objects import base
from magnum_ng.objects import fields


@base.MagnumObjectRegistry.register
class MagnumService(base.MagnumPersistentObject, base.MagnumObject):
    VERSION = '1.0'

    fields = {
        'id': fields.IntegerField(),
        'host': fields.StringField(nullable=True),
        'binary': fields.StringField(nullable=True),
        'disabled': fields.BooleanField(),
        'disabled_reason': fields.StringField(nullable=True),
        'last_seen_up': fields.DateTimeField(nullable=True),
        'forced_down': fields.BooleanField(),
        'report_count': fields.IntegerField(),
    }

    @classmethod
    @base.remotable
    def get_by_host_and_binary(cls, context, host, binary):
        """The service, or None."""
        row = cls.dbapi.get_magnum_service_by_host_and_binary(host, binary)
        return None if row is None else cls._from_row(context, row)

    @classmethod
    @base.remotable
    def list(cls, context, limit=None, marker=None, sort_key=None, sort_dir=None):
        rows = cls.dbapi.get_magnum_service_list(
            limit=limit, marker=marker, sort_key=sort_key, sort_dir=sort_dir)
        return cls._from_rows(context, rows)

    @base.remotable
    def create(self, context=None):
        self._from_db_object(self, self.dbapi.create_magnum_service(self._column_changes()))

    @base.remotable
    def destroy(self, context=None):
        self.dbapi.destroy_magnum_service(self.id)
        self.obj_reset_changes()

    @base.remotable
    def save(self, context=None):
        self.dbapi.update_magnum_service(self.id, self._column_changes())
        self.obj_reset_changes()

    @base.remotable
    def report_state_up(self, context=None):
        """One more heartbeat; the database sets ``last_seen_up`` when the count grows."""
        self.report_count += 1
        self.save()
