# SPDX-License-Identifier: Apache-2.0
"""The command as it is run: in a process of its own."""

import os
import subprocess
import sys

import fixtures

from magnum_ng.db.sqlalchemy import migration
from magnum_ng.tests import base

HEAD = 'b3e1cf4a2d5e'
PROGRAM = ('import sys; sys.argv[0] = "magnum-db-manage"; '
           'from magnum_ng.cmd import db_manage; db_manage.main()')


class DbManageTest(base.TestCase):

    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(fixtures.TempDir()).path

    def run_command(self, *arguments, connection=None):
        """Return exit status, standard output and standard error."""
        path = os.path.join(self.directory, 'magnum.conf')
        connection = connection or f'sqlite:///{self.directory}/magnum.sqlite'
        with open(path, 'w') as file:
            file.write(f'[database]\nconnection = {connection}\n')
        done = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c', PROGRAM, '--config-file', path, *arguments],
            capture_output=True, text=True, timeout=60, check=False)
        self.assertNotIn('Traceback', done.stderr)
        return done.returncode, done.stdout, done.stderr

    def test_a_database_is_upgraded_once(self):
        own = migration.head(migration.OWN)
        texts = ['Current DB revision is {}', "Current revision of magnum_ng's own tables and "
                                              "indexes is {}"]
        status, output, _ = self.run_command('version')
        self.assertEqual((0, [text.format(None) for text in texts]),
                         (status, output.splitlines()))
        status, log, _ = self.run_command('upgrade')
        # 77 of the original and 4 of our own
        self.assertEqual((0, 77 + 4), (status, log.count('Running upgrade')))
        status, output, _ = self.run_command('version')
        self.assertEqual(
            (0, [texts[0].format(HEAD), texts[1].format(own)]), (status, output.splitlines()))
        status, log, _ = self.run_command('upgrade', 'head')
        self.assertEqual((0, 0), (status, log.count('Running upgrade')))

    def test_an_upgrade_may_stop_earlier(self):
        self.assertEqual(0, self.run_command('upgrade', '592131657ca1')[0])
        self.assertIn('Current DB revision is 592131657ca1', self.run_command('version')[1])

    def test_a_revision_can_be_stamped(self):
        self.assertEqual(0, self.run_command('stamp', HEAD)[0])
        self.assertIn(f'Current DB revision is {HEAD}', self.run_command('version')[1])

    def test_an_unknown_revision_is_one_line(self):
        for command in ('upgrade', 'stamp'):
            status, _, log = self.run_command(command, 'nonsense')
            self.assertEqual(1, status)
            self.assertEqual("magnum-db-manage: Can't locate revision identified by 'nonsense'",
                             log.splitlines()[-1])

    def test_a_database_out_of_reach_is_one_line_that_names_the_option(self):
        for connection in ('sqlite:////nowhere/at/all/magnum.sqlite', 'nonsense',
                           'mysql+pymysql://magnum:s3cret@127.0.0.1:1/magnum',
                           'mysql+nodriver://magnum:s3cret@127.0.0.1/magnum'):
            status, output, log = self.run_command('upgrade', connection=connection)
            self.assertEqual((1, '', 1), (status, output, len(log.splitlines())), log)
            self.assertIn('magnum-db-manage: Cannot work with the database of '
                          '[database]connection: ', log)
            self.assertNotIn('s3cret', log)

    def test_without_a_command_the_usage_is_shown(self):
        status, _, log = self.run_command()
        self.assertEqual(2, status)
        self.assertIn('{version,upgrade,stamp,revision}', log)
