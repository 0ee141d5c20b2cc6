# SPDX-License-Identifier: Apache-2.0

import os
import sqlite3
from unittest import mock

from oslo_config import fixture as config_fixture
from oslo_upgradecheck import upgradecheck
from oslotest import base
import fixtures
import sqlalchemy

from magnum_ng.cmd import status
from magnum_ng.common import alias
from magnum_ng.common import policy
import magnum_ng.conf
from magnum_ng.drivers.common import driver

CONF = magnum_ng.conf.CONF
Code = upgradecheck.Code


class Driver:
    def __init__(self):
        self.provides = [{'server_type': 'vm', 'os': 'ubuntu', 'coe': 'kubernetes'}]


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
        self.assertEqual((Code.FAILURE, 'overwritten'), (result.code, result.details))


class DriversTestCase(StatusTestCase):
    TITLE = 'Cluster Drivers'

    def check(self, *drivers):
        with mock.patch.object(driver, 'report', return_value=list(drivers)):
            return self.run_check(self.TITLE)

    def test_a_usable_driver_is_fine(self):
        self.assertEqual(Code.SUCCESS,
                         self.check(driver.DriverInfo(name='a', entry_point='a:A')).code)

    def test_no_driver_is_a_warning(self):
        self.assertEqual(Code.WARNING, self.check().code)

    def test_only_disabled_drivers_are_a_warning(self):
        result = self.check(driver.DriverInfo(name='a', entry_point='a:A', disabled=True))
        self.assertEqual(Code.WARNING, result.code)

    def test_a_broken_driver_is_named_with_its_reason(self):
        result = self.check(
            driver.DriverInfo(name='a', entry_point='a:A'),
            driver.DriverInfo(name='b', entry_point='b:B', error='KeyError: kubeconfig'))
        self.assertEqual(Code.WARNING, result.code)
        self.assertIn('b: KeyError: kubeconfig', result.details)


class ClustersTestCase(StatusTestCase):
    TITLE = 'Clusters Without Driver'

    def check(self, *templates, driver_names=('lab',)):
        """Run the check on a database with one cluster for each template."""
        path = os.path.join(self.folder, 'magnum.sqlite')
        database = sqlite3.connect(path)
        database.execute('CREATE TABLE cluster (uuid TEXT, cluster_template_id TEXT)')
        database.execute('CREATE TABLE cluster_template (uuid TEXT, driver TEXT, '
                         'server_type TEXT, cluster_distro TEXT, coe TEXT)')
        for number, template in enumerate(templates):
            database.execute('INSERT INTO cluster_template VALUES (?, ?, ?, ?, ?)',
                             (str(number), *template))
            database.execute('INSERT INTO cluster VALUES (?, ?)', (f'c{number}', str(number)))
        database.commit()
        database.close()
        engine = sqlalchemy.create_engine(f'sqlite:///{path}')
        self.addCleanup(engine.dispose)
        entries = [(mock.Mock(value='lab:Driver'), Driver) for _ in driver_names]
        for (entry_point, _), name in zip(entries, driver_names, strict=True):
            entry_point.name = name
        with mock.patch.object(status.session, 'get_engine', return_value=engine), \
                mock.patch.object(driver.Driver, 'load_entry_points',
                                  side_effect=lambda: iter(entries)), \
                mock.patch.object(driver.Driver, 'definitions', None):
            return self.run_check(self.TITLE)

    def test_clusters_of_installed_drivers_are_fine(self):
        result = self.check(('lab', 'vm', 'ubuntu', 'kubernetes'),
                            (None, 'vm', 'ubuntu', 'kubernetes'))
        self.assertEqual(Code.SUCCESS, result.code, result.details)

    def test_a_cluster_of_a_removed_driver_is_named(self):
        result = self.check(('k8s_fedora_coreos_v1', 'vm', 'fedora-coreos', 'kubernetes'))
        self.assertEqual(Code.WARNING, result.code)
        self.assertIn('1 cluster(s)', result.details)
        self.assertIn('k8s_fedora_coreos_v1', result.details)

    def test_a_cluster_of_a_kind_that_no_driver_provides_is_named(self):
        result = self.check((None, 'vm', 'fedora-coreos', 'kubernetes'))
        self.assertEqual(Code.WARNING, result.code)
        self.assertIn('fedora-coreos', result.details)

    def test_a_database_that_cannot_be_read_is_a_warning_without_the_password(self):
        with mock.patch.object(status.session, 'get_engine',
                               side_effect=RuntimeError('mysql://magnum:secret@db')):
            result = self.run_check(self.TITLE)
        self.assertEqual(Code.WARNING, result.code)
        self.assertIn('[database]connection', result.details)
        self.assertNotIn('secret', result.details)


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
