# SPDX-License-Identifier: Apache-2.0

import datetime

from oslo_utils import timeutils

from magnum_ng.common import exception
from magnum_ng.conductor import decisions
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng import objects
from magnum_ng.servicegroup import fleet
from magnum_ng.servicegroup import magnum_service_periodic
from magnum_ng.tests.unit.conductor import base
from magnum_ng.tests.unit.objects import utils as object_utils


class FleetTestCase(base.ConductorTestCase):

    def setUp(self):
        super().setUp()
        fleet.forget()
        self.addCleanup(fleet.forget)

    def original(self, host, ago=0):
        """A report of a conductor of the original."""
        with db_session.writer() as session:
            session.add(models.MagnumService(
                host=host, binary='magnum-conductor', report_count=1,
                last_seen_up=timeutils.utcnow() - datetime.timedelta(seconds=ago)))

    def ours(self, host):
        beat = magnum_service_periodic.MagnumServicePeriodicTasks(None, 'magnum-conductor')
        beat.host = host
        beat.update_magnum_service()
        return beat

    def test_ours_is_not_foreign_however_often_it_reports(self):
        beat = self.ours('here')
        for _number in range(3):
            beat.update_magnum_service()
            self.assertEqual([], fleet.foreign())
        fleet.check()

    def test_one_of_the_original_is(self):
        self.ours('here')
        self.original('there')
        self.assertEqual(['there'], fleet.foreign())
        self.assertRaises(exception.ForeignConductor, fleet.check)

    def test_one_that_is_silent_is_gone(self):
        self.original('there', ago=fleet.SILENCE + 1)
        self.assertEqual([], fleet.foreign())

    def test_ours_takes_over_the_row_of_its_host_and_gives_it_back(self):
        self.original('here')
        self.ours('here')
        self.assertEqual([], fleet.foreign())
        # The original reports under the same name, later than ours did.
        record = objects.MagnumService.get_by_host_and_binary(
            self.context, 'here', 'magnum-conductor')
        with db_session.writer() as session:
            session.get(models.MagnumService, record.id).last_seen_up = (
                timeutils.utcnow() + datetime.timedelta(seconds=5))
        self.assertEqual(['here'], fleet.foreign())

    def test_an_answer_is_believed_for_some_seconds(self):
        fleet.check()
        self.original('there')
        fleet.check()
        fleet.forget()
        self.assertRaises(exception.ForeignConductor, fleet.check)

    def test_nothing_is_decided_while_one_of_the_original_is_alive(self):
        cluster = self.make_cluster()
        template = object_utils.create_test_cluster_template(
            self.context, uuid='11111111-1111-4111-8111-111111111111', id=77)
        self.original('there')
        group = self.worker(cluster)
        for decide, arguments in (
                (decisions.create_cluster, (self.new_cluster(), 1, 1, 60)),
                (decisions.update_cluster, (cluster, 5)),
                (decisions.resize_cluster, (cluster, 5, [], group)),
                (decisions.upgrade_cluster, (cluster, template, 1, group)),
                (decisions.delete_cluster, (cluster,)),
                (decisions.create_nodegroup, (cluster, group)),
                (decisions.update_nodegroup, (cluster, group)),
                (decisions.delete_nodegroup, (cluster, group)),
                (decisions.rotate_ca_certificate, (cluster,)),
                (decisions.rotate_credential, (cluster,))):
            def request(decide=decide, arguments=arguments):
                with decide(self.context, *arguments):
                    self.fail(f'{decide.__name__} was handed over')
            error = self.assertRaises(exception.ForeignConductor, request)
            self.assertEqual(503, error.code)
        self.assertEqual('CREATE_COMPLETE', self.reload(cluster).status)
        self.assertEqual(0, self.count('ng_operation'))

    def test_a_health_report_needs_no_conductor(self):
        cluster = self.make_cluster()
        self.original('there')
        decisions.report_health(self.context, cluster, 'HEALTHY', {})
        self.assertEqual('HEALTHY', self.reload(cluster).health_status)
