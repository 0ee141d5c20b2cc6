# SPDX-License-Identifier: Apache-2.0
"""``application``, as WSGI servers load it: each test in an interpreter of its own."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import magnum_ng

TOP = os.path.dirname(os.path.dirname(os.path.abspath(magnum_ng.__file__)))

CONFIG = '''
[DEFAULT]
transport_url = fake://
[api]
api_paste_config = {top}/etc/magnum/api-paste.ini
[database]
connection = sqlite:///{home}/magnum.sqlite
[keystone_authtoken]
auth_type = password
auth_url = http://127.0.0.1:9/v3
www_authenticate_uri = http://127.0.0.1:9/v3
'''

ASK = '''
import io, json, runpy, sys
sys.argv = {argv!r}
application = {load}
def ask(path):
    from wsgiref.util import setup_testing_defaults
    environ = {{'PATH_INFO': path, 'wsgi.input': io.BytesIO()}}
    setup_testing_defaults(environ)
    answer = []
    b''.join(application(environ, lambda status, headers, exc=None: answer.append(status)))
    return int(answer[0].split()[0])
print(json.dumps([ask('/'), ask('/healthcheck'), ask('/v1/clusters')]))
'''


class ApplicationTestCase(unittest.TestCase):

    def setUp(self):
        self.home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.home)
        os.mkdir(os.path.join(self.home, '.magnum'))
        self.write('.magnum/magnum.conf', CONFIG.format(home=self.home, top=TOP))

    def write(self, name, text):
        path = os.path.join(self.home, name)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def run_python(self, script):
        done = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c', script], cwd=self.home, text=True,
            env=dict(os.environ, PYTHONPATH=TOP, HOME=self.home), stdin=subprocess.DEVNULL,
            capture_output=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def ask(self, load, argv):
        return json.loads(self.run_python(ASK.format(load=load, argv=argv)).splitlines()[-1])

    def test_the_module_serves_and_ignores_the_arguments_of_the_server(self):
        self.assertEqual([200, 200, 401], self.ask(
            '__import__("magnum.wsgi.api").wsgi.api.application',
            ['gunicorn', '--workers', '4', 'magnum.wsgi.api:application']))

    def test_a_copy_of_the_file_serves_under_another_name(self):
        copy = os.path.join(self.home, 'app')
        shutil.copy(os.path.join(TOP, 'magnum', 'wsgi', 'api.py'), copy)
        self.assertEqual([200, 200, 401], self.ask(
            f'runpy.run_path({copy!r}, run_name="uwsgi_file_app")["application"]', ['uwsgi']))

    def test_the_target_of_the_script_serves(self):
        self.assertEqual([200, 200, 401], self.ask(
            '__import__("magnum_ng.cmd.api_wsgi").cmd.api_wsgi.application', ['uwsgi']))

    def test_arguments_that_uwsgi_passes_on_are_read(self):
        other = self.write('other.conf', '[api]\nmax_limit = 42\n')
        main = os.path.join(self.home, '.magnum', 'magnum.conf')
        out = self.run_python(f'''
import sys
sys.argv = ['uwsgi', '--config-file', {main!r}, '--config-file', {other!r}]
import magnum.wsgi.api, magnum.conf
print(magnum.conf.CONF.api.max_limit)
''')
        self.assertEqual('42', out.splitlines()[-1])

    def test_loggers_have_the_public_name_only(self):
        out = self.run_python('''
import logging, sys
sys.argv = ['uwsgi']
import magnum.wsgi.api
names = list(logging.root.manager.loggerDict)
print([name for name in names if name.startswith('magnum_ng')])
print(any(name.startswith('magnum.') for name in names))
''')
        self.assertEqual(['[]', 'True'], out.splitlines()[-2:])

    def test_without_a_paste_file_the_script_says_so_in_one_line(self):
        self.write('.magnum/magnum.conf', '[api]\napi_paste_config = nowhere.ini\n')
        done = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c', 'import magnum_ng.cmd.api_wsgi'],
            cwd=self.home, text=True, env=dict(os.environ, PYTHONPATH=TOP, HOME=self.home),
            stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual(1, done.returncode)
        self.assertNotIn('Traceback', done.stderr)
        said, = [line for line in done.stderr.splitlines() if 'nowhere.ini' in line]
        self.assertIn('[api]api_paste_config = nowhere.ini cannot be found', said)

    def test_the_script_started_from_a_shell_says_what_to_start(self):
        done = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c',
             'import sys; from magnum_ng.cmd.api_wsgi import application;'
             'sys.exit(application())'],
            env=dict(os.environ, PYTHONPATH=TOP, HOME=self.home), cwd=self.home, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertIn('magnum-api', done.stderr)
