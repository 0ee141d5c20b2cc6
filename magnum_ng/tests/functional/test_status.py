# SPDX-License-Identifier: Apache-2.0
"""The checks of magnum-status on real servers, before and after the upgrade of the database."""

import datetime

from oslo_config import cfg
from oslo_config import fixture as config_fixture
from oslo_db.sqlalchemy import engines
from oslotest import base as test_base
from oslo_utils import timeutils
import sqlalchemy as sa

from magnum_ng.cmd import status
from magnum_ng.db.sqlalchemy import migration
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.tests.functional import base

CONF = cfg.CONF

OLD = datetime.datetime(2020, 1, 1)

#: What each check of the database has to find.
FOUND = {
    'Database': 'The database is at revision',
    'Conductors': '1 conductor(s) of the original run (host)',
    'Clusters Without Driver': '1 cluster(s) with driver not named, vm fedora-coreos kubernetes',
    'Cluster Templates Without Driver': '1 cluster template(s) with driver not named',
    'Clusters In Progress': '(c UPDATE_IN_PROGRESS)',
    'Rows That Point At Nothing': '1 cluster(s) without a default nodegroup',
    'Certificates': '1 certificate(s) could not be read',
}


class OnAServer:

    def prepare(self, revision):
        database = self.new_database()
        database.find_server()
        url = self.useFixture(database).url
        engine = engines.create_engine(url)
        self.addCleanup(engine.dispose)
        settings = self.useFixture(config_fixture.Config(CONF))
        settings.config(group='database', connection=url)
        settings.config(group='certificates', cert_manager_type='x509keypair')
        self.addCleanup(db_session.context_manager.patch_engine(engine))
        migration.upgrade(revision)
        rows = {
            'cluster_template': {'uuid': 't', 'server_type': 'vm', 'coe': 'kubernetes',
                                 'cluster_distro': 'fedora-coreos'},
            'cluster': {'uuid': 'c', 'cluster_template_id': 't', 'status': 'UPDATE_IN_PROGRESS',
                        'created_at': OLD, 'updated_at': OLD, 'ca_cert_ref': 'x'},
            'x509keypair': {'uuid': 'x', 'certificate': 'nonsense', 'private_key': 'k'},
            'magnum_service': {'host': 'host', 'binary': 'magnum-conductor', 'report_count': 1,
                               'last_seen_up': timeutils.utcnow()},
        }
        with engine.begin() as connection:
            for name, values in rows.items():
                table = sa.Table(name, sa.MetaData(), autoload_with=connection)
                connection.execute(table.insert().values(values))

    def check(self, revision):
        self.prepare(revision)
        results = {title: check(status.Checks()) for title, check in status.CHECKS
                   if title in FOUND or title == 'Recorded Operations'}
        for title, text in FOUND.items():
            self.assertIn(text, results[title].details or '', title)
        return results

    def test_after_the_upgrade(self):
        results = self.check('head')
        self.assertIn('the newest', results['Database'].details)
        self.assertIsNone(results['Recorded Operations'].details)


class MariaDBTestCase(OnAServer, test_base.BaseTestCase):
    new_database = staticmethod(base.new_mariadb)

    def before(self, revision):
        results = self.check(revision)
        self.assertIn('Run magnum-db-manage upgrade', results['Database'].details)

    def test_before_the_upgrade_from_the_releases_up_to_17(self):
        self.before('7da8489d6a68')

    def test_before_the_upgrade_from_the_releases_up_to_22(self):
        self.before('c0f832afc4fd')


class PostgreSQLTestCase(OnAServer, test_base.BaseTestCase):
    new_database = staticmethod(base.new_postgresql)
