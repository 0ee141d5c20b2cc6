# SPDX-License-Identifier: Apache-2.0
"""Objects for tests. ``get_test_*`` give them unsaved, ``create_test_*`` saved."""

from oslo_utils import uuidutils

from magnum_ng import objects
from magnum_ng.db import api as db_api
from magnum_ng.tests.unit.db import utils as db_utils


def _unsaved(cls, context, values, given):
    """An object with all these values pending; the database chooses the id unless it is given."""
    unwanted = {'id', 'created_at', 'updated_at'} - set(given)
    obj = cls(context)
    for name, value in values.items():
        if name not in unwanted:
            setattr(obj, name, value)
    return obj


def get_test_cluster_template(context, **kw):
    return _unsaved(objects.ClusterTemplate, context,
                    db_utils.get_test_cluster_template(**kw), kw)


def create_test_cluster_template(context, **kw):
    return _created(get_test_cluster_template(context, **kw))


def get_test_cluster(context, **kw):
    """A cluster, with a template in memory: none needs to be saved for a test to look at it."""
    cluster = _unsaved(objects.Cluster, context, db_utils.get_test_cluster(**kw), kw)
    template = get_test_cluster_template(context, uuid=cluster.cluster_template_id)
    template.obj_reset_changes()
    cluster.cluster_template = template
    cluster.obj_reset_changes(['cluster_template'])
    return cluster


def create_test_cluster(context, nodegroups=True, **kw):
    """A cluster and, unless told otherwise, its default nodegroups.

    Takes the counts and addresses of ``create_nodegroups_for_cluster`` too. If its template has
    been saved, that one is loaded when it is read.
    """
    cluster = _created(get_test_cluster(context, **kw))
    if db_api.get_instance().get_cluster_templates_by_uuids([cluster.cluster_template_id]):
        del cluster.cluster_template
    if nodegroups:
        create_nodegroups_for_cluster(context, **{
            **kw, 'cluster_id': cluster.uuid, 'project_id': cluster.project_id})
    return cluster


def get_test_nodegroup(context, **kw):
    return _unsaved(objects.NodeGroup, context, db_utils.get_test_nodegroup(**kw), kw)


def create_test_nodegroup(context, **kw):
    return _created(get_test_nodegroup(context, **kw))


def get_nodegroups_for_cluster(context, **kw):
    return {role: _unsaved(objects.NodeGroup, context, values, {})
            for role, values in db_utils.get_nodegroups_for_cluster(**kw).items()}


def create_nodegroups_for_cluster(context, **kw):
    """The default nodegroups, {'master': object, 'worker': object}, with uuids of their own."""
    fresh = {f'{role}_uuid': uuidutils.generate_uuid() for role in ('master', 'worker')}
    nodegroups = get_nodegroups_for_cluster(context, **{**fresh, **kw})
    return {role: _created(nodegroups[role]) for role in ('worker', 'master')}


def get_test_federation(context, **kw):
    return _unsaved(objects.Federation, context, db_utils.get_test_federation(**kw), kw)


def create_test_federation(context, **kw):
    return _created(get_test_federation(context, **kw))


def get_test_x509keypair(context, **kw):
    return _unsaved(objects.X509KeyPair, context, db_utils.get_test_x509keypair(**kw), kw)


def create_test_x509keypair(context, **kw):
    return _created(get_test_x509keypair(context, **kw))


def get_test_magnum_service(context, **kw):
    return _unsaved(objects.MagnumService, context, db_utils.get_test_magnum_service(**kw), kw)


get_test_magnum_service_object = get_test_magnum_service


def create_test_magnum_service(context, **kw):
    return _created(get_test_magnum_service(context, **kw))


def get_test_quota(context, **kw):
    return _unsaved(objects.Quota, context, db_utils.get_test_quota(**kw), kw)


def create_test_quota(context, **kw):
    return _created(get_test_quota(context, **kw))


def _created(obj):
    obj.create()
    return obj
