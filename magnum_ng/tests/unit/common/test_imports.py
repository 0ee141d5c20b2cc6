# SPDX-License-Identifier: Apache-2.0

import subprocess
import sys
import tempfile
import textwrap

from magnum_ng.common import imports
from magnum_ng.tests import base


class TestLeftOut(base.TestCase):

    def test_a_package_is_not_found_inside_and_found_afterwards(self):
        sys.modules.pop('this', None)
        with imports.left_out('this'):
            self.assertRaises(ImportError, __import__, 'this')
        self.assertNotIn('this', sys.modules)

    def test_what_is_imported_already_stays(self):
        with imports.left_out('json'):
            __import__('json')
        self.assertIsNotNone(sys.modules['json'])

    def test_it_is_undone_after_an_error(self):
        def fail():
            with imports.left_out('no_such_package'):
                raise KeyError
        self.assertRaises(KeyError, fail)
        self.assertNotIn('no_such_package', sys.modules)


class TestStart(base.TestCase):

    def test_the_api_loads_nothing_that_it_does_not_need(self):
        # Stand-ins for the real packages, which need not be installed here.
        with tempfile.TemporaryDirectory() as place:
            for name in ('eventlet', 'genshi', 'kajiki', 'pygments'):
                with open(f'{place}/{name}.py', 'w') as module:
                    module.write('')
            program = textwrap.dedent(f'''
                import sys
                sys.path.insert(0, {place!r})
                import magnum_ng.api.app
                import magnum_ng.common.service
                unwanted = ('eventlet', 'genshi', 'kajiki', 'pygments', 'openstack')
                print(sorted(set(unwanted) & set(sys.modules)))
                import kajiki
                ''')
            done = subprocess.run([sys.executable, '-c', program], capture_output=True,
                                  text=True, check=False)
        self.assertEqual(('[]', ''), (done.stdout.strip(), done.stderr.strip()))
