# SPDX-License-Identifier: Apache-2.0
"""Clusters."""

from oslo_utils import strutils
from oslo_utils import uuidutils
from oslo_versionedobjects import exception as ovo_exception
import sqlalchemy as sa

from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.objects import base
from magnum_ng.objects import cluster_template
from magnum_ng.objects import fields
from magnum_ng.objects import nodegroup

LOG = logging.getLogger(__name__)

_TEMPLATE = '_obj_cluster_template'


@base.MagnumObjectRegistry.register
class Cluster(base.MagnumPersistentObject, base.MagnumObject, base.MagnumObjectDictCompat):
    """A cluster.

    ``cluster_template`` is loaded when it is read. The counts and addresses are those of the
    nodegroups: every read of such an attribute is a query, unless ``prefetch`` has been called.

    ``expect_status`` guards against writing over a newer decision: when it is set, a save that
    changes the status does so only if the row still has that status, and with ``expect_idle``
    only if no operation has been recorded for the cluster meanwhile.
    """

    VERSION = '1.24'

    NOT_COLUMNS = frozenset({'cluster_template'})

    FIELDS_SINCE = {
        '1.10': ('keypair',),
        '1.14': ('docker_volume_size',),
        '1.15': ('labels',),
        '1.16': ('master_flavor_id',),
        '1.17': ('flavor_id',),
        '1.18': ('health_status', 'health_status_reason'),
        '1.21': ('fixed_network', 'fixed_subnet', 'floating_ip_enabled'),
        '1.22': ('master_lb_enabled',),
        '1.23': ('etcd_ca_cert_ref', 'front_proxy_ca_cert_ref'),
    }

    fields = {
        'id': fields.IntegerField(),
        'uuid': fields.UUIDField(nullable=True),
        'name': fields.StringField(nullable=True),
        'project_id': fields.StringField(nullable=True),
        'user_id': fields.StringField(nullable=True),
        'cluster_template_id': fields.StringField(nullable=True),
        'cluster_template': fields.ObjectField('ClusterTemplate'),
        'keypair': fields.StringField(nullable=True),
        'docker_volume_size': fields.IntegerField(nullable=True),
        'labels': fields.DictOfStringsField(nullable=True),
        'master_flavor_id': fields.StringField(nullable=True),
        'flavor_id': fields.StringField(nullable=True),
        'stack_id': fields.StringField(nullable=True),
        'status': fields.ClusterStatusField(nullable=True),
        'status_reason': fields.StringField(nullable=True),
        'health_status': fields.ClusterHealthStatusField(nullable=True),
        'health_status_reason': fields.DictOfStringsField(nullable=True),
        'create_timeout': fields.IntegerField(nullable=True),
        'api_address': fields.StringField(nullable=True),
        'discovery_url': fields.StringField(nullable=True),
        'ca_cert_ref': fields.StringField(nullable=True),
        'magnum_cert_ref': fields.StringField(nullable=True),
        'etcd_ca_cert_ref': fields.StringField(nullable=True),
        'front_proxy_ca_cert_ref': fields.StringField(nullable=True),
        'coe_version': fields.StringField(nullable=True),
        'container_version': fields.StringField(nullable=True),
        'fixed_network': fields.StringField(nullable=True),
        'fixed_subnet': fields.StringField(nullable=True),
        'floating_ip_enabled': fields.BooleanField(default=True),
        'master_lb_enabled': fields.BooleanField(default=False),
    }

    expect_status = None
    expect_idle = False
    #: The status that such a save has not stored.
    declined_status = None

    _prefetched_nodegroups = None

    # Reading

    @classmethod
    @base.remotable
    def get(cls, context, cluster_id):
        """By id or uuid, whichever the argument looks like."""
        if strutils.is_int_like(cluster_id):
            return cls.get_by_id(context, cluster_id)
        if uuidutils.is_uuid_like(cluster_id):
            return cls.get_by_uuid(context, cluster_id)
        raise exception.InvalidIdentity(identity=cluster_id)

    @classmethod
    @base.remotable
    def get_by_id(cls, context, cluster_id):
        return cls._from_row(context, cls.dbapi.get_cluster_by_id(context, cluster_id))

    @classmethod
    @base.remotable
    def get_by_uuid(cls, context, uuid):
        return cls._from_row(context, cls.dbapi.get_cluster_by_uuid(context, uuid))

    @classmethod
    @base.remotable
    def get_by_name(cls, context, name):
        return cls._from_row(context, cls.dbapi.get_cluster_by_name(context, name))

    @classmethod
    @base.remotable
    def get_count_all(cls, context, filters=None):
        return cls.dbapi.get_cluster_count_all(context, filters=filters)

    @classmethod
    @base.remotable
    def get_stats(cls, context, project_id=None):
        """(clusters, nodes) of one project, or of all of them."""
        return cls.dbapi.get_cluster_stats(context, project_id)

    @classmethod
    @base.remotable
    def list(cls, context, limit=None, marker=None, sort_key=None, sort_dir=None, filters=None):
        rows = cls.dbapi.get_cluster_list(
            context, limit=limit, marker=marker, sort_key=sort_key, sort_dir=sort_dir,
            filters=filters)
        return cls._from_rows(context, rows)

    @classmethod
    def prefetch(cls, context, clusters, nodegroups=True, templates=True):
        """Load the nodegroups and templates of all these clusters, with a query each.

        For reading only: later changes of the rows are not seen by these objects. A template
        whose row is gone leaves ``cluster_template`` None.
        """
        if nodegroups and clusters:
            rows = cls.dbapi.get_nodegroups_of_clusters(
                context, [cluster.uuid for cluster in clusters])
            for cluster in clusters:
                cluster._prefetched_nodegroups = nodegroup.NodeGroup._from_rows(
                    context, rows.get(cluster.uuid, ()))
        if templates and clusters:
            uuids = {cluster.cluster_template_id for cluster in clusters} - {None}
            found = {
                uuid: cluster_template.ClusterTemplate._from_row(context, row)
                for uuid, row in cls.dbapi.get_cluster_templates_by_uuids(sorted(uuids)).items()}
            for cluster in clusters:
                cluster.__dict__[_TEMPLATE] = found.get(cluster.cluster_template_id)

    # Writing

    @base.remotable
    def create(self, context=None):
        self._from_db_object(self, self.dbapi.create_cluster(self._column_changes()))

    @base.remotable
    def destroy(self, context=None):
        self.dbapi.destroy_cluster(self.uuid)
        self.obj_reset_changes()

    @base.remotable
    def save(self, context=None):
        changes = self._column_changes()
        if self.expect_status is not None and 'status' in changes:
            self._save_expecting(changes)
        else:
            self.dbapi.update_cluster(self.uuid, changes)
        if 'cluster_template_id' in changes:
            self.__dict__.pop(_TEMPLATE, None)
        self.obj_reset_changes()

    @base.remotable
    def refresh(self, context=None):
        row = self.dbapi.get_cluster_by_uuid(self._context, self.uuid)
        self.__dict__.pop(_TEMPLATE, None)
        self._prefetched_nodegroups = None
        self._from_db_object(self, row)
        if self.expect_status is not None:
            self.expect_status = self.status

    def _save_expecting(self, changes):
        """Save, but leave a status alone that somebody else has decided in the meantime."""
        with db_session.writer() as session:
            current = session.execute(
                sa.select(models.Cluster.status).where(models.Cluster.uuid == self.uuid)
                .with_for_update()).scalar()
            if current is not None and (current != self.expect_status or (
                    self.expect_idle and operations.any_recorded(session, self.uuid))):
                LOG.debug('Cluster %(uuid)s is %(current)s now, no longer %(expected)s: the '
                          'status %(status)s is not stored',
                          {'uuid': self.uuid, 'current': current,
                           'expected': self.expect_status, 'status': changes['status']})
                self.declined_status = changes['status']
                for name in ('status', 'status_reason'):
                    changes.pop(name, None)
            row = self.dbapi.update_cluster(self.uuid, changes)
        if 'status' not in changes:
            self.status, self.status_reason = row.status, row.status_reason
        self.expect_status = self.status

    # What belongs to a cluster

    def obj_load_attr(self, attrname):
        """Load the template, whoever may see it: a cluster's owner needs its template.

        Raises ClusterTemplateNotFound when its row is gone.
        """
        if attrname != 'cluster_template':
            raise ovo_exception.ObjectActionError(
                action='obj_load_attr', reason=f'attribute {attrname} cannot be loaded')
        if self._context is None:
            raise ovo_exception.OrphanedObjectError(method='obj_load_attr',
                                                    objtype=self.obj_name())
        template = cluster_template.ClusterTemplate.get_by_uuid(
            magnum_context.make_admin_context(all_tenants=True), self.cluster_template_id)
        template._context = self._context
        self.__dict__[_TEMPLATE] = template

    def obj_attr_is_set(self, attrname):
        if attrname == 'cluster_template':
            return self.__dict__.get(_TEMPLATE) is not None
        return super().obj_attr_is_set(attrname)

    def obj_make_compatible(self, primitive, target_version):
        if getattr(self, '_obj_version_manifest', None) is None:
            # Nobody said which template the receiver understands. It can load it.
            primitive.pop('cluster_template', None)
        super().obj_make_compatible(primitive, target_version)

    def _obj_make_obj_compatible(self, primitive, target_version, field):
        if field in primitive:
            super()._obj_make_obj_compatible(primitive, target_version, field)

    @property
    def nodegroups(self):
        """The nodegroups: fresh from the database, unless they were prefetched."""
        if self._prefetched_nodegroups is not None:
            return self._prefetched_nodegroups
        return nodegroup.NodeGroup.list(self._context, self.uuid)

    def _default_nodegroup(self, role):
        if self._prefetched_nodegroups is not None:
            found = [group for group in self._prefetched_nodegroups
                     if group.is_default and group.role == role]
        else:
            found = nodegroup.NodeGroup.list(self._context, self.uuid,
                                             filters={'is_default': True, 'role': role})
        if not found:
            raise exception.NodeGroupNotFound(nodegroup=f'default-{role}')
        return found[0]

    @property
    def default_ng_master(self):
        return self._default_nodegroup('master')

    @property
    def default_ng_worker(self):
        return self._default_nodegroup('worker')

    @staticmethod
    def _node_facts(nodegroups):
        """What a cluster shows of its nodegroups. Those that are deleted do not count."""
        present = [group for group in nodegroups
                   if group.status != fields.ClusterStatus.DELETE_COMPLETE]
        masters = [group for group in present if group.role == 'master']
        workers = [group for group in present if group.role != 'master']
        return {
            'node_count': sum(group.node_count for group in workers),
            'master_count': sum(group.node_count for group in masters),
            'node_addresses': [address for group in workers
                               for address in group.node_addresses or ()],
            'master_addresses': [address for group in masters
                                 for address in group.node_addresses or ()],
        }

    @property
    def node_count(self):
        return self._node_facts(self.nodegroups)['node_count']

    @property
    def master_count(self):
        return self._node_facts(self.nodegroups)['master_count']

    @property
    def node_addresses(self):
        return self._node_facts(self.nodegroups)['node_addresses']

    @property
    def master_addresses(self):
        return self._node_facts(self.nodegroups)['master_addresses']

    def as_dict(self):
        """The fields that are set, and what the nodegroups add up to."""
        return {**super().as_dict(), **self._node_facts(self.nodegroups)}
