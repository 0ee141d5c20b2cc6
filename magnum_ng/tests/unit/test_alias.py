# SPDX-License-Identifier: Apache-2.0
"""``magnum.x`` and ``magnum_ng.x`` are the same module, however they are imported.

Every test runs its script in a fresh interpreter: in this one most modules are loaded already.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

import magnum_ng

TOP = os.path.dirname(os.path.dirname(os.path.abspath(magnum_ng.__file__)))

# Modules that act when they are imported, and test trees, which need what they test.
LIST_NAMES = '''
    import importlib, os, pickle, sys
    TOP = %r
    def names():
        found = []
        for folder, folders, files in os.walk(os.path.join(TOP, 'magnum_ng')):
            folders[:] = [f for f in folders if '__init__.py' in os.listdir(
                              os.path.join(folder, f)) and f not in ('tests', 'hacking')]
            package = os.path.relpath(folder, TOP).replace(os.sep, '.')
            for file in files:
                if file == '__init__.py':
                    found.append(package)
                elif file.endswith('.py'):
                    found.append(package + '.' + file[:-3])
        acting = {'magnum_ng.wsgi.api', 'magnum_ng.cmd.api_wsgi',
                  'magnum_ng.db.sqlalchemy.alembic.env', 'magnum_ng.db.sqlalchemy.alembic_ng.env'}
        return [name[len('magnum_ng'):] for name in sorted(found)
                if name not in acting and '.versions' not in name]
''' % TOP


def run_script(script, *, expect=0, cwd='/'):
    script = textwrap.dedent(LIST_NAMES) + textwrap.dedent(script)
    env = dict(os.environ, PYTHONPATH=TOP, PYTHONWARNINGS='ignore')
    done = subprocess.run([sys.executable, '-c', script], env=env, cwd=cwd, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode != expect:
        raise AssertionError(f'exit status {done.returncode}\n{done.stdout}\n{done.stderr}')
    return done.stdout


class AliasTestCase(unittest.TestCase):

    def test_all_modules_are_identical_when_the_alias_comes_first(self):
        out = run_script('''
            for name in names():
                alias = importlib.import_module('magnum' + name)
                real = importlib.import_module('magnum_ng' + name)
                if alias is not real or real.__name__ != 'magnum_ng' + name:
                    print('differs:', name)
            print(len(names()) > 40)
        ''')
        self.assertEqual('True\n', out)

    def test_all_modules_are_identical_when_the_real_name_comes_first(self):
        out = run_script('''
            for name in reversed(names()):
                real = importlib.import_module('magnum_ng' + name)
                alias = importlib.import_module('magnum' + name)
                if alias is not real or real.__spec__.name != 'magnum_ng' + name:
                    print('differs:', name)
            print(len(names()) > 40)
        ''')
        self.assertEqual('True\n', out)

    def test_no_module_below_either_name_is_loaded_twice(self):
        out = run_script('''
            import magnum.conf.opts, magnum_ng.common.policy, magnum.common.exception
            for name, module in list(sys.modules.items()):
                if name.startswith('magnum.'):
                    twin = sys.modules.get('magnum_ng' + name[len('magnum'):])
                    if twin is not module:
                        print(name)
        ''')
        self.assertEqual('', out)

    def test_an_attribute_set_through_one_name_is_seen_through_the_other(self):
        out = run_script('''
            from unittest import mock
            import magnum_ng.common.short_id
            with mock.patch('magnum.common.short_id.generate_id', return_value='x'):
                print(magnum_ng.common.short_id.generate_id())
            print(magnum_ng.common.short_id.generate_id() == 'x')
        ''')
        self.assertEqual('x\nFalse\n', out)

    def test_exceptions_and_options_are_one(self):
        out = run_script('''
            from magnum.common import exception
            import magnum_ng.common.exception, magnum_ng.conf, magnum.conf
            try:
                raise magnum_ng.common.exception.QuotaNotFound()
            except exception.MagnumException as error:
                print(type(error).__module__)
            print(magnum.conf.CONF is magnum_ng.conf.CONF)
        ''')
        self.assertEqual('magnum.common.exception\nTrue\n', out)

    def test_a_pickle_that_names_the_alias_is_read(self):
        out = run_script('''
            import magnum.common.log
            print(pickle.loads(b'cmagnum.common.log\\ngetLogger\\n.')
                  is importlib.import_module('magnum_ng.common.log').getLogger)
        ''')
        self.assertEqual('True\n', out)

    def test_a_module_that_does_not_exist_is_reported_by_its_name(self):
        out = run_script('''
            for name in ('magnum.nope', 'magnum.conf.nope', 'magnum.nope.deeper'):
                try:
                    importlib.import_module(name)
                except ModuleNotFoundError as error:
                    print(error.name)
        ''')
        self.assertEqual('magnum.nope\nmagnum.conf.nope\nmagnum.nope\n', out)

    def test_a_library_missing_inside_a_module_is_reported_by_its_own_name(self):
        out = run_script('''
            sys.modules['keystoneauth1'] = None
            try:
                import magnum.conf
            except ModuleNotFoundError as error:
                print(error.name)
        ''')
        self.assertEqual('keystoneauth1\n', out)

    def test_reload_keeps_the_identity(self):
        out = run_script('''
            import magnum, magnum.version, magnum_ng
            before = len(sys.meta_path)
            print(importlib.reload(magnum.version) is importlib.import_module(
                'magnum_ng.version'))
            print(importlib.reload(magnum) is magnum_ng, len(sys.meta_path) == before)
        ''')
        self.assertEqual('True\nTrue True\n', out)

    def test_running_the_stub_again_does_not_add_a_finder(self):
        out = run_script('''
            import magnum
            before = len(sys.meta_path)
            del sys.modules['magnum']
            import magnum_ng
            print(importlib.import_module('magnum') is magnum_ng, len(sys.meta_path) == before)
        ''')
        self.assertEqual('True True\n', out)

    def test_sources_data_and_submodules_are_found_through_the_alias(self):
        out = run_script('''
            import importlib.resources, inspect, pkgutil
            import magnum, magnum.conf
            print('CONF' in inspect.getsource(magnum.conf))
            print(b'CONF' in pkgutil.get_data('magnum.conf', '__init__.py'))
            print(importlib.resources.files('magnum.conf').joinpath('api.py').is_file())
            print('magnum.conf.api' in {m.name for m in pkgutil.walk_packages(
                magnum.conf.__path__, 'magnum.conf.')})
            spec = importlib.util.find_spec('magnum.conf')
            print(spec.origin == magnum.conf.__file__, bool(spec.submodule_search_locations))
        ''')
        self.assertEqual('True\nTrue\nTrue\nTrue\nTrue True\n', out)

    def test_a_module_of_the_alias_runs_as_a_program(self):
        done = subprocess.run(
            [sys.executable, '-m', 'magnum.cmd.status', '--help'], text=True,
            env=dict(os.environ, PYTHONPATH=TOP, PYTHONWARNINGS='ignore'), cwd='/',
            stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('upgrade', done.stdout)

    def test_threads_that_import_through_both_names_do_not_stall(self):
        out = run_script('''
            import random, threading
            import magnum
            todo = [prefix + name for name in names() for prefix in ('magnum', 'magnum_ng')
                    if name.startswith('.conf') or name.startswith('.common.policies')]
            def work(seed):
                mine = todo[:]
                random.Random(seed).shuffle(mine)
                for name in mine:
                    importlib.import_module(name)
            threads = [threading.Thread(target=work, args=(seed,), daemon=True)
                       for seed in range(6)]
            for thread in threads: thread.start()
            for thread in threads: thread.join(60)
            print([thread.is_alive() for thread in threads])
            print(all(sys.modules['magnum' + name] is sys.modules['magnum_ng' + name]
                      for name in names() if name.startswith('.conf')))
        ''')
        self.assertEqual(f'{[False] * 6}\nTrue\n', out)


class CheckTestCase(unittest.TestCase):

    def test_the_alias_in_place_passes_the_check(self):
        self.assertEqual('ok\n', run_script('''
            from magnum_ng.common import alias
            alias.check()
            print('ok')
        '''))

    def test_a_package_that_took_the_place_of_the_alias_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(TOP, 'magnum_ng'), os.path.join(folder, 'magnum_ng'),
                            ignore=shutil.ignore_patterns('tests', '__pycache__'))
            os.mkdir(os.path.join(folder, 'magnum'))
            with open(os.path.join(folder, 'magnum', '__init__.py'), 'w') as file:
                file.write('other = True\n')
            out = run_script(f'''
                sys.path[:0] = [{folder!r}]
                sys.meta_path[:] = [finder for finder in sys.meta_path
                                    if 'editable' not in str(finder)]
                from magnum_ng.common import alias
                try:
                    alias.check()
                except alias.AliasBroken as error:
                    print({folder!r} in str(error), '--force-reinstall' in str(error))
            ''')
        self.assertEqual('True True\n', out)
