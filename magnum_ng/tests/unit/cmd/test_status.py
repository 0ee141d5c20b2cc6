# SPDX-License-Identifier: Apache-2.0

import json
import os
from unittest import mock

from oslo_config import cfg
from oslo_config import fixture as config_fixture
from oslo_upgradecheck import upgradecheck
from oslotest import base
import fixtures
import sqlalchemy

from magnum_ng.cmd import status
from magnum_ng.common import alias
from magnum_ng.common import policy
import magnum_ng.conf
from magnum_ng.cmd.upgrade_checks import finding
from magnum_ng.db.sqlalchemy import migration
from magnum_ng.db.sqlalchemy import session
from magnum_ng.tests.unit.cmd.upgrade_checks import base as checks_base

CONF = magnum_ng.conf.CONF
Code = upgradecheck.Code


class StatusTestCase(base.BaseTestCase):

    def setUp(self):
        super().setUp()
        self.folder = self.useFixture(fixtures.TempDir()).path
        self.config = self.useFixture(config_fixture.Config(CONF))
        CONF([f'--config-dir={self.folder}'], project='magnum', default_config_files=[])
        policy.reset()
        self.addCleanup(policy.reset)
        self.commands = status.Checks()

    def run_check(self, title):
        return dict(status.CHECKS)[title](self.commands)


class PolicyFileTestCase(StatusTestCase):
    TITLE = 'Policy File JSON to YAML Migration'

    def write(self, name, text):
        with open(os.path.join(self.folder, name), 'w') as file:
            file.write(text)
        self.config.config(policy_file=name, group='oslo_policy')

    def test_no_file_is_fine(self):
        self.assertEqual(Code.SUCCESS, self.run_check(self.TITLE).code)

    def test_a_yaml_file_is_fine(self):
        self.write('policy.yaml', 'a: "!"\n')
        self.assertEqual(Code.SUCCESS, self.run_check(self.TITLE).code)

    def test_a_json_file_is_a_failure(self):
        self.write('policy.json', '{"a": "!"}')
        self.assertEqual(Code.FAILURE, self.run_check(self.TITLE).code)


class AliasTestCase(StatusTestCase):
    TITLE = 'Python Package magnum'

    def test_the_alias_in_place_is_fine(self):
        self.assertEqual(Code.SUCCESS, self.run_check(self.TITLE).code)

    def test_a_broken_alias_is_a_failure_that_says_why(self):
        with mock.patch.object(alias, 'check', side_effect=alias.AliasBroken('overwritten')):
            result = self.run_check(self.TITLE)
        self.assertEqual((Code.FAILURE, 'overwritten.'), (result.code, result.details))


class CommandTestCase(StatusTestCase):

    def test_the_title_that_tools_know_comes_first(self):
        self.assertEqual('Policy File JSON to YAML Migration', status.CHECKS[0][0])

    def test_the_worst_result_is_the_exit_status(self):
        checks = (('fine', lambda commands: status.Result(Code.SUCCESS)),
                  ('bad', lambda commands: status.Result(Code.FAILURE, 'because')))
        output = self.useFixture(fixtures.StringStream('stdout')).stream
        self.useFixture(fixtures.MonkeyPatch('sys.stdout', output))
        with mock.patch.object(status.Checks, '_upgrade_checks', checks):
            self.assertEqual(Code.FAILURE, self.commands.check())

    def output_of(self, *checks, arguments=()):
        """(what the command prints with these checks, its exit status)"""
        commands = status.Checks()
        commands._upgrade_checks = checks
        output = self.useFixture(fixtures.StringStream('stdout'))
        self.useFixture(fixtures.MonkeyPatch('sys.stdout', output.stream))
        conf = cfg.ConfigOpts()
        with mock.patch.object(status, 'CONF', conf):
            code = upgradecheck.main(conf, 'magnum', commands, ['upgrade', 'check', *arguments],
                                     default_config_files=[])
        output.stream.flush()
        return output.getDetails()['stdout'].as_text(), code

    def test_findings_are_told_with_count_examples_and_advice(self):
        found = finding.Finding(Code.WARNING, '7 things are odd', 7, ('a', 'b'), 'Mend them.')
        check = ('odd', lambda commands: finding.Report([found]))
        text, code = self.output_of(check)
        self.assertEqual(Code.WARNING, code)
        self.assertIn('7 things are odd (a, b, ...). Mend them.', text)
        text, code = self.output_of(check, arguments=['--json'])
        self.assertEqual(Code.WARNING, code)
        document, = json.loads(text)['checks']
        self.assertEqual(
            {'check': 'odd', 'result': 1, 'details': '7 things are odd (a, b, ...). Mend them.',
             'findings': [{'result': 1, 'what': '7 things are odd', 'count': 7,
                           'examples': ['a', 'b'], 'advice': 'Mend them.'}]}, document)

    def test_without_findings_all_is_well(self):
        text, code = self.output_of(('fine', lambda commands: finding.Report()))
        self.assertEqual(Code.SUCCESS, code)
        self.assertIn('Result: Success', text)


class EarlierReleaseTestCase(base.BaseTestCase):
    """Before the upgrade, the database lacks columns and tables."""

    def run_at(self, revision):
        path = os.path.join(self.useFixture(fixtures.TempDir()).path, 'magnum.sqlite')
        engine = sqlalchemy.create_engine(f'sqlite:///{path}')
        self.addCleanup(engine.dispose)
        self.useFixture(fixtures.MockPatchObject(session, 'get_engine', return_value=engine))
        self.useFixture(config_fixture.Config(CONF)).config(
            group='database', connection=f'sqlite:///{path}')
        migration.upgrade(revision)
        self.rows(engine)
        with checks_base.installed('lab'):
            return {title: check(status.Checks()) for title, check in status.CHECKS[2:]
                    if title != 'Cluster Drivers'}

    def rows(self, engine):
        with engine.begin() as connection:
            connection.exec_driver_sql(
                "INSERT INTO cluster_template (uuid, server_type, cluster_distro, coe) "
                "VALUES ('t', 'vm', 'fedora-coreos', 'kubernetes')")
            connection.exec_driver_sql(
                "INSERT INTO cluster (uuid, cluster_template_id, status, created_at) "
                "VALUES ('c', 't', 'CREATE_IN_PROGRESS', '2020-01-01 00:00:00')")

    def test_every_check_works_on_it(self):
        # Each head that a release has had since 15.
        for revision in ('7da8489d6a68', 'c0f832afc4fd', 'b3e1cf4a2d5e'):
            results = self.run_at(revision)
            for title, result in results.items():
                self.assertNotIn('could not be read', str(result.details), (revision, title))
            self.assertIn('Heat', results['Clusters Without Driver'].details)
            self.assertIn('(c CREATE_IN_PROGRESS)', results['Clusters In Progress'].details)
            self.assertIn('without a default nodegroup',
                          results['Rows That Point At Nothing'].details)
            self.assertIn(revision, results['Database'].details)
