# SPDX-License-Identifier: Apache-2.0
import contextlib
import io
import json

from magnum_ng.cmd import driver_manage
from magnum_ng.tests.unit.drivers import test_driver


class TestListDrivers(test_driver.DriverTestCase):
    def setUp(self):
        super().setUp()
        self.install(('a', test_driver.Plain), ('b', test_driver.Other),
                     ('c', test_driver.Beta), ('d', test_driver.Fussy), broken=['e'])

    def run_command(self, *args):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            app = driver_manage.DriverManager()
            # it would add handlers for good
            app.configure_logging = lambda: None
            app.stdout = output
            self.assertEqual(0, app.run(['list-drivers', *args]))
        return output.getvalue()

    def test_names_alone(self):
        found = json.loads(self.run_command('-f', 'json'))
        self.assertEqual([{'Name': name} for name in 'abcde'], found)

    def test_details_have_a_line_for_each_kind_of_cluster(self):
        lines = self.run_command('--details', '-f', 'csv').splitlines()
        self.assertEqual(['"a"', '"b"', '"b"', '"c"', '"d"', '"e"'],
                         [line.split(',')[0] for line in lines[1:]])

    def test_a_table_says_why_a_driver_cannot_be_used(self):
        table = self.run_command('-d', '-p')
        self.assertIn('cannot be used: RuntimeError: no kubeconfig', table)
        self.assertIn('cannot be used: ImportError: no module gone', table)
        self.assertIn('beta, not enabled', table)
        for column in ('Name', 'Server_Type', 'OS', 'COE', 'Template Path'):
            self.assertIn(column, table)

    def test_json_has_all_facts_of_a_driver_in_one_place(self):
        found = {driver['name']: driver for driver in json.loads(
            self.run_command('--details', '--json'))}
        self.assertEqual(
            [{'server_type': 'vm', 'os': 'ubuntu', 'coe': 'kubernetes'},
             {'server_type': 'vm', 'os': 'flatcar', 'coe': 'kubernetes'}],
            found['b']['provides'])
        self.assertEqual(['get_monitor'], found['b']['optional_operations'])
        self.assertEqual('ready', found['b']['state'])
        self.assertEqual('RuntimeError: no kubeconfig', found['d']['error'])
