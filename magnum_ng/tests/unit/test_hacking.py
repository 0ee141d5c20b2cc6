# SPDX-License-Identifier: Apache-2.0

import os
import subprocess
import sys
import tempfile
import unittest

import magnum_ng

TOP = os.path.dirname(os.path.dirname(os.path.abspath(magnum_ng.__file__)))


def codes_of(source, name='magnum_ng/common/sample.py'):
    """What flake8 with this project's settings finds in a file of that name."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path))
        with open(path, 'w') as file:
            file.write(source)
        done = subprocess.run(
            [sys.executable, '-m', 'flake8', '--config', os.path.join(TOP, 'tox.ini'),
             '--select', 'M', '--format', '%(row)d %(code)s', '--no-show-source', name],
            cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.stderr:
            raise AssertionError(done.stderr)
        return done.stdout.split('\n')[:-1]


class HackingTestCase(unittest.TestCase):

    def test_imports_of_the_alias_are_refused(self):
        self.assertEqual(['1 M301', '2 M301', '3 M301', '5 M301'], codes_of(
            'import magnum\n'
            'from magnum import objects\n'
            'from magnum.common import exception\n'
            'def late():\n'
            '    import magnum.conf\n'))

    def test_the_real_package_and_others_that_begin_alike_may_be_imported(self):
        self.assertEqual([], codes_of(
            'import magnum_ng.conf\n'
            'from magnum_ng import objects\n'
            'import magnumclient\n'
            'import magnum_cluster_api\n'))

    def test_the_alias_may_be_imported_outside_of_the_package(self):
        self.assertEqual([], codes_of('import magnum\n', name='tools/sample.py'))

    def test_the_alias_in_strings_that_name_modules_is_refused(self):
        self.assertEqual(['2 M306', '3 M306'], codes_of(
            'import importlib\n'
            'importlib.import_module("magnum.conf")\n'
            'mock.patch(\'magnum.conf.CONF\')\n'
            'importlib.import_module("magnum_ng.conf")\n'
            'project = "magnum"\n'))

    def test_a_logger_under_the_module_name_is_refused(self):
        self.assertEqual(['2 M302'], codes_of(
            'import logging\n'
            'LOG = logging.getLogger(__name__)\n'))
        self.assertEqual(['2 M302'], codes_of(
            'from oslo_log import log as logging\n'
            'LOG = logging.getLogger(__name__)\n'))

    def test_a_logger_from_our_own_module_is_accepted(self):
        self.assertEqual([], codes_of(
            'from magnum_ng.common import log as logging\n'
            'LOG = logging.getLogger(__name__)\n'))

    def test_eventlet_is_refused(self):
        self.assertEqual(['1 M303', '2 M303'], codes_of(
            'import eventlet\n'
            'from eventlet import greenpool\n'))

    def test_translated_log_messages_are_refused(self):
        self.assertEqual(['1 M304'], codes_of(
            'LOG.warning(_("Lost"))\n'
            'LOG.warning("Lost")\n'))

    def test_texts_put_together_before_translation_are_refused(self):
        self.assertEqual(['1 M305', '2 M305'], codes_of(
            'message = _(text)\n'
            'message = _(first + "second")\n'
            'message = _("No %(thing)s") % {"thing": thing}\n'
            'message = _(\n'
            '    "No thing")\n'))

    def test_every_check_is_registered_and_documented(self):
        with open(os.path.join(TOP, 'magnum_ng', 'hacking', 'checks.py')) as file:
            checks = {line.split('def ')[1].split('(')[0]
                      for line in file if line.startswith('def ')}
        with open(os.path.join(TOP, 'tox.ini')) as file:
            registered = dict(line.strip().split(' = checks:')
                              for line in file if ' = checks:' in line)
        self.assertEqual(checks, set(registered.values()))
        with open(os.path.join(TOP, 'HACKING.rst')) as file:
            text = file.read()
        for code in registered:
            self.assertIn(code, text)
