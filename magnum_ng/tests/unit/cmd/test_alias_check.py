# SPDX-License-Identifier: Apache-2.0
"""No program of ours starts when ``magnum`` is another package than ``magnum_ng``."""

import os
import subprocess
import sys
import textwrap
import unittest

import magnum_ng

TOP = os.path.dirname(os.path.dirname(os.path.abspath(magnum_ng.__file__)))

PROGRAMS = {
    'magnum-api': 'from magnum_ng.cmd import api; api.main()',
    'magnum-conductor': 'from magnum_ng.cmd import conductor; conductor.main()',
    'magnum-db-manage': 'sys.argv.append("version")\n'
                        'from magnum_ng.cmd import db_manage; db_manage.main()',
    'magnum-driver-manage': 'from magnum_ng.cmd import driver_manage\n'
                            'sys.exit(driver_manage.main(["list-drivers"]))',
    'uwsgi': 'import magnum_ng.wsgi.api',
}


def run(name, program):
    """Exit status and output with a package that took the place of the alias."""
    script = textwrap.dedent(f'''
        import sys, types
        other = sys.modules['magnum'] = types.ModuleType('magnum')
        other.__file__ = '/other/magnum/__init__.py'
        sys.argv[:] = [{name!r}]
    ''') + program
    done = subprocess.run([sys.executable, '-W', 'ignore', '-c', script], cwd='/', text=True,
                          env=dict(os.environ, PYTHONPATH=TOP), stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


class AliasCheckTestCase(unittest.TestCase):

    def test_services_and_tools_end_with_one_line(self):
        for name, program in PROGRAMS.items():
            with self.subTest(program=name):
                status, output = run(name, program)
                self.assertEqual(1, status, output)
                self.assertIn('"magnum" (/other/magnum/__init__.py) is not the alias', output)
                self.assertNotIn('Traceback', output)

    def test_the_check_before_an_upgrade_lists_it_as_a_failure(self):
        status, output = run('magnum-status', 'sys.argv += ["upgrade", "check"]\n'
                             'from magnum_ng.cmd import status; sys.exit(status.main())')
        self.assertEqual(2, status, output)
        self.assertIn('Python Package magnum', output)
        self.assertIn('--force-reinstall', output.replace('\n', ' '))
