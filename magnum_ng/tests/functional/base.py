# SPDX-License-Identifier: Apache-2.0
"""The whole service in this process, against the embedded cloud of the demo.

A :class:`Stack` is the real WSGI application behind its real paste pipeline, served over HTTP with
keystonemiddleware asking the embedded cloud about every token; a real conductor that gets its
work over oslo.messaging; a migrated database; and the simulated driver. A test class has one for
all its tests, which therefore use names of their own.
"""

import logging
import os
import pathlib
import sys
import time
import unittest
import uuid

import fixtures
from keystoneauth1.identity import v3
from keystoneauth1 import session as ks_session
from magnumclient.v1 import client as magnum_client
import openstack
from oslo_config import cfg
from oslo_db.sqlalchemy import engines
from oslotest import base
import requests
import sqlalchemy as sa
from testtools import content

from magnum_ng.api import app as api_app
from magnum_ng.common import keystone
from magnum_ng.common import policy
from magnum_ng.common import rpc
from magnum_ng.common import service as common_service
from magnum_ng.db import migration
from magnum_ng.db.sqlalchemy import session as db_session

CONF = cfg.CONF

ROOT = pathlib.Path(__file__).resolve().parents[3]
PARTS = ROOT / 'tools' / 'demo_parts'
if not PARTS.is_dir():
    raise unittest.SkipTest(f'the functional tests need a checkout: there is no {PARTS}')
if str(PARTS) not in sys.path:
    sys.path.insert(0, str(PARTS))

from magnum_demo import cloud as demo_cloud  # noqa: E402 (needs the path)
from magnum_demo import config as demo_config  # noqa: E402
from magnum_demo import driver as demo_driver  # noqa: E402
from magnum_demo import inprocess  # noqa: E402
from magnum_demo import server as demo_server  # noqa: E402

PASSWORD = 'functional'  # noqa: S105 (of users that exist in this process only)
LATEST = '1.14'
REGION = 'RegionOne'

# Where the servers are: the variable that tells, and what is tried without it.
MARIADB = ('MAGNUM_TEST_MARIADB', ('mysql+pymysql://root@127.0.0.1/',))
POSTGRESQL = ('MAGNUM_TEST_POSTGRESQL', ('postgresql+psycopg2://postgres@127.0.0.1/postgres',
                                         'postgresql+psycopg2://root@127.0.0.1/postgres'))
RABBITMQ = ('MAGNUM_TEST_RABBITMQ', ('rabbit://guest:guest@127.0.0.1:5672/',))


def drop(url, name):
    """The statement that drops a database, whoever has just left it or is about to."""
    force = ' WITH (FORCE)' if url.get_backend_name() == 'postgresql' else ''
    return f'DROP DATABASE {name}{force}'


class NewDatabase(fixtures.Fixture):
    """An empty database on a server, gone after the test; ``url`` is its connection."""

    def __init__(self, server, create):
        super().__init__()
        self.variable, self.candidates = server
        self.create = create

    def _setUp(self):
        admin = self.find_server()
        name = f'magnum_test_{uuid.uuid4().hex[:12]}'
        self._execute(admin, self.create.format(name))
        self.addCleanup(self._execute, admin, drop(admin, name))
        self.url = admin.set(database=name).render_as_string(hide_password=False)

    def find_server(self):
        """The URL of a server that answers; skips the test when there is none."""
        problem = None
        wanted = os.environ.get(self.variable)
        for candidate in ((wanted,) if wanted else self.candidates):
            url = sa.make_url(candidate)
            try:
                self._execute(url, 'SELECT 1')
                return url
            except (sa.exc.SQLAlchemyError, ImportError) as error:
                problem = problem or error
        raise unittest.SkipTest(f'No server for {self.variable}: {str(problem).splitlines()[0]}')

    @staticmethod
    def _execute(url, statement):
        engine = sa.create_engine(url, isolation_level='AUTOCOMMIT', poolclass=sa.NullPool,
                                  connect_args={'connect_timeout': 5})
        with engine.connect() as connection:
            connection.execute(sa.text(statement))


def new_mariadb():
    return NewDatabase(MARIADB, 'CREATE DATABASE {} CHARACTER SET utf8mb4')


def new_postgresql():
    return NewDatabase(POSTGRESQL, 'CREATE DATABASE {}')


def rabbitmq_url():
    """The transport URL of a broker that answers; skips the test when there is none."""
    variable, candidates = RABBITMQ
    url = os.environ.get(variable) or candidates[0]
    try:
        import kombu
        with kombu.Connection(url.replace('rabbit://', 'amqp://', 1), connect_timeout=5) as probe:
            probe.ensure_connection(max_retries=1, timeout=5)
    except Exception as error:
        raise unittest.SkipTest(f'No server for {variable}: {error}') from error
    return url


class Stack(fixtures.Fixture):
    """See the module. ``options`` are more options, as {section: {name: value}}."""

    def __init__(self, database=None, transport=None, certificates='x509keypair', serve=False,
                 delay=0, options=None):
        super().__init__()
        self.database = database
        self.transport = transport
        self.certificates = certificates
        self.serve = serve
        self.delay = delay
        self.options = options or {}

    def skip_without_servers(self):
        # Not in _setUp(): a fixture would make an error of it.
        if self.database:
            self.database().find_server()
        if self.transport:
            self.transport()

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.cloud = demo_cloud.Cloud(password=PASSWORD).start()
        self.addCleanup(self.cloud.stop)
        connection = self.useFixture(self.database()).url if self.database else None
        self._configure(connection, self.transport() if self.transport else 'fake://')
        self._prepare_database()
        for forget in (policy.reset, keystone.forget_sessions):
            forget()
            self.addCleanup(forget)
        rpc.init(CONF)
        self.addCleanup(rpc.cleanup)
        self.addCleanup(demo_driver.register(delay=self.delay, serve=self.serve))
        self.conductor = inprocess.Conductor(poll_seconds=0.1)
        self.conductor.start()
        self.addCleanup(self.conductor.stop)
        self.api = demo_server.Server(api_app.load_app(), threads=16).start()
        self.addCleanup(self.api.stop)
        self.cloud.set_endpoint('magnum', 'container-infra', self.api.url + '/v1')

    def _configure(self, connection, transport):
        path = os.path.join(self.directory, 'magnum.conf')
        self.log = os.path.join(self.directory, 'service.log')
        found = demo_config.sections(
            str(ROOT), self.directory, self.cloud.url, PASSWORD, 0, connection=connection,
            transport=transport, certificates=self.certificates)
        # Servers that are shared with others must not mix them up.
        own = f'magnum_test_{uuid.uuid4().hex[:12]}'
        found['DEFAULT'].update(control_exchange=own, rpc_response_timeout=20, use_stderr='false',
                                log_file=self.log)
        found['conductor']['topic'] = own
        found['oslo_messaging_rabbit'] = {'amqp_auto_delete': 'true'}
        found['keystone_authtoken']['token_cache_time'] = -1
        for section, options in self.options.items():
            found.setdefault(section, {}).update(options)
        demo_config.write(path, found)
        CONF.reset()
        # Those that an earlier test's configuration gave to loggers are not this one's.
        for name in list(logging.Logger.manager.loggerDict):
            logging.getLogger(name).setLevel(logging.NOTSET)
        common_service.prepare_service(['magnum-functional', '--config-file', path])
        self.addCleanup(self._close_log)
        self.addCleanup(CONF.reset)
        self.addCleanup(CONF.clear)

    def _close_log(self):
        # Its directory goes; a later test of this process must not try to write to it.
        root = logging.getLogger()
        for handler in list(root.handlers):
            if getattr(handler, 'baseFilename', None) == self.log:
                root.removeHandler(handler)
                handler.close()

    def _prepare_database(self):
        engine = engines.create_engine(CONF.database.connection, sqlite_synchronous=False)
        db_session._prepare(engine)
        self.addCleanup(engine.dispose)
        self.addCleanup(db_session.context_manager.patch_engine(engine))
        migration.upgrade()

    # -- for the tests -----------------------------------------------------------------------
    def keystone_session(self, user):
        found = self.cloud.user(user)
        return ks_session.Session(v3.Password(
            self.cloud.auth_url, username=user, password=PASSWORD, project_name=found.project,
            user_domain_id='default', project_domain_id='default'), timeout=60)

    def magnum(self, user='demo', version=LATEST):
        """python-magnumclient as a user."""
        return magnum_client.Client(session=self.keystone_session(user), region_name=REGION,
                                    service_type='container-infra', api_version=version)

    def sdk(self, user='demo', version=None):
        """openstacksdk as a user."""
        more = {'container_infra_default_microversion': version} if version else {}
        connection = openstack.connection.Connection(
            session=self.keystone_session(user), region_name=REGION, **more)
        self.addCleanup(connection.close)
        return connection


class TestCase(base.BaseTestCase):
    """Tests of a class share one stack, made with the class's ``stack_options``."""

    stack_options: dict = {}
    stack: Stack

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.stack = Stack(**cls.stack_options)
        cls.stack.skip_without_servers()
        cls.stack.setUp()
        cls.addClassCleanup(cls.stack.cleanUp)

    def setUp(self):
        super().setUp()
        # A name that no other test has, and the way to make more of them.
        self.name = f't{uuid.uuid4().hex[:8]}'
        demo_driver.SIMULATION.calls.clear()
        self.addCleanup(self.stack.cloud.mend)
        self.magnum = self.stack.magnum()
        begun = os.path.getsize(self.stack.log)
        self.addOnException(lambda error: self._show_log(begun))

    def _show_log(self, begun):
        with open(self.stack.log, errors='replace') as log:
            log.seek(begun)
            self.addDetail('service.log', content.text_content(log.read()))

    def request(self, method, path, user='demo', version=LATEST, **options):
        """A bare request, as any HTTP client could send it; returns the response."""
        headers = dict(options.pop('headers', {}))
        if version:
            headers.setdefault('OpenStack-API-Version', f'container-infra {version}')
        if user:
            headers.setdefault('X-Auth-Token', self.stack.cloud.token(user))
        return requests.request(method, self.stack.api.url + path, headers=headers, timeout=60,
                                **options)

    def calls(self, method=None):
        """What the driver was asked for in this test."""
        return [call for call in demo_driver.SIMULATION.calls
                if call.method == method or method is None]

    def new_template(self, user='demo', **values):
        values = {'name': self.name, 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
                  'external_network_id': 'public', 'keypair_id': 'demo-key',
                  'flavor_id': 'm1.small', 'master_flavor_id': 'm1.medium', **values}
        return self.stack.magnum(user).cluster_templates.create(**values)

    def new_cluster(self, name=None, template=None, wait='CREATE_COMPLETE', **values):
        """Create a cluster and wait for a status; ``wait=None`` returns at once."""
        template = template or self.new_template()
        values = {'name': name or self.name, 'cluster_template_id': template.uuid,
                  'master_count': 1, 'node_count': 2, 'keypair': 'demo-key', **values}
        created = self.magnum.clusters.create(**values)
        if wait:
            return self.wait_for(created.uuid, wait)
        return self.magnum.clusters.get(created.uuid)

    def wait_for(self, cluster, status, seconds=30):
        """The cluster once it has the status."""
        def look():
            found = self.magnum.clusters.get(cluster)
            return found if found.status == status else None
        return self.wait_until(look, f'{cluster} to become {status}', seconds)

    def wait_gone(self, cluster, seconds=30):
        self.wait_until(lambda: self.request('GET', f'/v1/clusters/{cluster}').status_code == 404,
                        f'{cluster} to be gone', seconds)

    def wait_until(self, condition, what, seconds=30):
        """What the condition gives, once it is true."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = condition()
            if found:
                return found
            time.sleep(0.05)
        self.fail(f'waited {seconds} s in vain for {what}')
