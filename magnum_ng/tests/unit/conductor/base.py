# SPDX-License-Identifier: Apache-2.0
"""Clusters, a driver that records what it is asked, and a dispatcher, for conductor tests."""

import threading
import time
import types

from magnum_ng.common import context as magnum_context
from magnum_ng.conductor import dispatcher
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.conductor import leases
from magnum_ng.db.sqlalchemy import ng_models
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.drivers.common import driver
from magnum_ng import objects
from magnum_ng.objects import fields
from magnum_ng.tests.unit.db import base
from magnum_ng.tests.unit.objects import utils as object_utils
from oslo_utils import uuidutils
import sqlalchemy as sa

S = fields.ClusterStatus


class RecordingDriver(driver.Driver):
    """Records its calls on the class; ``behaviour`` maps a method's name to what it does.

    A behaviour is an exception to raise, or a function called with the method's arguments.
    """

    calls: list = []
    behaviour: dict = {}
    beta = False

    @property
    def provides(self):
        return [{'server_type': 'vm', 'os': 'ubuntu', 'coe': 'kubernetes'}]

    def _do(self, name, *args):
        type(self).calls.append((name, args))
        what = self.behaviour.get(name)
        if isinstance(what, BaseException) or (
                isinstance(what, type) and issubclass(what, BaseException)):
            raise what
        return what(*args) if what is not None else None

    def create_cluster(self, context, cluster, cluster_create_timeout):
        cluster.stack_id = f'stack-{cluster.uuid}'
        self._do('create_cluster', context, cluster, cluster_create_timeout)

    def update_cluster(self, context, cluster, scale_manager=None, rollback=False):
        self._do('update_cluster', context, cluster, scale_manager, rollback)

    def upgrade_cluster(self, context, cluster, cluster_template, max_batch_size, nodegroup,
                        scale_manager=None, rollback=False):
        self._do('upgrade_cluster', context, cluster, cluster_template, max_batch_size,
                 nodegroup, scale_manager, rollback)

    def delete_cluster(self, context, cluster):
        self._do('delete_cluster', context, cluster)

    def resize_cluster(self, context, cluster, resize_manager, node_count, nodes_to_remove,
                       nodegroup=None):
        self._do('resize_cluster', context, cluster, resize_manager, node_count,
                 nodes_to_remove, nodegroup)

    def create_nodegroup(self, context, cluster, nodegroup):
        nodegroup.stack_id = f'stack-{nodegroup.uuid}'
        self._do('create_nodegroup', context, cluster, nodegroup)

    def update_nodegroup(self, context, cluster, nodegroup):
        self._do('update_nodegroup', context, cluster, nodegroup)

    def delete_nodegroup(self, context, cluster, nodegroup):
        self._do('delete_nodegroup', context, cluster, nodegroup)

    def create_federation(self, context, federation):
        raise NotImplementedError()

    update_federation = delete_federation = create_federation

    def update_cluster_status(self, context, cluster):
        self._do('update_cluster_status', context, cluster)

    def rotate_ca_certificate(self, context, cluster):
        self._do('rotate_ca_certificate', context, cluster)

    def rotate_credential(self, context, cluster):
        self._do('rotate_credential', context, cluster)

    def get_monitor(self, context, cluster):
        return self._do('get_monitor', context, cluster)


def wait_until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError('It did not come to pass in time')
        time.sleep(0.01)


class ConductorTestCase(base.DbTestCase):
    """One template, the recording driver as the only one, certificates that are references."""

    #: Certificates for real take a while.
    REAL_CERTIFICATES = False

    def setUp(self):
        super().setUp()
        self.driver = type('Recorder', (RecordingDriver,), {'calls': [], 'behaviour': {}})
        entry_point = types.SimpleNamespace(name='recorder', value='tests:Recorder')
        self.install_drivers([(entry_point, self.driver)])
        self.template = object_utils.create_test_cluster_template(self.context)
        if not self.REAL_CERTIFICATES:
            self._fake_certificates()
        self.notifications = []
        self.patch_object('magnum_ng.conductor.notifications.notify_about_cluster_operation',
                          lambda context, action, outcome, cluster=None:
                          self.notifications.append((action, outcome)))
        leases.forget()
        dispatcher.open()
        self.addCleanup(leases.forget)
        self.addCleanup(dispatcher.close, 5)

    def patch_object(self, path, value):
        import fixtures

        self.useFixture(fixtures.MonkeyPatch(path, value))

    def install_drivers(self, found):
        self.patch_object('magnum_ng.drivers.common.driver.Driver.load_entry_points',
                          classmethod(lambda cls: iter(found)))
        driver.Driver.definitions = None
        self.addCleanup(setattr, driver.Driver, 'definitions', None)

    def _fake_certificates(self):
        self.certificates = set()

        def generate(cluster, context=None):
            made = {name: f'{name}-{uuidutils.generate_uuid()}'
                    for name in cert_manager.REFERENCES}
            self.certificates.update(made.values())
            return made

        def delete(references, cluster, context=None):
            self.certificates.difference_update(references.values())
            return []

        module = 'magnum_ng.conductor.handlers.common.cert_manager'
        self.patch_object(f'{module}.generate_certificates', generate)
        self.patch_object(f'{module}.delete_certificates', delete)

    # Clusters

    def make_cluster(self, status=S.CREATE_COMPLETE, workers=1, **values):
        uuid = uuidutils.generate_uuid()
        values = {'uuid': uuid, 'name': f'c-{uuid[:8]}', 'status': status,
                  'status_reason': None, 'stack_id': f'stack-{uuid}', 'labels': {}, **values}
        cluster = object_utils.create_test_cluster(self.context, nodegroups=False, **values)
        for role, name, count in (('master', 'default-master', 1),
                                  ('worker', 'default-worker', workers)):
            self.make_nodegroup(cluster, name, role=role, is_default=True, node_count=count)
        return cluster

    def make_nodegroup(self, cluster, name, status=S.CREATE_COMPLETE, **values):
        values = {'role': 'worker', 'is_default': False, 'node_count': 1, 'min_node_count': 0,
                  'status_reason': None, **values}
        return object_utils.create_test_nodegroup(
            self.context, uuid=uuidutils.generate_uuid(), name=name, cluster_id=cluster.uuid,
            status=status, **values)

    def new_cluster(self, **values):
        """A cluster object as the API makes it for a request."""
        values = {'name': 'new', 'labels': {}, 'create_timeout': 60,
                  'cluster_template_id': self.template.uuid,
                  'project_id': self.context.project_id, 'user_id': self.context.user_id,
                  **values}
        return objects.Cluster(self.context, **values)

    def worker(self, cluster):
        return objects.NodeGroup.get_by_name(self.context, cluster.uuid, 'default-worker')

    def reload(self, cluster):
        return objects.Cluster.get_by_uuid(self.admin_context, cluster.uuid)

    def exists(self, cluster):
        return self.count('cluster', uuid=cluster.uuid) == 1

    # The database

    def count(self, table, **where):
        table = ng_models.Base.metadata.tables[table]
        with db_session.reader() as session:
            select = sa.select(sa.func.count()).select_from(table)
            for name, value in where.items():
                select = select.where(table.c[name] == value)
            return session.execute(select).scalar()

    def operations(self):
        with db_session.reader() as session:
            return session.execute(
                sa.select(ng_models.Operation).order_by(ng_models.Operation.id)).scalars().all()

    def expire(self, model=ng_models.Operation):
        """Let the leases of all rows run out."""
        import datetime

        with db_session.writer() as session:
            session.execute(sa.update(model).values(
                expires_at=datetime.datetime(2000, 1, 1)))

    # Messages

    def message_context(self, operation, context=None):
        """The context as it comes out of the message of a recorded operation."""
        context = context or self.context
        values = dict(context.to_dict(), operation=operation and operation.uuid)
        return magnum_context.RequestContext.from_dict(values)

    def called(self):
        return [name for name, _args in self.driver.calls]


class Gate:
    """Holds a driver's method until it is opened."""

    def __init__(self):
        self.entered = threading.Event()
        self._open = threading.Event()

    def __call__(self, *args):
        self.entered.set()
        if not self._open.wait(20):
            raise AssertionError('Nobody has opened the gate')

    def open(self):
        self._open.set()
