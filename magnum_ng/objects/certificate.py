# SPDX-License-Identifier: Apache-2.0
"""A certificate on its way through the API. It has no table of its own."""

from magnum_ng.objects import base
from magnum_ng.objects import fields


@base.MagnumObjectRegistry.register
class Certificate(base.MagnumPersistentObject, base.MagnumObject):
    VERSION = '1.2'

    FIELDS_SINCE = {'1.1': ('cluster_uuid',), '1.2': ('ca_cert_type',)}

    fields = {
        'project_id': fields.StringField(nullable=True),
        'user_id': fields.StringField(nullable=True),
        'cluster_uuid': fields.StringField(nullable=True),
        'csr': fields.StringField(nullable=True),
        'pem': fields.StringField(nullable=True),
        'ca_cert_type': fields.StringField(nullable=True),
    }

    @classmethod
    def from_object_cluster(cls, cluster):
        """A certificate of the cluster, without contents yet."""
        return cls(project_id=cluster.project_id, user_id=cluster.user_id,
                   cluster_uuid=cluster.uuid)

    @classmethod
    def from_db_cluster(cls, cluster):
        """The same for a row of the cluster table."""
        return cls(project_id=cluster['project_id'], user_id=cluster['user_id'],
                   cluster_uuid=cluster['uuid'])
