#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The fault test: many clusters, many requests, and everything around them breaks again and again.

Two conductors of two workers work on a real MariaDB and a real RabbitMQ while they are killed,
the broker is restarted, the way to it is cut and messages in it are lost, and connections to the
database are cut. Afterwards every request that was ever accepted is looked for: either its effect
is there, or its failure is recorded. Prints what it counted; exits with 1 if anything is wrong.

Where RabbitMQ is installed, a node of our own is started, and its restarts are real. Elsewhere
(or with --shared-broker) the broker belongs to others and only the way to it is cut.

The servers: MAGNUM_TEST_MARIADB and MAGNUM_TEST_RABBITMQ, or the ones on this host.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess  # noqa: S404
import sys
import tempfile
import threading
import time
import uuid

import sqlalchemy as sa

HERE = pathlib.Path(__file__).resolve().parent
MARIADB = os.environ.get('MAGNUM_TEST_MARIADB', 'mysql+pymysql://root@127.0.0.1/')
RABBITMQ_SCRIPTS = ('/usr/lib/rabbitmq/bin', '/opt/rabbitmq/sbin')
RABBITMQ = os.environ.get('MAGNUM_TEST_RABBITMQ', 'rabbit://guest:guest@127.0.0.1:5672/')
PROJECT = 'chaos'

CONFIG = """\
[DEFAULT]
host = {host}
state_path = {work}
log_file = {work}/{host}.log
transport_url = {broker}
rpc_response_timeout = 5
control_exchange = {name}
[database]
connection = {database}
[certificates]
cert_manager_type = x509keypair
[cluster]
temp_cache_dir = {work}/none
[conductor]
topic = {name}
workers = 2
operation_lease = 6
operation_claim_timeout = 15
status_poll_interval = 1
[kubernetes]
health_polling_interval = -1
[quotas]
max_clusters_per_project = 100000
[oslo_concurrency]
lock_path = {work}
[oslo_messaging_rabbit]
heartbeat_timeout_threshold = 6
rabbit_retry_interval = 1
kombu_reconnect_delay = 0.5
"""

# What ends an operation and what a status was is seen by the database itself.
TRIGGERS = (
    'CREATE TABLE chaos_ended (uuid VARCHAR(36), action VARCHAR(32), cluster VARCHAR(36))',
    'CREATE TABLE chaos_failed (id INT AUTO_INCREMENT PRIMARY KEY, uuid VARCHAR(36), '
    'status VARCHAR(20), reason TEXT)',
    'CREATE TRIGGER chaos_t1 AFTER DELETE ON ng_operation FOR EACH ROW '
    'INSERT INTO chaos_ended VALUES (OLD.uuid, OLD.action, OLD.cluster_uuid)',
    "CREATE TRIGGER chaos_t2 AFTER UPDATE ON cluster FOR EACH ROW BEGIN "
    "IF (NEW.status LIKE '%%_FAILED' OR NEW.status_reason LIKE 'A request that was%%') AND ("
    "OLD.status != NEW.status OR "
    "NOT OLD.status_reason <=> NEW.status_reason) THEN INSERT INTO chaos_failed "
    "(uuid, status, reason) VALUES (NEW.uuid, NEW.status, NEW.status_reason); END IF; END",
)


class Proxy:
    """Between the service and the broker; ``down`` cuts everything that goes through."""

    def __init__(self, target):
        self.target = target
        self.port = None
        self._open = []
        self._listener = None
        self.up()

    def up(self):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(('127.0.0.1', self.port or 0))
        listener.listen(64)
        self.port, self._listener = listener.getsockname()[1], listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def down(self):
        for connection in [self._listener, *self._open]:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()
        self._open.clear()

    def _accept(self, listener):
        while True:
            try:
                near, _address = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self.target, 5)
            except OSError:
                # The broker is being restarted.
                near.close()
                continue
            self._open += [near, far]
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self._copy, args=ends, daemon=True).start()

    @staticmethod
    def _copy(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            end.close()


class Node:
    """A RabbitMQ of our own, that can be restarted without asking anybody."""

    def __init__(self, scripts, work):
        self.scripts = pathlib.Path(scripts)
        self.address = ('127.0.0.1', self._free_port())
        home = work / 'rabbitmq'
        home.mkdir()
        self.log = home / 'out'
        self.environment = dict(
            os.environ, HOME=str(home), RABBITMQ_NODENAME=f'chaos{os.getpid()}@localhost',
            RABBITMQ_NODE_IP_ADDRESS='127.0.0.1', RABBITMQ_NODE_PORT=str(self.address[1]),
            RABBITMQ_DIST_PORT=str(self._free_port()), RABBITMQ_MNESIA_BASE=str(home / 'data'),
            RABBITMQ_LOG_BASE=str(home / 'log'), RABBITMQ_PID_FILE=str(home / 'pid'),
            RABBITMQ_ENABLED_PLUGINS_FILE=str(home / 'plugins'),
            RABBITMQ_CONFIG_FILE=str(home / 'none'), RABBITMQ_CONF_ENV_FILE=os.devnull,
            RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+S 1:1')
        self.process = None

    def start(self):
        with open(self.log, 'ab') as log:
            self.process = subprocess.Popen(  # noqa: S603
                [str(self.scripts / 'rabbitmq-server')], env=self.environment, stdout=log,
                stderr=log, start_new_session=True)

    @staticmethod
    def _free_port():
        """Below those that connections get: a node that is restarted needs the same again."""
        while True:
            port = random.SystemRandom().randrange(12000, 30000)
            with socket.socket() as probe:
                try:
                    probe.bind(('127.0.0.1', port))
                    return port
                except OSError:
                    pass

    def wait(self, seconds=120):
        deadline = time.monotonic() + seconds
        while True:
            try:
                import kombu

                with kombu.Connection('amqp://guest:guest@{}:{}/'.format(*self.address),
                                      connect_timeout=5) as connection:
                    connection.connect()
                    return
            except Exception as error:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    self.stop()
                    raise SystemExit(f'RabbitMQ does not start: {error}, see {self.log}') from error
            time.sleep(0.5)

    def control(self, *command):
        with open(self.log, 'ab') as log:
            return subprocess.run(  # noqa: S603
                [str(self.scripts / 'rabbitmqctl'), *command], env=self.environment, stdout=log,
                stderr=log, timeout=60, check=False).returncode

    def stop(self):
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class Conductor:
    def __init__(self, chaos, number):
        self.chaos = chaos
        self.host = f'chaos-{number}'
        self.config = chaos.write_config(self.host)
        self.process = None

    def start(self):
        log = open(self.chaos.work / f'{self.host}.out', 'ab')  # noqa: SIM115
        environment = dict(os.environ, PYTHONPATH=str(HERE / 'plugin'), PYTHONWARNINGS='ignore',
                           CHAOS_LOG=str(self.chaos.driver_log))
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, '-c', 'import sys; sys.argv[0] = "magnum-conductor"; '
             'from magnum_ng.cmd import conductor; conductor.main()',
             '--config-file', self.config],
            stdout=log, stderr=log, env=environment, start_new_session=True)

    def workers(self):
        found = []
        for status in pathlib.Path('/proc').glob('[0-9]*/stat'):
            try:
                fields = status.read_text().rpartition(')')[2].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid:
                found.append(int(status.parent.name))
        return found

    def kill_worker(self, chance):
        workers = self.workers()
        if workers:
            self.chaos.kill(chance.choice(workers))

    def kill_all(self):
        victims = self.workers()
        self.chaos.kill(self.process.pid)
        for pid in victims:
            self.chaos.kill(pid)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(25)
        except subprocess.TimeoutExpired:
            self.chaos.problems.append(f'{self.host} did not end')
            self.kill_all()


class Chaos:
    def __init__(self, options):
        self.options = options
        self.chance = random.Random(options.seed)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix='magnum-chaos-'))
        self.driver_log = self.work / 'driver.log'
        self.driver_log.touch()
        self.name = f'chaos_{uuid.uuid4().hex[:8]}'
        self.killed = {}
        self.problems = []
        self.accepted = []
        self.counts = collections.Counter()
        broker = sa.make_url(RABBITMQ)
        self.node = None
        scripts = [path for path in RABBITMQ_SCRIPTS
                   if os.path.exists(os.path.join(path, 'rabbitmq-server'))]
        if scripts and not options.shared_broker:
            self.node = Node(scripts[0], self.work)
            broker = sa.make_url('rabbit://guest:guest@{}:{}/'.format(*self.node.address))
        self.real_broker = broker.set(drivername='amqp').render_as_string(hide_password=False)
        self.proxy = Proxy((broker.host, broker.port or 5672))
        self.broker = broker.set(host='127.0.0.1', port=self.proxy.port).render_as_string(
            hide_password=False)
        self.admin = sa.create_engine(sa.make_url(MARIADB), isolation_level='AUTOCOMMIT')
        self.database = sa.make_url(MARIADB).set(database=self.name).render_as_string(
            hide_password=False)
        self.over = threading.Event()
        self.conductors = []

    def write_config(self, host):
        path = self.work / f'{host}.conf'
        path.write_text(CONFIG.format(host=host, work=self.work, name=self.name,
                                      broker=self.broker, database=self.database))
        return str(path)

    def kill(self, pid):
        self.killed[pid] = time.monotonic()
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def sql(self, statement, **values):
        with self.admin.connect() as connection:
            result = connection.execute(sa.text(statement), values)
            return result.all() if result.returns_rows else None

    def rows(self, table, columns='*', where='1 = 1'):
        return self.sql(f'SELECT {columns} FROM `{self.name}`.{table} WHERE {where}')

    # The service

    def prepare(self):
        if self.node is not None:
            self.node.start()
            self.node.wait()
        self.sql(f'CREATE DATABASE `{self.name}` CHARACTER SET utf8mb4')
        config = self.write_config('client')
        from magnum_ng.common import rpc
        from magnum_ng.common import service
        import magnum_ng.conf
        from magnum_ng.db import migration

        service.prepare_service(['chaos', '--config-file', config])
        migration.upgrade(None)
        engine = sa.create_engine(self.database, isolation_level='AUTOCOMMIT')
        with engine.connect() as connection:
            for statement in TRIGGERS:
                connection.exec_driver_sql(statement)
        engine.dispose()
        rpc.init(magnum_ng.conf.CONF)
        self.conductors = [Conductor(self, number) for number in (1, 2)]
        for conductor in self.conductors:
            conductor.start()
        self._wait_for_conductors()

    def _wait_for_conductors(self):
        deadline = time.monotonic() + 60
        while len(self.rows('magnum_service')) < 2:
            if time.monotonic() > deadline:
                raise SystemExit(f'The conductors do not start, see {self.work}')
            time.sleep(0.3)

    # Faults

    def break_things(self):
        while not self.over.wait(self.chance.uniform(1, 4)):
            fault = self.chance.choice(('worker', 'worker', 'conductor', 'way_to_broker', 'broker',
                                        'database', 'database'))
            if fault == 'broker' and self.node is None:
                fault = 'way_to_broker'
            self.counts[f'fault: {fault}'] += 1
            getattr(self, f'_break_{fault}')()

    def _break_worker(self):
        self.chance.choice(self.conductors).kill_worker(self.chance)

    def _break_conductor(self):
        conductor = self.chance.choice(self.conductors)
        conductor.kill_all()
        self.over.wait(self.chance.uniform(0, 3))
        conductor.start()

    def _break_broker(self):
        stopped = self.node.control('stop_app')
        self.over.wait(self.chance.uniform(0, 3))
        if stopped or self.node.control('start_app'):
            self.problems.append('the broker could not be restarted')

    def _break_way_to_broker(self):
        self.proxy.down()
        self._lose_messages()
        self.over.wait(self.chance.uniform(0.5, 4))
        self.proxy.up()

    def _lose_messages(self):
        import kombu

        try:
            with kombu.Connection(self.real_broker, connect_timeout=5) as connection:
                lost = connection.default_channel.queue_purge(self.name)
                self.counts['messages lost'] += lost or 0
        except Exception as error:
            print('No messages could be lost:', error)

    def _break_database(self):
        for (number,) in self.sql('SELECT id FROM information_schema.processlist '
                                  'WHERE db = :name', name=self.name):
            if self.chance.random() < 0.7:
                try:
                    self.sql(f'KILL CONNECTION {number}')
                except sa.exc.DBAPIError:
                    pass

    # Requests

    def request_things(self, number):
        chance = random.Random(f'{self.options.seed} {number}')
        mine = self.options.clusters // self.options.clients
        for index in range(mine):
            cluster = self._try('create', self._create, f'c{number}-{index}')
            if cluster is None:
                continue
            for _ in range(self.options.requests):
                if chance.random() < 0.8:
                    self._rest(cluster)
                action = chance.choice(('resize', 'resize', 'update', 'upgrade', 'nodegroup',
                                        'nodegroup_delete', 'rotate_ca', 'rotate_credential'))
                self._try(action, getattr(self, f'_{action}'), cluster, chance)
            if chance.random() < 0.7:
                self._try('delete', self._delete, cluster, chance)

    def _rest(self, cluster):
        """Wait a while for the cluster to be in a status that allows something."""
        deadline = time.monotonic() + 25
        while time.monotonic() < deadline and not self.over.is_set():
            try:
                rows = self.rows('cluster', 'status', f"uuid = '{cluster}'")
            except sa.exc.DBAPIError:
                rows = ()
            if rows and not rows[0][0].endswith('_IN_PROGRESS'):
                return
            time.sleep(0.3)

    def _try(self, what, function, *arguments):
        from magnum_ng.common import exception

        context = self._context()
        try:
            return function(context, *arguments)
        except exception.ConductorUnavailable:
            self.counts['answered 503'] += 1
        except (exception.OperationNotAllowed, exception.ObjectNotFound, exception.Conflict):
            self.counts['refused'] += 1
        except exception.MagnumException:
            self.counts['failed and told'] += 1
        except Exception as error:
            # A connection that was cut in the client's own transaction: a 500 of the API.
            self.counts[f'answered 500 ({type(error).__name__})'] += 1
        return None

    @staticmethod
    def _context():
        from magnum_ng.common import context

        return context.make_context(auth_token='t', user_id='u', project_id=PROJECT,
                                    is_admin=False, roles=['member'], overwrite=False)

    def _accept(self, context, operation, **facts):
        if operation is not None:
            self.accepted.append({'uuid': operation.uuid, 'action': operation.action,
                                  'cluster': operation.cluster_uuid,
                                  'request': context.request_id, **facts})

    def _api(self, context):
        from magnum_ng.conductor import api

        return api.API(context=context)

    def _create(self, context, name):
        from magnum_ng.conductor import decisions
        from magnum_ng import objects

        new = objects.Cluster(context, name=name, labels={}, create_timeout=60,
                              cluster_template_id=self.template.uuid, project_id=PROJECT,
                              user_id='u')
        new.cluster_template = self.template
        with decisions.create_cluster(context, new, 1, 1, 60) as operation:
            self._api(context).cluster_create_async(new, 1, 1, 60)
        self._accept(context, operation)
        return new.uuid

    def _load(self, context, uuid):
        from magnum_ng import objects

        return objects.Cluster.get_by_uuid(context, uuid)

    def _resize(self, context, uuid, chance):
        from magnum_ng.conductor import decisions

        cluster, count = self._load(context, uuid), chance.randrange(9)
        group = cluster.default_ng_worker
        with decisions.resize_cluster(context, cluster, count, [], group) as operation:
            self._api(context).cluster_resize_async(cluster, count, [], group)
        self._accept(context, operation)

    def _update(self, context, uuid, chance):
        from magnum_ng.conductor import decisions

        cluster, count = self._load(context, uuid), chance.randrange(9)
        with decisions.update_cluster(context, cluster, count) as operation:
            if operation:
                self._api(context).cluster_update_async(cluster, count, None, None)
        self._accept(context, operation)

    def _upgrade(self, context, uuid, chance):
        from magnum_ng.conductor import decisions

        cluster = self._load(context, uuid)
        group = cluster.default_ng_worker
        with decisions.upgrade_cluster(context, cluster, self.template, 1, group) as operation:
            self._api(context).cluster_upgrade_async(cluster, self.template, 1, group)
        self._accept(context, operation)

    def _nodegroup(self, context, uuid, chance):
        from magnum_ng.conductor import decisions
        from magnum_ng import objects

        cluster = self._load(context, uuid)
        group = objects.NodeGroup(context, name=f'n{chance.randrange(3)}', cluster_id=uuid,
                                  project_id=PROJECT, role='worker', node_count=1)
        with decisions.create_nodegroup(context, cluster, group) as operation:
            self._api(context).nodegroup_create_async(cluster, group)
        self._accept(context, operation)

    def _nodegroup_delete(self, context, uuid, chance):
        from magnum_ng.conductor import decisions
        from magnum_ng import objects

        cluster = self._load(context, uuid)
        group = objects.NodeGroup.get_by_name(context, uuid, f'n{chance.randrange(3)}')
        with decisions.delete_nodegroup(context, cluster, group) as operation:
            if operation:
                self._api(context).nodegroup_delete_async(cluster, group)
        self._accept(context, operation)

    def _rotate_ca(self, context, uuid, chance):
        from magnum_ng.conductor import decisions

        cluster = self._load(context, uuid)
        with decisions.rotate_ca_certificate(context, cluster) as operation:
            self._api(context).rotate_ca_certificate(cluster)
        self._accept(context, operation)

    def _rotate_credential(self, context, uuid, chance):
        from magnum_ng.conductor import decisions

        cluster = self._load(context, uuid)
        with decisions.rotate_credential(context, cluster) as operation:
            self._api(context).credential_rotate(cluster)
        self._accept(context, operation)

    def _delete(self, context, uuid, chance):
        from magnum_ng.conductor import decisions

        cluster = self._load(context, uuid)
        with decisions.delete_cluster(context, cluster) as operation:
            if operation:
                self._api(context).cluster_delete_async(uuid)
        self._accept(context, operation)

    # The whole

    def run(self):
        from magnum_ng import objects

        context = self._context()
        self.template = objects.ClusterTemplate(
            context, name='t', uuid=str(uuid.uuid4()), project_id=PROJECT, user_id='u',
            image_id='i', coe='kubernetes', server_type='vm', cluster_distro='ubuntu',
            driver='chaos', labels={})
        self.template.create()
        breaker = threading.Thread(target=self.break_things)
        clients = [threading.Thread(target=self.request_things, args=(number,))
                   for number in range(self.options.clients)]
        began = time.monotonic()
        for thread in [breaker, *clients]:
            thread.start()
        for thread in clients:
            thread.join()
        self.over.set()
        breaker.join()
        self.counts['seconds of requests'] = int(time.monotonic() - began)
        for conductor in self.conductors:
            if conductor.process.poll() is not None:
                conductor.start()
        self._settle()

    def _settle(self):
        """Everything comes to rest within a bounded time."""
        began = time.monotonic()
        while time.monotonic() - began < self.options.patience:
            if not self._unrest():
                break
            time.sleep(1)
        self.counts['seconds until all was at rest'] = int(time.monotonic() - began)
        for what, rows in self._unrest().items():
            self.problems.append(f'{len(rows)} {what}: {rows[:3]}')

    def _unrest(self):
        found = {
            'clusters stuck': self.rows('cluster', 'uuid, status',
                                        "status LIKE '%_IN_PROGRESS'"),
            'nodegroups stuck': self.rows('nodegroup', 'uuid, status',
                                          "status LIKE '%_IN_PROGRESS'"),
            'operations left': self.rows('ng_operation', 'uuid, action, state, owner'),
            'notes left': self.rows('ng_cluster_note', 'cluster_uuid, kind, value'),
        }
        return {what: rows for what, rows in found.items() if rows}

    # What has become of it

    def check(self):
        calls = self._calls()
        self._check_overlaps(calls)
        self._check_requests(calls)
        self._check_sizes(calls)
        self._check_leaks()
        self._check_messages()

    def _calls(self):
        calls = {}
        for text in self.driver_log.read_text().splitlines():
            line = json.loads(text)
            if line['event'] == 'begin':
                calls[line['id']] = dict(line, begin=line['time'], end=None)
            elif line['id'] in calls:
                calls[line['id']].update(end=line['time'], done=line['done'])
        for call in calls.values():
            if call['end'] is None:
                # Cut off with its process.
                call['end'] = self.killed.get(call['pid'], call['begin'])
                self.counts['driver calls cut off'] += 1
        self.counts['driver calls'] = sum(call['call'] != 'poll' for call in calls.values())
        self.counts['polls'] = len(calls) - self.counts['driver calls']
        return sorted(calls.values(), key=lambda call: call['begin'])

    def _check_overlaps(self, calls):
        last = {}
        for call in calls:
            before = last.get(call['cluster'])
            if before is not None and call['begin'] < before['end']:
                self.problems.append(f'driver calls overlap: {before} {call}')
            if before is None or call['end'] > before['end']:
                last[call['cluster']] = call
        self.counts['overlaps'] = sum('overlap' in text for text in self.problems)

    def _check_requests(self, calls):
        by_request = collections.Counter(
            call['request'] for call in calls if call['call'] != 'poll')
        ended = {row[0] for row in self.rows('chaos_ended', 'uuid')}
        failed = {row[0] for row in self.rows('chaos_failed', 'uuid', "reason != ''")}
        deleted = {fact['cluster'] for fact in self.accepted if fact['action'] == 'delete'}
        for fact in self.accepted:
            self.counts[f'accepted: {fact["action"]}'] += 1
            seen = by_request[fact['request']]
            if fact['uuid'] not in ended:
                self.problems.append(f'operation has not ended: {fact}')
            elif seen > 1:
                self.problems.append(f'driver called {seen} times: {fact}')
            elif not seen and fact['cluster'] not in failed | deleted:
                self.problems.append(f'neither done nor failed: {fact}')
            elif not seen:
                self.counts['accepted, then failed or overtaken by a deletion'] += 1
            else:
                self.counts['accepted and carried out'] += 1

    def _check_sizes(self, calls):
        """The worker group of a cluster has the size of the last resize that the driver did."""
        possible = collections.defaultdict(lambda: {1})
        for call in calls:
            if 'count' not in call or not call.get('done'):
                continue
            # A conductor that was killed just then may not have stored that it was done.
            killed = self.killed.get(call['pid'], float('inf'))
            before = possible[call['cluster']] if killed < call['end'] + 10 else set()
            possible[call['cluster']] = before | {call['count']}
        for uuid_, count, status in self.rows(
                f'nodegroup JOIN `{self.name}`.cluster ON cluster.uuid = nodegroup.cluster_id',
                'cluster.uuid, nodegroup.node_count, cluster.status',
                "nodegroup.is_default AND nodegroup.role = 'worker'"):
            self.counts['sizes compared'] += 1
            if count not in possible[uuid_]:
                self.problems.append(f'cluster {uuid_} ({status}) has {count} workers, not '
                                     f'{sorted(possible[uuid_])}')

    def _check_messages(self):
        import kombu

        with kombu.Connection(self.real_broker, connect_timeout=5) as connection:
            try:
                left = connection.default_channel.queue_declare(
                    self.name, passive=True).message_count
            except Exception as error:
                self.problems.append(f'no conductor listens any more: {error}')
                return
        self.counts['messages left'] = left
        if left:
            self.problems.append(f'{left} messages are left')

    def _check_leaks(self):
        clusters = self.rows('cluster', 'uuid, ca_cert_ref, etcd_ca_cert_ref, '
                             'front_proxy_ca_cert_ref, magnum_cert_ref')
        used = {reference for row in clusters for reference in row[1:] if reference}
        kept = {row[0] for row in self.rows('x509keypair', 'uuid')}
        if used != kept:
            self.problems.append(f'{len(kept - used)} certificates leaked, '
                                 f'{len(used - kept)} missing')
        known = {row[0] for row in clusters}
        orphans = [row for row in self.rows('nodegroup', 'cluster_id') if row[0] not in known]
        if orphans:
            self.problems.append(f'{len(orphans)} nodegroups without a cluster')
        time.sleep(7)
        locks = self.rows('ng_cluster_lock', 'cluster_uuid, owner, purpose',
                          'expires_at < UTC_TIMESTAMP() - INTERVAL 20 SECOND')
        if locks:
            self.problems.append(f'{len(locks)} locks left: {locks[:3]}')
        self.counts['clusters left'] = len(clusters)
        self.counts['certificates left'] = len(kept)

    def clean_up(self):
        try:
            for conductor in self.conductors:
                conductor.stop()
            self.sql(f'DROP DATABASE IF EXISTS `{self.name}`')
        finally:
            if self.node is not None:
                self.node.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--clusters', type=int, default=200)
    parser.add_argument('--clients', type=int, default=10)
    parser.add_argument('--requests', type=int, default=4, help='requests to each cluster')
    parser.add_argument('--patience', type=int, default=120,
                        help='seconds in which all has to come to rest')
    parser.add_argument('--shared-broker', action='store_true',
                        help='use a broker that must not be restarted')
    chaos = Chaos(parser.parse_args())
    print('broker:', 'a node of our own, restarted for real' if chaos.node else
          'shared, only the way to it is cut')
    try:
        chaos.prepare()
        chaos.run()
        chaos.check()
    finally:
        chaos.clean_up()
    for what, count in sorted(chaos.counts.items()):
        print(f'{count:8} {what}')
    for problem in chaos.problems[:40]:
        print('WRONG:', problem)
    print(f'{len(chaos.accepted)} requests were accepted; {len(chaos.problems)} things are wrong '
          f'(seed {chaos.options.seed}'
          + (f'; logs: {chaos.work})' if chaos.problems else ')'))
    if not chaos.problems:
        shutil.rmtree(chaos.work, ignore_errors=True)
    sys.exit(bool(chaos.problems))


if __name__ == '__main__':
    main()
