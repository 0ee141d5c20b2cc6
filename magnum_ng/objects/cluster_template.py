# SPDX-License-Identifier: Apache-2.0
"""Cluster templates."""

from oslo_utils import strutils
from oslo_utils import uuidutils

from magnum_ng.objects import base
from magnum_ng.objects import fields


@base.MagnumObjectRegistry.register
class ClusterTemplate(base.MagnumPersistentObject, base.MagnumObject,
                      base.MagnumObjectDictCompat):
    VERSION = '1.21'

    FIELDS_SINCE = {
        '1.14': ('fixed_subnet',),
        '1.15': ('floating_ip_enabled',),
        '1.19': ('hidden',),
        '1.20': ('tags',),
        '1.21': ('driver',),
    }

    fields = {
        'id': fields.IntegerField(),
        'uuid': fields.StringField(nullable=True),
        'project_id': fields.StringField(nullable=True),
        'user_id': fields.StringField(nullable=True),
        'name': fields.StringField(nullable=True),
        'image_id': fields.StringField(nullable=True),
        'flavor_id': fields.StringField(nullable=True),
        'master_flavor_id': fields.StringField(nullable=True),
        'keypair_id': fields.StringField(nullable=True),
        'dns_nameserver': fields.StringField(nullable=True),
        'external_network_id': fields.StringField(nullable=True),
        'fixed_network': fields.StringField(nullable=True),
        'fixed_subnet': fields.StringField(nullable=True),
        'network_driver': fields.StringField(nullable=True),
        'volume_driver': fields.StringField(nullable=True),
        'apiserver_port': fields.IntegerField(nullable=True),
        'docker_volume_size': fields.IntegerField(nullable=True),
        'docker_storage_driver': fields.StringField(nullable=True),
        'cluster_distro': fields.StringField(nullable=True),
        'coe': fields.ClusterTypeField(nullable=True),
        'server_type': fields.StringField(nullable=True),
        'driver': fields.StringField(nullable=True),
        'http_proxy': fields.StringField(nullable=True),
        'https_proxy': fields.StringField(nullable=True),
        'no_proxy': fields.StringField(nullable=True),
        'labels': fields.DictOfStringsField(nullable=True),
        'tags': fields.StringField(nullable=True),
        'insecure_registry': fields.StringField(nullable=True),
        'registry_enabled': fields.BooleanField(default=False),
        'tls_disabled': fields.BooleanField(default=False),
        'public': fields.BooleanField(default=False),
        'hidden': fields.BooleanField(default=False),
        'master_lb_enabled': fields.BooleanField(default=False),
        'floating_ip_enabled': fields.BooleanField(default=True),
    }

    @classmethod
    @base.remotable
    def get(cls, context, cluster_template_id):
        """By id, uuid or name, whichever the argument looks like."""
        if strutils.is_int_like(cluster_template_id):
            return cls.get_by_id(context, cluster_template_id)
        if uuidutils.is_uuid_like(cluster_template_id):
            return cls.get_by_uuid(context, cluster_template_id)
        return cls.get_by_name(context, cluster_template_id)

    @classmethod
    @base.remotable
    def get_by_id(cls, context, cluster_template_id):
        row = cls.dbapi.get_cluster_template_by_id(context, cluster_template_id)
        return cls._from_row(context, row)

    @classmethod
    @base.remotable
    def get_by_uuid(cls, context, uuid):
        return cls._from_row(context, cls.dbapi.get_cluster_template_by_uuid(context, uuid))

    @classmethod
    @base.remotable
    def get_by_name(cls, context, name):
        return cls._from_row(context, cls.dbapi.get_cluster_template_by_name(context, name))

    @classmethod
    @base.remotable
    def list(cls, context, limit=None, marker=None, sort_key=None, sort_dir=None):
        rows = cls.dbapi.get_cluster_template_list(
            context, limit=limit, marker=marker, sort_key=sort_key, sort_dir=sort_dir)
        return cls._from_rows(context, rows)

    @base.remotable
    def create(self, context=None):
        self._from_db_object(self, self.dbapi.create_cluster_template(self._column_changes()))

    @base.remotable
    def destroy(self, context=None):
        self.dbapi.destroy_cluster_template(self.uuid)
        self.obj_reset_changes()

    @base.remotable
    def save(self, context=None):
        self.dbapi.update_cluster_template(self.uuid, self._column_changes())
        self.obj_reset_changes()

    @base.remotable
    def refresh(self, context=None):
        row = self.dbapi.get_cluster_template_by_uuid(self._context, self.uuid)
        self._from_db_object(self, row)
