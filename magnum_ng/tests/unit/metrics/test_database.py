# SPDX-License-Identifier: Apache-2.0

import datetime
from unittest import mock

from oslo_db import exception as db_exc
from oslo_utils import timeutils

from magnum_ng import metrics
from magnum_ng.db.sqlalchemy import ng_models
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.metrics import database
from magnum_ng.metrics import meters
from magnum_ng.tests.unit.db import counting
from magnum_ng.tests.unit.db import utils
from magnum_ng.tests.unit.metrics import base


class CollectorTest(base.MetricsTestCase):

    def fill(self):
        for number, status in enumerate(('CREATE_COMPLETE', 'CREATE_COMPLETE', 'UPDATE_FAILED')):
            utils.create_test_cluster(id=number + 1, uuid=f'uuid-{number}', status=status,
                                      name=f'secret-{number}')
        now = timeutils.utcnow()
        with db_session.writer() as session:
            for number, age in enumerate((5, 50)):
                session.add(ng_models.Operation(
                    uuid=f'operation-{number}', cluster_uuid='uuid-0', action='resize',
                    state='waiting', arguments='{}', before='{}', expires_at=now,
                    created_at=now - datetime.timedelta(seconds=age)))

    def test_clusters_and_operations_are_read_with_one_statement(self):
        self.fill()
        with counting.statements() as statements:
            found = self.scraped(metrics.CONDUCTOR)
        self.assertEqual(1, len(statements), statements)
        self.assertEqual(2, self.count(found, 'magnum_clusters', status='CREATE_COMPLETE'))
        self.assertEqual(1, self.count(found, 'magnum_clusters', status='UPDATE_FAILED'))
        self.assertEqual(0, found['magnum_clusters', (('status', 'DELETE_FAILED'),)])
        self.assertEqual(2, self.count(found, 'magnum_operations', action='resize',
                                       state='waiting'))
        age = self.count(found, 'magnum_operation_age_seconds', action='resize', state='waiting')
        self.assertTrue(50 <= age < 80, age)
        self.assertEqual(1, self.count(found, 'magnum_database_up'))
        self.assertNotIn('secret', str(found))

    def test_the_api_does_not_ask_the_database(self):
        with counting.statements() as statements:
            self.scraped(metrics.API)
        self.assertEqual(0, len(statements), statements)

    def test_a_database_that_is_down_does_not_hide_the_other_numbers(self):
        meters.instruments(metrics.CONDUCTOR).poll.labels('status').observe(1)
        with mock.patch.object(database.db_session, 'reader',
                               side_effect=db_exc.DBConnectionError('secret')):
            found = self.scraped(metrics.CONDUCTOR)
        self.assertEqual(0, found['magnum_database_up', ()])
        self.assertEqual(1, self.count(found, 'magnum_poll_seconds_count', kind='status'))


class PoolTest(base.MetricsTestCase):

    def test_connections_in_use_are_followed(self):
        instruments = meters.instruments(metrics.API)
        self.addCleanup(database.measure_pool(
            db_session.get_engine(), instruments.pool_in_use, instruments.pool_limit))
        with db_session.get_engine().connect():
            self.assertEqual(1, self.count(self.scraped(), 'magnum_db_connections_in_use'))
        self.assertEqual(0, self.count(self.scraped(), 'magnum_db_connections_in_use'))
