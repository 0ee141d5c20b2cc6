# SPDX-License-Identifier: Apache-2.0

import datetime
import os

import sqlalchemy as sa

from magnum_ng.conductor import decisions
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.conductor import states
from magnum_ng.conductor import sweeper
from magnum_ng.db.sqlalchemy import ng_models
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng import objects
from magnum_ng.tests.unit.conductor import base
from magnum_ng.tests.unit.objects import utils as object_utils

S = states.S


class TestSweeper(base.ConductorTestCase):

    def setUp(self):
        super().setUp()
        self.sweeper = sweeper.Sweeper()

    def _lose(self, request, owner=None):
        with request as operation:
            pass
        if owner:
            operations.claim(operation.uuid, owner, 60)
            operations.take_lock(operation.cluster_uuid, owner, operations.FOR_OPERATION, 60)
        self.expire()
        self.expire(ng_models.ClusterLock)
        self.sweeper.sweep()
        self.assertEqual([], self.operations())
        self.assertEqual(0, self.count('ng_cluster_lock'))

    def test_message_of_a_creation_that_was_lost(self):
        new = self.new_cluster()
        self._lose(decisions.create_cluster(self.context, new, 1, 2, 60))
        stored = self.reload(new)
        self.assertEqual((S.CREATE_FAILED, sweeper.UNCLAIMED),
                         (stored.status, stored.status_reason))
        self.assertEqual({S.CREATE_FAILED}, {group.status for group in stored.nodegroups})
        self.assertEqual([('create', 'failure')], self.notifications)

    def test_message_of_a_resize_that_was_lost(self):
        cluster = self.make_cluster(workers=3)
        self._lose(decisions.resize_cluster(self.context, cluster, 5, [], self.worker(cluster)))
        self.assertEqual((S.UPDATE_FAILED, 3), (self.reload(cluster).status,
                                                self.worker(cluster).node_count))

    def test_conductor_that_died_at_a_deletion(self):
        cluster = self.make_cluster()
        self._lose(decisions.delete_cluster(self.context, cluster), 'dead:1:x')
        self.assertEqual((S.DELETE_FAILED, sweeper.ABANDONED),
                         (self.reload(cluster).status, self.reload(cluster).status_reason))
        with decisions.delete_cluster(self.context, cluster) as again:
            self.assertIsNotNone(again)

    def test_conductor_that_died_at_a_nodegroup(self):
        cluster = self.make_cluster()
        group = self.make_nodegroup(cluster, 'extra')
        self._lose(decisions.delete_nodegroup(self.context, cluster, group), 'dead:1:x')
        stored = objects.NodeGroup.get_by_uuid(self.context, cluster.uuid, group.uuid)
        self.assertEqual((S.DELETE_FAILED, sweeper.ABANDONED),
                         (stored.status, stored.status_reason))

    def test_one_that_cannot_be_cleaned_up_keeps_no_other_from_it(self):
        broken, other = self.make_cluster(), self.make_cluster()
        for cluster in (broken, other):
            with decisions.resize_cluster(self.context, cluster, 2, [], self.worker(cluster)):
                pass
        with db_session.writer() as session:
            session.execute(sa.update(ng_models.Operation).where(
                ng_models.Operation.cluster_uuid == broken.uuid).values(before='no JSON'))
        self.expire()
        self.sweeper.sweep()
        self.assertEqual((S.UPDATE_IN_PROGRESS, S.UPDATE_FAILED),
                         (self.reload(broken).status, self.reload(other).status))

    def test_living_leases_are_left_alone(self):
        cluster = self.make_cluster()
        with decisions.delete_cluster(self.context, cluster) as operation:
            operations.claim(operation.uuid, 'alive', 60)
        self.sweeper.sweep()
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(cluster).status)

    def test_lease_renewed_in_the_last_moment_counts(self):
        from magnum_ng.conductor import outcome

        cluster = self.make_cluster()
        with decisions.delete_cluster(self.context, cluster) as operation:
            operations.claim(operation.uuid, 'alive', 60)
        self.expire()
        found = operations.expired()
        operations.renew('alive', [operation.uuid], [], 60)
        self.assertFalse(outcome.fail(found[0].uuid, cluster.uuid, 'alive', 'gone', expired=True))
        self.assertEqual(S.DELETE_IN_PROGRESS, self.reload(cluster).status)

    def test_dead_conductors_leave_the_list(self):
        object_utils.create_test_magnum_service(
            self.context, host='old', last_seen_up=datetime.datetime(2020, 1, 1,
                                                                     tzinfo=datetime.UTC))
        object_utils.create_test_magnum_service(
            self.context, id=14, host='new',
            last_seen_up=datetime.datetime.now(datetime.UTC))
        self.sweeper.sweep()
        self.assertEqual(['new'], [row.host for row in self.dbapi.get_magnum_service_list()])

    def test_upgrade_whose_end_nobody_has_seen(self):
        cluster = self.make_cluster(S.UPDATE_COMPLETE)
        with db_session.writer() as session:
            operations.note(session, cluster.uuid, operations.UPGRADE, 'the-new-template')
        self.sweeper.sweep()
        self.assertEqual('the-new-template', self.reload(cluster).cluster_template_id)
        self.assertEqual(0, self.count('ng_cluster_note'))

    def test_certificates_of_a_rotation_that_was_cut_off(self):
        old = {name: f'old-{name}' for name in cert_manager.REFERENCES}
        cluster = self.make_cluster(**old)
        self.certificates.update(old.values())
        with decisions.rotate_ca_certificate(self.context, cluster) as operation:
            operations.claim(operation.uuid, 'dead', 60)
        new = cert_manager.generate_certificates(cluster)
        operations.add_argument(operation.uuid, operations.NEW_CERTIFICATES, new)
        self.expire()
        self.sweeper.sweep()
        self.assertEqual(set(old.values()), self.certificates)
        self.assertEqual(S.UPDATE_FAILED, self.reload(cluster).status)

    def test_certificates_that_were_to_be_deleted(self):
        cluster = self.make_cluster()
        self.certificates.update({'a', 'b', 'c'})
        with db_session.writer() as session:
            operations.note_retired(session, cluster.uuid, ['a', 'b'])
        self.sweeper.sweep()
        self.assertEqual({'a', 'b', 'c'}, self.certificates)
        self.config('conductor', operation_lease=5)
        self.patch_object('magnum_ng.db.sqlalchemy.operations.timeutils.utcnow',
                          lambda: datetime.datetime(2100, 1, 1))
        self.sweeper.sweep()
        self.assertEqual({'c'}, self.certificates)
        self.assertEqual(0, self.count('ng_cluster_note'))

    def test_files_of_clusters_that_are_gone_go_too(self):
        import fixtures

        directory = self.useFixture(fixtures.TempDir()).path
        self.config('cluster', temp_cache_dir=directory)
        cluster = self.make_cluster()
        for name in (cluster.uuid, '0aec6d6d-40b4-4c47-8b75-9b4f5a1f1ec3'):
            os.makedirs(os.path.join(directory, name, 'set'))
            open(os.path.join(directory, name, 'set', 'ca.crt'), 'w').close()
        self.sweeper.sweep()
        self.assertEqual([cluster.uuid], os.listdir(directory))
