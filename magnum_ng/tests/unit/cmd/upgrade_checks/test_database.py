# SPDX-License-Identifier: Apache-2.0

import datetime
from unittest import mock

from oslo_utils import timeutils

from magnum_ng.db.sqlalchemy import migration
from magnum_ng.tests.unit.cmd.upgrade_checks import base

Code = base.Code
HEADS = migration.head(migration.UPSTREAM), migration.head(migration.OWN)


class DatabaseTestCase(base.ChecksTestCase):
    TITLE = 'Database'

    def at(self, upstream, own):
        self.config('database', connection='mysql://magnum:secret@db/magnum')
        with mock.patch.object(migration, 'versions', return_value=(upstream, own)):
            return self.only()

    def config(self, group, **values):
        from magnum_ng.cmd.upgrade_checks import database
        for name, value in values.items():
            database.CONF.set_override(name, value, group)
            self.addCleanup(database.CONF.clear_override, name, group)

    def test_the_newest_revisions_are_fine(self):
        found = self.at(*HEADS)
        self.assertEqual((Code.SUCCESS, ''), (found.code, found.advice))
        self.assertIn(HEADS[0], found.what)

    def test_an_earlier_revision_is_to_be_upgraded(self):
        for versions in (('c0f832afc4fd', None), (HEADS[0], None), (HEADS[0], '5b0e6f1c8a2d')):
            found = self.at(*versions)
            self.assertEqual(Code.SUCCESS, found.code)
            self.assertIn('magnum-db-manage upgrade', found.advice)

    def test_an_unknown_revision_is_a_failure(self):
        for versions in (('0123456789ab', None), (HEADS[0], '0123456789ab')):
            self.assertEqual(Code.FAILURE, self.at(*versions).code)

    def test_an_empty_database_is_a_warning(self):
        self.assertEqual(Code.WARNING, self.at(None, None).code)

    def test_a_database_that_cannot_be_reached_is_a_failure_without_the_password(self):
        self.config('database', connection='mysql://magnum:secret@db/magnum')
        with mock.patch.object(migration, 'versions', side_effect=RuntimeError('secret')):
            found = self.only()
        self.assertEqual(Code.FAILURE, found.code)
        self.assertNotIn('secret', str(found))

    def test_no_database_configured_is_a_warning(self):
        self.config('database', connection=None)
        self.assertEqual(Code.WARNING, self.only().code)


class ConductorsTestCase(base.ChecksTestCase):
    TITLE = 'Conductors'

    def conductor(self, host, ours=True, ago=0):
        seen = (timeutils.utcnow() - datetime.timedelta(seconds=ago)).isoformat(' ')
        self.insert('magnum_service', host=host, binary='magnum-conductor', report_count=1,
                    last_seen_up=seen)
        if ours:
            self.insert('ng_conductor', host=host, last_seen_up=seen)

    def test_ours_are_counted(self):
        self.conductor('a')
        self.conductor('b')
        found = self.only()
        self.assertEqual((Code.SUCCESS, 2, ('a', 'b')), (found.code, found.count,
                                                         tuple(sorted(found.examples))))

    def test_both_kinds_at_once_are_a_warning(self):
        self.conductor('a')
        self.conductor('b', ours=False)
        result = self.check()
        self.assertEqual(Code.WARNING, result.code)
        self.assertIn('1 conductor(s) of the original run (b)', result.details)

    def test_those_of_the_original_alone_are_what_there_is_before_an_upgrade(self):
        self.conductor('b', ours=False)
        self.assertEqual((Code.SUCCESS, ('b',)), (self.only().code, self.only().examples))

    def test_who_has_gone_silent_is_not_counted(self):
        self.conductor('a', ago=3600)
        self.conductor('b', ours=False, ago=3600)
        self.assertEqual((), self.check().findings)
