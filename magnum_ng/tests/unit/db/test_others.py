# SPDX-License-Identifier: Apache-2.0
"""Key pairs, services, quotas and federations."""

import datetime

from oslo_utils import fixture as utils_fixture
from oslo_utils import timeutils, uuidutils

from magnum_ng.common import exception
from magnum_ng.tests.unit.db import base


class KeyPairTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.row = self.dbapi.create_x509keypair({
            'certificate': 'c', 'private_key': 'k', 'project_id': 'mine', 'user_id': 'u'})
        self.context = self.make_context(project_id='mine')
        self.stranger = self.make_context(project_id='theirs')

    def test_a_key_pair_is_found_by_its_project(self):
        for method, key in ((self.dbapi.get_x509keypair_by_id, self.row.id),
                            (self.dbapi.get_x509keypair_by_uuid, self.row.uuid)):
            self.assertEqual(self.row.as_dict(), method(self.context, key).as_dict())
            self.assertRaises(exception.X509KeyPairNotFound, method, self.stranger, key)

    def test_lists_hold_what_is_visible(self):
        self.assertEqual([self.row.id], [
            row.id for row in self.dbapi.get_x509keypair_list(self.context)])
        self.assertEqual([], self.dbapi.get_x509keypair_list(self.stranger))
        self.assertEqual([], self.dbapi.get_x509keypair_list(self.context, marker=self.row))

    def test_a_key_pair_changes_but_not_its_uuid(self):
        self.assertEqual('n', self.dbapi.update_x509keypair(
            self.row.uuid, {'certificate': 'n'}).certificate)
        error = self.assertRaises(
            exception.InvalidParameterValue, self.dbapi.update_x509keypair, self.row.id,
            {'uuid': uuidutils.generate_uuid()})
        self.assertEqual('Cannot overwrite UUID for an existing X509KeyPair.', str(error))
        self.assertRaises(exception.X509KeyPairNotFound, self.dbapi.update_x509keypair, 999, {})

    def test_a_second_key_pair_with_a_uuid_is_refused(self):
        self.assertRaises(exception.X509KeyPairAlreadyExists, self.dbapi.create_x509keypair,
                          {'uuid': self.row.uuid})

    def test_a_key_pair_goes(self):
        self.dbapi.destroy_x509keypair(self.row.uuid)
        self.assertRaises(exception.X509KeyPairNotFound, self.dbapi.destroy_x509keypair,
                          self.row.uuid)


class ServiceTest(base.DbTestCase):

    def service(self, host='h', **values):
        return self.dbapi.create_magnum_service({'host': host, 'binary': 'b', **values})

    def test_a_service_is_found_by_host_and_binary(self):
        row = self.service()
        found = self.dbapi.get_magnum_service_by_host_and_binary('h', 'b')
        self.assertEqual((row.id, 0, False, False, None), (
            found.id, found.report_count, found.disabled, found.forced_down, found.last_seen_up))
        self.assertIsNone(self.dbapi.get_magnum_service_by_host_and_binary('h', 'other'))

    def test_one_record_is_kept_for_a_process(self):
        self.service()
        self.assertRaises(exception.MagnumServiceAlreadyExists, self.service)

    def test_a_grown_report_count_is_a_sign_of_life(self):
        now = self.useFixture(utils_fixture.TimeFixture(datetime.datetime(2030, 1, 1)))
        row = self.service()
        self.assertIsNone(self.dbapi.update_magnum_service(
            row.id, {'report_count': 0, 'disabled': True}).last_seen_up)
        changed = self.dbapi.update_magnum_service(row.id, {'report_count': 1})
        self.assertEqual((1, datetime.datetime(2030, 1, 1)),
                         (changed.report_count, changed.last_seen_up))
        now.advance_time_seconds(60)
        self.assertEqual(datetime.datetime(2030, 1, 1), self.dbapi.update_magnum_service(
            row.id, {'disabled_reason': 'r'}).last_seen_up)

    def test_lists_can_be_of_disabled_services(self):
        self.service('a', disabled=True)
        self.service('b', disabled=False)
        for disabled, hosts in ((None, 'ab'), (True, 'a'), (False, 'b')):
            found = self.dbapi.get_magnum_service_list(disabled)
            self.assertEqual(list(hosts), [row.host for row in found])
        page = self.dbapi.get_magnum_service_list(limit=1, sort_key='host', sort_dir='desc')
        self.assertEqual(['b'], [row.host for row in page])

    def test_services_that_are_not_heard_of_expire(self):
        now = timeutils.utcnow()
        old, new = now - datetime.timedelta(seconds=100), now - datetime.timedelta(seconds=10)
        self.service('dead', last_seen_up=old)
        self.service('alive', last_seen_up=new, created_at=old)
        self.service('never seen, old', created_at=old)
        self.service('never seen, new')
        self.assertEqual(2, self.dbapi.expire_magnum_services(60))
        self.assertEqual(['alive', 'never seen, new'],
                         [row.host for row in self.dbapi.get_magnum_service_list()])

    def test_a_service_goes(self):
        row = self.service()
        self.dbapi.destroy_magnum_service(row.id)
        self.assertRaises(exception.MagnumServiceNotFound, self.dbapi.destroy_magnum_service,
                          row.id)
        self.assertRaises(exception.MagnumServiceNotFound, self.dbapi.update_magnum_service,
                          row.id, {})


class QuotaTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.row = self.quota('p', 10)

    def quota(self, project_id, limit):
        return self.dbapi.create_quota(
            {'project_id': project_id, 'resource': 'Cluster', 'hard_limit': limit})

    def test_a_quota_is_found(self):
        for found in (self.dbapi.get_quota_by_id(self.context, self.row.id),
                      self.dbapi.get_quota_by_project_id_resource('p', 'Cluster'),
                      *self.dbapi.quota_get_all_by_project_id('p')):
            self.assertEqual(self.row.as_dict(), found.as_dict())
        self.assertEqual([], self.dbapi.quota_get_all_by_project_id('q'))

    def test_errors_name_what_was_looked_for(self):
        pair = 'Quota could not be found: project_id q resource Cluster.'
        for text, method, *arguments in (
                ('Quota could not be found: quota id 999 .', self.dbapi.get_quota_by_id,
                 self.context, 999),
                (pair, self.dbapi.get_quota_by_project_id_resource, 'q', 'Cluster'),
                (pair, self.dbapi.update_quota, 'q', {'resource': 'Cluster', 'hard_limit': 1}),
                (pair, self.dbapi.delete_quota, 'q', 'Cluster')):
            error = self.assertRaises(exception.QuotaNotFound, method, *arguments)
            self.assertEqual(text, str(error))

    def test_a_project_has_one_quota_of_a_resource(self):
        error = self.assertRaises(exception.QuotaAlreadyExists, self.quota, 'p', 1)
        self.assertEqual('Quota for project p already exists for resource Cluster.', str(error))

    def test_a_quota_changes_and_goes(self):
        self.assertEqual(3, self.dbapi.update_quota(
            'p', {'resource': 'Cluster', 'hard_limit': 3}).hard_limit)
        self.dbapi.delete_quota('p', 'Cluster')
        self.assertEqual([], self.dbapi.get_quota_list(self.context))

    def test_lists_are_filtered_and_paged(self):
        other = self.quota('q', 1)
        for filters, ids in ((None, [self.row.id, other.id]), ({'project_id': 'q'}, [other.id]),
                             ({'resource': 'Node'}, [])):
            found = self.dbapi.get_quota_list(self.context, filters)
            self.assertEqual(ids, [row.id for row in found])
        found = self.dbapi.get_quota_list(self.context, limit=1, sort_key='hard_limit')
        self.assertEqual([other.id], [row.id for row in found])


class FederationTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.context = self.make_context(project_id='mine')
        self.stranger = self.make_context(project_id='theirs')
        self.row = self.federation()

    def federation(self, name='f', **values):
        return self.dbapi.create_federation({'name': name, 'project_id': 'mine', **values})

    def test_a_federation_is_found_by_its_project(self):
        for method, key in ((self.dbapi.get_federation_by_id, self.row.id),
                            (self.dbapi.get_federation_by_uuid, self.row.uuid),
                            (self.dbapi.get_federation_by_name, 'f')):
            self.assertEqual(self.row.id, method(self.context, key).id)
            self.assertRaises(exception.FederationNotFound, method, self.stranger, key)

    def test_a_name_of_two_is_a_conflict(self):
        self.federation()
        error = self.assertRaises(exception.Conflict, self.dbapi.get_federation_by_name,
                                  self.context, 'f')
        self.assertEqual('Multiple federations exist with same name. Please use the federation '
                         'uuid instead.', str(error))

    def test_a_second_federation_with_a_uuid_is_refused(self):
        self.assertRaises(exception.FederationAlreadyExists, self.federation, uuid=self.row.uuid)

    def test_lists_are_filtered(self):
        other = self.federation('g', status='S', hostcluster_id='h', member_ids=['m'],
                                properties={'p': 'q'})
        for filters, ids in (
                (None, [self.row.id, other.id]), ({'name': 'g'}, [other.id]),
                ({'status': ['S']}, [other.id]), ({'hostcluster_id': 'h'}, [other.id]),
                ({'member_ids': ['m']}, [other.id]), ({'properties': {'p': 'q'}}, [other.id]),
                ({'project_id': 'theirs'}, [])):
            found = self.dbapi.get_federation_list(self.context, filters=filters)
            self.assertEqual(ids, [row.id for row in found], filters)
        self.assertEqual([], self.dbapi.get_federation_list(self.stranger))

    def test_a_federation_changes_but_not_its_uuid(self):
        self.assertEqual(['m'], self.dbapi.update_federation(
            self.row.uuid, {'member_ids': ['m']}).member_ids)
        error = self.assertRaises(
            exception.InvalidParameterValue, self.dbapi.update_federation, self.row.id,
            {'uuid': uuidutils.generate_uuid()})
        self.assertEqual('Cannot overwrite UUID for an existing Federation.', str(error))

    def test_a_federation_goes(self):
        self.dbapi.destroy_federation(self.row.id)
        self.assertRaises(exception.FederationNotFound, self.dbapi.destroy_federation,
                          self.row.id)
        self.assertRaises(exception.FederationNotFound, self.dbapi.update_federation,
                          self.row.id, {})
