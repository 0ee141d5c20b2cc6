# SPDX-License-Identifier: Apache-2.0
"""What is measured: the service in this process, with a database of rows and an embedded cloud."""

import collections
import concurrent.futures
import datetime
import importlib.metadata
import os
import pathlib
import statistics
import sys
import threading
import time
import uuid

import requests
import sqlalchemy as sa
import webob

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tools' / 'demo_parts'))

from magnum_demo import cloud as demo_cloud  # noqa: E402 (needs the path)
from magnum_demo import config as demo_config  # noqa: E402

from magnum_ng.api import app as api_app  # noqa: E402
from magnum_ng.common import rpc  # noqa: E402
from magnum_ng.common import service  # noqa: E402
import magnum_ng.conf  # noqa: E402
from magnum_ng.conductor import api as conductor_api  # noqa: E402
from magnum_ng.db import migration  # noqa: E402
from magnum_ng.db.sqlalchemy import models  # noqa: E402
from magnum_ng.db.sqlalchemy import session as db_session  # noqa: E402
from magnum_ng.drivers.common import driver  # noqa: E402

CONF = magnum_ng.conf.CONF
PASSWORD = 'bench'  # noqa: S105 (of users that exist in this process only)
LABELS = {'kube_tag': 'v1.35.0', 'boot_volume_size': '40', 'auto_scaling_enabled': 'false',
          'availability_zone': 'nova', 'octavia_provider': 'ovn'}

Figures = collections.namedtuple('Figures', 'wall cpu sql rpc answer')


class IdleDriver(driver.Driver):
    """Does nothing; a look at a cluster takes it ``seconds``."""

    seconds = 0.05

    @property
    def provides(self):
        return [{'server_type': 'vm', 'os': 'ubuntu', 'coe': 'kubernetes'}]

    def update_cluster_status(self, context, cluster):
        time.sleep(self.seconds)

    def create_cluster(self, context, cluster, cluster_create_timeout):
        cluster.stack_id = str(uuid.uuid4())

    def _nothing(self, *args, **kwargs):
        """What a driver has to have, and the measurements do not use."""

    update_cluster = upgrade_cluster = delete_cluster = resize_cluster = _nothing
    create_nodegroup = update_nodegroup = delete_nodegroup = _nothing
    create_federation = update_federation = delete_federation = _nothing


class Lab:
    def __init__(self, directory, database=None):
        self.directory = directory
        self._counts = collections.Counter()
        self._guard = threading.Lock()
        self._admin, self._name = None, None
        self.cloud = demo_cloud.Cloud(password=PASSWORD).start()
        self._stock_cloud()
        self.config_file = os.path.join(directory, 'magnum.conf')
        demo_config.write(self.config_file, self._options(self._new_database(database)))
        service.prepare_service(['magnum-bench', '--config-file', self.config_file])
        rpc.init(CONF)
        migration.upgrade()
        found = importlib.metadata.EntryPoint('idle', 'lab:IdleDriver', 'magnum.drivers')
        driver.Driver.load_entry_points = classmethod(lambda cls: [(found, IdleDriver)])
        driver.Driver.definitions = None
        self.app = api_app.setup_app()
        self._count()

    def _options(self, connection):
        found = demo_config.sections(str(ROOT), self.directory, self.cloud.url, PASSWORD, 0,
                                     connection=connection)
        found['DEFAULT'].update(use_stderr='false',
                                log_file=os.path.join(self.directory, 'service.log'))
        found.setdefault('quotas', {})['max_clusters_per_project'] = 100000
        found.setdefault('drivers', {})['default_driver'] = 'idle'
        return found

    def _stock_cloud(self):
        project = self.cloud.project('demo')['id']
        for number in range(300):
            self.cloud.compute.add_flavor(f'flavor-{number}', 2, 4096, 40)
        for number in range(100):
            self.cloud.network.add(f'net-{number}', f'10.20.{number}.0/24', project)

    def _new_database(self, url):
        if not url:
            return None
        self._admin, self._name = sa.make_url(url), f'magnum_bench_{uuid.uuid4().hex[:8]}'
        self._execute(f'CREATE DATABASE {self._name} CHARACTER SET utf8mb4')
        return self._admin.set(database=self._name).render_as_string(hide_password=False)

    def _execute(self, statement):
        engine = sa.create_engine(self._admin, isolation_level='AUTOCOMMIT',
                                  poolclass=sa.NullPool)
        with engine.connect() as connection:
            connection.execute(sa.text(statement))

    def close(self):
        self.cloud.stop()
        db_session.get_engine().dispose()
        if self._name:
            self._execute(f'DROP DATABASE {self._name}')

    # Counting

    def _count(self):
        def statement(connection, cursor, text, *unused):
            if not text.startswith('BEGIN'):
                self._add('sql')

        sa.event.listen(db_session.get_engine(), 'before_cursor_execute', statement)
        for name in ('_call', '_cast'):
            if hasattr(conductor_api.API, name):
                self._spy(name)

    def _spy(self, name):
        real = getattr(conductor_api.API, name)

        def counted(api, *args, **kwargs):
            self._add('rpc')
            return real(api, *args, **kwargs)

        setattr(conductor_api.API, name, counted)

    def _add(self, what):
        with self._guard:
            self._counts[what] += 1

    def measure(self, function, seconds=1.0, most=50):
        """Figures of one call: medians of as many as fit into the time, and of three at least.

        Medians of the counts too: what the conductor renews once in a while is not the call's.
        """
        function()
        walls, cpus, counts, begun = [], [], [], time.monotonic()
        while True:
            self._counts.clear()
            cpu, wall = time.process_time(), time.perf_counter()
            answer = function()
            walls.append(time.perf_counter() - wall)
            cpus.append(time.process_time() - cpu)
            counts.append((self._counts['sql'], self._counts['rpc']))
            if len(walls) >= most or len(walls) >= 3 and time.monotonic() - begun > seconds:
                break
        sql, rpc = map(statistics.median, zip(*counts, strict=True))
        return Figures(statistics.median(walls) * 1e3, statistics.median(cpus) * 1e3, sql, rpc,
                       answer)

    # Requests

    @staticmethod
    def headers(project, roles='member,reader'):
        return {'X-Auth-Token': 'bench', 'X-Project-Id': project, 'X-User-Id': 'bench',
                'X-Roles': roles, 'X-Identity-Status': 'Confirmed',
                'OpenStack-API-Version': 'container-infra latest'}

    def get(self, path, project='p-10', status=200, **more):
        request = webob.Request.blank(path, headers=self.headers(project, **more))
        answer = request.get_response(self.app)
        if answer.status_int != status:
            raise SystemExit(f'GET {path}: {answer.status} {answer.text[:300]}')
        return answer

    def post(self, path, body):
        """A request of the cloud's demo user, and how many requests to the cloud it took."""
        user, token = self.cloud.user('demo'), self._token()
        headers = self.headers(user.project_id)
        headers.update({'X-Auth-Token': token[0], 'X-User-Id': user.id})
        request = webob.Request.blank(path, method='POST', headers=headers,
                                      content_type='application/json', json=body,
                                      environ={'keystone.token_info': token[1]})
        before = len(self.cloud.calls)
        answer = request.get_response(self.app)
        if answer.status_int not in (201, 202):
            raise SystemExit(f'POST {path}: {answer.status} {answer.text[:300]}')
        return list(self.cloud.calls)[before:]

    def _token(self):
        if not hasattr(self, '_kept_token'):
            token = self.cloud.token('demo')
            found = requests.get(f'{self.cloud.auth_url}/auth/tokens', timeout=20, headers={
                'X-Auth-Token': token, 'X-Subject-Token': token})
            self._kept_token = token, found.json()
        return self._kept_token

    def load(self, path, project, clients, seconds):
        """Requests a second of several clients at once."""
        until = time.monotonic() + seconds

        def client(_number):
            done = 0
            while time.monotonic() < until:
                self.get(path, project)
                done += 1
            return done

        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            return sum(pool.map(client, range(clients))) / seconds


# Rows

def _now():
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None, microsecond=0)


def fill(project, clusters, nodegroups=3, templates=5, status='CREATE_COMPLETE'):
    """Rows of a project; the uuids of its clusters."""
    now, owner = _now(), {'project_id': project, 'user_id': 'bench'}
    made = [{**owner, 'uuid': str(uuid.uuid4()), 'name': f'template-{number}',
             'image_id': 'ubuntu-demo', 'flavor_id': 'm1.small', 'master_flavor_id': 'm1.medium',
             'external_network_id': 'public', 'coe': 'kubernetes', 'cluster_distro': 'ubuntu',
             'server_type': 'vm', 'labels': LABELS, 'created_at': now, 'tls_disabled': False,
             'registry_enabled': False, 'public': False, 'hidden': False,
             'floating_ip_enabled': True, 'master_lb_enabled': True}
            for number in range(templates)]
    rows = [{**owner, 'uuid': str(uuid.uuid4()), 'name': f'cluster-{number}', 'labels': LABELS,
             'cluster_template_id': made[number % templates]['uuid'], 'keypair': 'demo-key',
             'status': status, 'created_at': now, 'create_timeout': 60, 'flavor_id': 'm1.small',
             'health_status': 'HEALTHY', 'health_status_reason': {'api': 'ok'},
             'api_address': 'https://192.0.2.1:6443', 'floating_ip_enabled': True,
             'master_lb_enabled': True}
            for number in range(clusters)]
    groups = [{'uuid': str(uuid.uuid4()), 'name': ('default-master', 'default-worker')[number]
               if number < 2 else f'pool-{number}', 'cluster_id': row['uuid'],
               'project_id': project, 'role': 'worker' if number else 'master', 'labels': LABELS,
               'node_count': 3, 'node_addresses': ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
               'is_default': number < 2, 'status': 'CREATE_COMPLETE', 'created_at': now,
               'min_node_count': 1, 'flavor_id': 'm1.small', 'image_id': 'ubuntu-demo'}
              for row in rows for number in range(nodegroups)]
    with db_session.writer() as session:
        for model, values in ((models.ClusterTemplate, made), (models.Cluster, rows),
                              (models.NodeGroup, groups)):
            for start in range(0, len(values), 1000):
                session.execute(sa.insert(model), values[start:start + 1000])
    return [row['uuid'] for row in rows], made[0]['uuid']
