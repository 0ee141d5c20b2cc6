# SPDX-License-Identifier: Apache-2.0
"""The original and magnum_ng side by side: services of both as processes of their own.

A :class:`Fleet` is what they share: a database on MariaDB, a broker, the embedded cloud of the
demo, one configuration file and one driver (``tools/fleet/driver``). Which services run is up to
the test.

``MAGNUM_ORIGINAL_VENV`` names a virtual environment in which ``magnum==23.0.0`` and PyMySQL are
installed; ``tools/fleet/run`` makes one. The servers are those of the other functional tests.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess  # noqa: S404 (the services are processes)
import sys
import time
import tomllib
import unittest
import uuid

import fixtures
from oslotest import base
import requests
import sqlalchemy as sa
from testtools import content

from magnum_ng.tests.functional import base as functional

from magnum_demo import cloud as demo_cloud  # isort: skip (its path is added by the import above)
from magnum_demo import config as demo_config  # isort: skip

ORIGINAL = 'MAGNUM_ORIGINAL_VENV'
DRIVER = functional.ROOT / 'tools' / 'fleet' / 'driver'
PASSWORD = functional.PASSWORD

# The WSGI application by its module, behind the server of the standard library.
SERVE_WSGI = '''
import os, socketserver, sys
from wsgiref import simple_server
class Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True
port = int(sys.argv.pop())
from magnum.wsgi.api import application
simple_server.make_server('127.0.0.1', port, application, Server).serve_forever()
'''


def original_venv():
    """The environment with the original; skips the test when there is none."""
    path = os.environ.get(ORIGINAL)
    if not path:
        raise unittest.SkipTest(f'{ORIGINAL} does not name an environment with magnum 23.0.0')
    if not os.access(os.path.join(path, 'bin', 'magnum-conductor'), os.X_OK):
        raise unittest.SkipTest(f'There is no magnum-conductor in {path} ({ORIGINAL})')
    return pathlib.Path(path)


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Broker(fixtures.Fixture):
    """A virtual host of its own, for the original's queues have a fixed name; ``url`` is its URL.

    Without rabbitmqctl the virtual host of the URL is used, if nobody else's conductor is there.
    """

    def _setUp(self):
        self.url = functional.rabbitmq_url()
        name = f'magnum_test_{uuid.uuid4().hex[:12]}'
        user = sa.make_url(self.url).username or 'guest'
        if not shutil.which('rabbitmqctl') or self._ctl('add_vhost', name):
            self._skip_if_in_use()
            return
        self.addCleanup(self._ctl, 'delete_vhost', name)
        self._ctl('set_permissions', '-p', name, user, '.*', '.*', '.*')
        self.url = sa.make_url(self.url).set(database=name).render_as_string(
            hide_password=False)

    @staticmethod
    def _ctl(*arguments):
        return subprocess.run(  # noqa: S603
            ['rabbitmqctl', '-q', *arguments], stdout=subprocess.DEVNULL,  # noqa: S607
            stderr=subprocess.DEVNULL).returncode

    def _skip_if_in_use(self):
        import amqp
        import kombu
        address = self.url.replace('rabbit://', 'amqp://', 1)
        with kombu.Connection(address, connect_timeout=5) as connection:
            try:
                queue = connection.default_channel.queue_declare(
                    'magnum-conductor', passive=True)
            except amqp.NotFound:
                return
        if queue.consumer_count:
            raise unittest.SkipTest(
                'Somebody\'s magnum-conductor uses this virtual host, and no other one could be '
                'made with rabbitmqctl: name one of its own in MAGNUM_TEST_RABBITMQ')


class Process:
    """A running service."""

    def __init__(self, command, environment, log):
        self.log = log
        self._out = open(log, 'ab')  # noqa: SIM115 (closed by stop)
        self.popen = subprocess.Popen(  # noqa: S603
            command, env=environment, stdout=self._out, stderr=self._out, cwd='/',
            start_new_session=True)

    def stop(self, patience=15):
        """End it; the original's conductor takes longer than anybody wants to wait."""
        try:
            os.kill(self.popen.pid, signal.SIGTERM)
            self.popen.wait(patience)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        try:
            # The children are in the session that was begun for it.
            os.killpg(self.popen.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.popen.wait()
        self._out.close()


class Side:
    """One of the two: how its programs are started."""

    def __init__(self, fleet, name, python, programs, path=()):
        self.fleet = fleet
        self.name = name
        self.python = python
        self.programs = programs
        self.environment = dict(fleet.environment, PYTHONPATH=os.pathsep.join(
            [fleet.environment['PYTHONPATH'], *path]))

    def _start(self, what, command):
        process = Process(command, self.environment,
                          self.fleet.directory / f'{self.name}-{what}.log')
        self.fleet.processes.append(process)
        return process

    def _program(self, program):
        return [*self.programs(program), '--config-file', str(self.fleet.config)]

    def run(self, program, *arguments, status=0):
        """Run a command to its end and return what it printed."""
        done = subprocess.run(  # noqa: S603
            [*self._program(program), *arguments], env=self.environment, cwd='/',
            capture_output=True, text=True, timeout=300)
        if status is not None and done.returncode != status:
            raise AssertionError(f'{self.name} {program} {arguments}: {done.returncode}\n'
                                 f'{done.stdout}\n{done.stderr}')
        return done.stdout

    def api(self):
        """Start magnum-api and wait until it answers."""
        process = self._start('api', self._program('magnum-api'))
        self.fleet.wait_for_api(process)
        return process

    def wsgi(self):
        """Serve the module magnum.wsgi.api, which finds its configuration by itself."""
        process = self._start('wsgi', [str(self.python), '-c', SERVE_WSGI, str(self.fleet.port)])
        self.fleet.wait_for_api(process)
        return process

    def conductor(self):
        """Start magnum-conductor and wait until it has reported."""
        before = self.fleet.reports()
        process = self._start('conductor', self._program('magnum-conductor'))
        self.fleet.wait_until(lambda: self.fleet.reports() > before, process, 90)
        return process


class Fleet(fixtures.Fixture):
    def __init__(self, certificates='x509keypair'):
        super().__init__()
        self.certificates = certificates

    def _setUp(self):
        venv = original_venv()
        self.broker = self.useFixture(Broker()).url
        self.connection = self.useFixture(functional.new_mariadb()).url
        self.directory = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.engine = sa.create_engine(self.connection, isolation_level='AUTOCOMMIT')
        self.addCleanup(self.engine.dispose)
        self.cloud = demo_cloud.Cloud(password=PASSWORD).start()
        self.addCleanup(self.cloud.stop)
        self.port = free_port()
        self.url = f'http://127.0.0.1:{self.port}'
        self.cloud.set_endpoint('magnum', 'container-infra', self.url + '/v1')
        self.driver_log = self.directory / 'driver.log'
        self.driver_log.touch()
        self._configure()
        self.environment = self._environment()
        self.processes = []
        self.addCleanup(self.stop_all)
        self.original = Side(self, 'original', venv / 'bin' / 'python',
                             lambda program: [str(venv / 'bin' / program)])
        # Whatever is installed, ours is this checkout.
        self.ng = Side(self, 'ng', sys.executable, self._our_program, [str(functional.ROOT)])

    @staticmethod
    def _our_program(program):
        module = program.removeprefix('magnum-').replace('-', '_')
        return [sys.executable, '-c',
                f'import sys; sys.argv[0] = "{program}"; '
                f'from magnum_ng.cmd import {module}; sys.exit({module}.main())']

    def _configure(self):
        home = self.directory / 'home' / '.magnum'
        home.mkdir(parents=True)
        self.config = home / 'magnum.conf'
        found = demo_config.sections(
            str(functional.ROOT), str(self.directory), self.cloud.url, PASSWORD, self.port,
            connection=self.connection, transport=self.broker, certificates=self.certificates)
        found['DEFAULT'].update(host='fleet', rpc_response_timeout=30)
        found['drivers'] = {'default_driver': 'fleet'}
        found['kubernetes']['health_polling_interval'] = -1
        found['keystone_authtoken']['token_cache_time'] = -1
        demo_config.write(str(self.config), found)

    def _environment(self):
        """Both sides load the driver from a directory of its own, as if it were installed."""
        plugin = self.directory / 'plugin'
        project = tomllib.loads((DRIVER / 'pyproject.toml').read_text())['project']
        info = plugin / f'{project["name"].replace("-", "_")}-{project["version"]}.dist-info'
        info.mkdir(parents=True)
        shutil.copy(DRIVER / 'magnum_fleet.py', plugin)
        (info / 'METADATA').write_text(
            f'Metadata-Version: 2.1\nName: {project["name"]}\nVersion: {project["version"]}\n')
        (info / 'entry_points.txt').write_text('\n'.join(
            line for group, entries in project['entry-points'].items()
            for line in [f'[{group}]', *(f'{name} = {value}' for name, value in entries.items())]
        ) + '\n')
        kept = {name: value for name, value in os.environ.items()
                if name in ('PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'LD_LIBRARY_PATH')}
        return dict(kept, HOME=str(self.directory / 'home'), PYTHONPATH=str(plugin),
                    XDG_CACHE_HOME=str(self.directory / 'cache'), PYTHONWARNINGS='ignore',
                    FLEET_LOG=str(self.driver_log))

    # For the tests

    def sql(self, statement, **values):
        with self.engine.connect() as connection:
            result = connection.execute(sa.text(statement), values)
            return result.all() if result.returns_rows else None

    def count(self, table, where='1 = 1'):
        return self.sql(f'SELECT COUNT(*) FROM {table} WHERE {where}')[0][0]  # noqa: S608

    def reports(self):
        """How often conductors have reported that they live."""
        return self.sql('SELECT COALESCE(SUM(report_count), 0) FROM magnum_service')[0][0]

    def calls(self, cluster=None):
        """What the driver was asked for: the lines of its log."""
        found = [json.loads(line) for line in self.driver_log.read_text().splitlines()]
        return [line for line in found if cluster in (None, line['cluster'])]

    def wait_for_api(self, process):
        def answers():
            try:
                return requests.get(self.url + '/', timeout=5).status_code == 200
            except requests.ConnectionError:
                return False
        self.wait_until(answers, process, 90)

    @staticmethod
    def wait_until(condition, process=None, seconds=60, what='something'):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = condition()
            if found:
                return found
            if process is not None and process.popen.poll() is not None:
                break
            time.sleep(0.2)
        log = process.log.read_text(errors='replace')[-4000:] if process else ''
        raise AssertionError(f'waited {seconds} s in vain for {what}\n{log}')

    def stop(self, process, patience=15):
        self.processes.remove(process)
        process.stop(patience)

    def stop_all(self):
        for process in list(self.processes):
            # The original's conductor takes more than a minute of any patience.
            slow = 'original-conductor' in process.log.name
            self.stop(process, 2 if slow else 15)

    def silence(self):
        """As if conductors that are gone now had been gone for a long time."""
        self.sql("UPDATE magnum_service SET last_seen_up = '2020-01-01', updated_at = "
                 "'2020-01-01', created_at = '2020-01-01'")


class TestCase(base.BaseTestCase):
    """Tests of a class share one fleet, with the services that ``start`` starts."""

    certificates = 'x509keypair'
    fleet: Fleet

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.fleet = Fleet(cls.certificates)
        try:
            cls.fleet.setUp()
        except fixtures.MultipleExceptions as failures:
            # A fixture hides that it wants the tests to be skipped; it has cleaned up already.
            for _kind, error, _traceback in failures.args:
                if isinstance(error, unittest.SkipTest):
                    raise error from None
            raise
        cls.addClassCleanup(cls.fleet.cleanUp)
        cls.start(cls.fleet)

    @classmethod
    def start(cls, fleet):
        raise NotImplementedError

    def setUp(self):
        super().setUp()
        self.name = f'f{uuid.uuid4().hex[:8]}'
        begun = {log: log.stat().st_size for log in self.fleet.directory.glob('*.log')}
        self.addOnException(lambda error: self._show_logs(begun))

    def _show_logs(self, begun):
        for log in self.fleet.directory.glob('*.log'):
            with open(log, errors='replace') as file:
                file.seek(begun.get(log, 0))
                self.addDetail(log.name, content.text_content(file.read()[-20000:]))

    # Requests

    def request(self, method, path, body=None, user='demo', status=None):
        """A request in the latest version; the answer's document if a status is expected."""
        answer = requests.request(
            method, self.fleet.url + path, json=body, timeout=60,
            headers={'X-Auth-Token': self.fleet.cloud.token(user),
                     'OpenStack-API-Version': 'container-infra 1.14'})
        if status is None:
            return answer
        self.assertEqual(status, answer.status_code, answer.text)
        return answer.json() if answer.text else None

    def error(self, method, path, body=None, status=400, user='demo'):
        """The text of the error that a request has to end in."""
        return self.request(method, path, body, user, status)['errors'][0]['detail']

    def new_template(self, **values):
        values = {'name': self.name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
                  'external_network_id': 'public', 'keypair_id': 'demo-key',
                  'flavor_id': 'm1.small', 'master_flavor_id': 'm1.medium', **values}
        return self.request('POST', '/v1/clustertemplates', values, status=201)['uuid']

    def new_cluster(self, name=None, template=None, wait='CREATE_COMPLETE'):
        template = template or self.new_template()
        found = self.request('POST', '/v1/clusters', {
            'name': name or self.name, 'cluster_template_id': template, 'master_count': 1,
            'node_count': 2, 'keypair': 'demo-key'}, status=202)['uuid']
        if wait:
            self.wait_for(found, wait)
        return found

    def cluster(self, uuid_):
        return self.request('GET', f'/v1/clusters/{uuid_}', status=200)

    def wait_for(self, uuid_, status, **values):
        """The cluster once it has the status and these values."""
        def look():
            # The original answers 404 until its conductor has taken the message.
            answer = self.request('GET', f'/v1/clusters/{uuid_}')
            if answer.status_code == 404:
                return None
            self.assertEqual(200, answer.status_code, answer.text)
            found = answer.json()
            wanted = dict(values, status=status)
            return found if all(found[name] == value for name, value in wanted.items()) else None
        return self.fleet.wait_until(look, seconds=60, what=f'{uuid_} {status} {values}')

    def wait_gone(self, path):
        self.fleet.wait_until(lambda: self.request('GET', path).status_code == 404,
                              seconds=60, what=f'{path} to be gone')

    def call(self, name, cluster, **values):
        """The call of this kind and with these values that the driver got for the cluster."""
        wanted = dict(values, call=name)
        return self.fleet.wait_until(
            lambda: [line for line in self.fleet.calls(cluster)
                     if all(line.get(key) == value for key, value in wanted.items())],
            seconds=30, what=f'{wanted}')[-1]
