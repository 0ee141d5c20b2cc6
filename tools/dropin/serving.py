# SPDX-License-Identifier: Apache-2.0
"""Running the services the ways deployment tools run them."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

import samples
from lab import TOP, Skip, check, ensure, equal

BASE = '''
[DEFAULT]
transport_url = {transport}
host = dropin
[api]
api_paste_config = {paste}
[database]
connection = sqlite:///{folder}/magnum.sqlite
[keystone_authtoken]
auth_type = password
auth_url = http://127.0.0.1:9/v3
www_authenticate_uri = http://127.0.0.1:9/v3
username = magnum
password = secret
user_domain_name = Default
project_name = service
project_domain_name = Default
[oslo_middleware]
enable_proxy_headers_parsing = true
'''

# Builds the application as a WSGI server would, and asks it for a few answers.
ASK = '''
import io, json, logging, sys
from wsgiref.util import setup_testing_defaults
from magnum.api import app
application = app.build_wsgi_app(["magnum-api"] + sys.argv[1:])
def ask(method, path):
    environ = {"REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": path,
               "wsgi.input": io.BytesIO()}
    setup_testing_defaults(environ)
    answer = []
    body = b"".join(application(environ, lambda status, headers, exc=None: answer.append(status)))
    return answer[0].split()[0]
print(json.dumps([ask("GET", "/"), ask("GET", "/v1"), ask("GET", "/v1/clusters")]))
names = [name for name in logging.root.manager.loggerDict if name.startswith("magnum_ng")]
print(json.dumps(names))
'''


def free_port():
    with socket.socket() as sock:
        sock.bind(('127.0.0.1', 0))
        return sock.getsockname()[1]


def write_config(lab, name, text=BASE, paste=None, **values):
    folder = lab.fresh('run', name)
    paste_file = folder / 'api-paste.ini'
    paste_file.write_text(paste or (TOP / 'etc' / 'magnum' / 'api-paste.ini').read_text())
    values = {'transport': 'fake://', 'paste': paste_file, 'folder': folder, **values}
    for key, value in values.items():
        text = text.replace('{' + key + '}', str(value))
    config = folder / '.magnum' / 'magnum.conf'
    config.parent.mkdir()
    config.write_text(text)
    return folder, config


@contextlib.contextmanager
def running(command, folder, env=None, stop=signal.SIGTERM):
    log = open(folder / 'output.log', 'w')
    process = subprocess.Popen([str(part) for part in command], cwd=folder, stdout=log,
                               stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               env={**os.environ, 'HOME': str(folder), **(env or {})},
                               start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(stop)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        log.close()


def request(port, method, path, headers=None):
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    try:
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.getheader('Content-Type')
    finally:
        connection.close()


def wait_for(port, process, folder, prefix='', seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            request(port, 'GET', f'{prefix}/')
            return
        except (OSError, http.client.HTTPException):
            time.sleep(0.3)
    ensure(False, 'the server did not start:\n' + (folder / 'output.log').read_text()[-3000:])


@check('A12', 'uWSGI serves the module, a copy of the file, the script, and under a prefix')
def uwsgi(lab):
    binary = lab.installed / 'bin' / 'uwsgi'
    site = next((lab.installed / 'lib').glob('python*/site-packages'))
    ways = {
        'module': ['--module', 'magnum.wsgi.api:application'],
        'copy': ['--wsgi-file', '{folder}/app'],
        'script': ['--wsgi-file', lab.installed / 'bin' / 'magnum-api-wsgi'],
        'prefix': ['--manage-script-name', '--mount',
                   '/container-infra=magnum.wsgi.api:application'],
    }
    for way, arguments in ways.items():
        folder, _ = write_config(lab, f'uwsgi-{way}')
        shutil.copy(site / 'magnum' / 'wsgi' / 'api.py', folder / 'app')
        port = free_port()
        prefix = '/container-infra' if way == 'prefix' else ''
        command = [binary, '--http-socket', f'127.0.0.1:{port}', '--virtualenv', lab.installed,
                   '--master', '--processes', '2', '--need-app', '--lazy-apps',
                   '--enable-threads', '--die-on-term', '--buffer-size', '65535',
                   *(str(part).replace('{folder}', str(folder)) for part in arguments)]
        with running(command, folder) as process:
            wait_for(port, process, folder, prefix)
            for method, path, expected in (('GET', '/healthcheck', 200), ('GET', '/', 200),
                                           ('OPTIONS', '/', 200), ('GET', '/v1/clusters', 401)):
                status, body, kind = request(port, method, prefix + path)
                equal(expected, status, f'{way}: {method} {path}')
                if expected == 401:
                    ensure(kind.startswith('application/json'), f'{way}: 401 is {kind}')
                    json.loads(body)
            _, body, _ = request(port, 'GET', prefix + '/v1/', {
                'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cloud.example'})
            link = json.loads(body)['links'][0]['href']
            equal(f'https://cloud.example{prefix}/v1/', link.rstrip('/') + '/', f'{way}: link')


def _ask(lab, config, name):
    out = lab.python(lab.installed, ASK, '--config-file', config, env={'HOME': str(
        config.parent.parent)})
    lines = [line for line in out.splitlines() if line.startswith('[')]
    equal(['200', '200', '401'], json.loads(lines[-2]), f'{name}: answers')
    equal([], json.loads(lines[-1]), f'{name}: loggers under the inner name')
    return out


@check('A13', 'paste files of the deployment tools load')
def paste_files(lab):
    for name, text in samples.PASTE.items():
        _, config = write_config(lab, f'paste-{name}', paste=text)
        _ask(lab, config, name)


@check('A14', 'configuration files of the deployment tools are accepted')
def config_files(lab):
    for name, text in samples.CONFIG.items():
        _, config = write_config(lab, f'config-{name}', text=text)
        _ask(lab, config, name)
        lab.run(lab.installed / 'bin' / 'magnum-db-manage', '--config-file', config, 'upgrade')


@check('A17', 'a logging.conf that selects the logger magnum gets all lines')
def logging_conf(lab):
    folder, config = write_config(lab, 'logging')
    (folder / 'logging.conf').write_text(samples.LOGGING)
    config.write_text(config.read_text().replace(
        '[DEFAULT]', f'[DEFAULT]\ndebug = true\nlog_config_append = {folder}/logging.conf'))
    out = _ask(lab, config, 'logging')
    ensure('magnum.' in out, f'no line of ours in the output: {out[-500:]}')


def _broker(port=5672):
    try:
        socket.create_connection(('127.0.0.1', port), 1).close()
    except OSError as exc:
        raise Skip('no RabbitMQ answers on 127.0.0.1:5672') from exc
    return 'rabbit://guest:guest@127.0.0.1:5672//'


def _children(pid):
    """The process and everything below it."""
    found = [pid]
    for task in pathlib.Path(f'/proc/{pid}/task').glob('*/children'):
        for child in task.read_text().split():
            found += _children(int(child))
    return found


def _title(pid):
    return pathlib.Path(f'/proc/{pid}/cmdline').read_text().replace('\0', ' ').strip()


# Has the conductor delete a cluster, which takes its driver for ever.
SLOW = '''
import sys, uuid
from magnum_ng import objects
from magnum_ng.common import context, rpc, service
from magnum_ng.conductor import api, decisions
from oslo_config import cfg
service.prepare_service(["check", "--config-file", sys.argv[1]])
rpc.init(cfg.CONF)
asker = context.RequestContext(user_id="u", project_id="p", roles=["member"])
template = objects.ClusterTemplate(
    asker, uuid=str(uuid.uuid4()), name="t", project_id="p", user_id="u", image_id="i",
    coe="kubernetes", cluster_distro="dropin", server_type="vm", driver="dropin", labels={},
    public=False, hidden=False, tls_disabled=False, external_network_id="public")
template.create()
cluster = objects.Cluster(
    asker, uuid=str(uuid.uuid4()), name="slow", project_id="p", user_id="u", keypair="k",
    cluster_template_id=template.uuid, status="CREATE_COMPLETE", stack_id="s", labels={},
    create_timeout=60)
cluster.create()
with decisions.delete_cluster(asker, cluster):
    api.API(context=asker).cluster_delete_async(cluster.uuid)
'''


def _rows(folder, statement):
    with contextlib.closing(sqlite3.connect(folder / 'magnum.sqlite', timeout=20)) as connection:
        return connection.execute(statement).fetchall()


def _wait_for_work(folder):
    deadline = time.monotonic() + 60
    while not _rows(folder, "SELECT 1 FROM ng_operation WHERE state = 'running'"):
        ensure(time.monotonic() < deadline, 'the conductor did not begin to work')
        time.sleep(0.5)


@check('A18', 'the conductor tells systemd, is found by its title and ends quickly')
def conductor(lab):
    transport = _broker()
    lab.add_driver(lab.installed)
    folder, config = write_config(lab, 'conductor', transport=transport)
    config.write_text(config.read_text() + '[conductor]\nworkers = 2\n'
                                           f'topic = dropin-{os.getpid()}\n'
                                           '[certificates]\ncert_manager_type = x509keypair\n')
    lab.run(lab.installed / 'bin' / 'magnum-db-manage', '--config-file', config, 'upgrade')
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    address = lab.path('notify')
    address.unlink(missing_ok=True)
    notify.bind(str(address))
    notify.settimeout(60)
    command = [lab.installed / 'bin' / 'magnum-conductor', '--config-file', config]
    with running(command, folder, {'NOTIFY_SOCKET': str(address)}) as process:
        while b'READY=1' not in notify.recv(1024):
            pass
        time.sleep(5)
        pids = _children(process.pid)
        titles = [_title(pid) for pid in pids]
        ensure(any('magnum-conductor: master process' in title for title in titles), titles)
        ensure(sum(title.startswith('magnum-conductor:') for title in titles) >= 3, titles)
        ensure(all('magnum-conductor' in title for title in titles), titles)
        lab.python(lab.installed, SLOW, config)
        _wait_for_work(folder)
        began = time.monotonic()
        process.terminate()
        process.wait(30)
        ensure(time.monotonic() - began < 15,
               f'ended after {time.monotonic() - began:.0f} s')
    notify.close()
    # What it was at has ended or is anybody's: nothing is held by a process that is gone.
    equal([], _rows(folder, 'SELECT * FROM ng_operation WHERE owner IS NOT NULL'), 'operations')
    statuses = [status for status, in _rows(folder, 'SELECT status FROM cluster')]
    handed_back = _rows(folder, "SELECT * FROM ng_operation WHERE state = 'queued'")
    ensure(handed_back or statuses == ['DELETE_FAILED'], f'the cluster is {statuses}')


PING = '''
import sys
from oslo_config import cfg
import magnum.conf
from magnum.common import config, rpc
from magnum.common import context, exception
from magnum.conductor import api
config.parse_args(["check", "--config-file", sys.argv[1]])
if getattr(rpc, "TRANSPORT", None) is None:
    rpc.init(cfg.CONF)
ctx = context.make_admin_context()
listener = api.ListenerAPI(context=ctx, topic=cfg.CONF.conductor.topic)
listener.ping_conductor()
print("pinged")
from magnum import objects
objects.register_all() if hasattr(objects, "register_all") else None
cluster = objects.Cluster(ctx, uuid="5d12f6fd-a196-4bf0-ae4c-1f639a523a52", name="lost",
                          project_id="p", user_id="u", ca_cert_ref="lost", status="CREATE_COMPLETE")
try:
    # The original has its default topic from before the configuration was read.
    api.API(context=ctx, topic=cfg.CONF.conductor.topic).get_ca_certificate(cluster)
except exception.MagnumException as error:
    print(type(error).__name__.removesuffix("_Remote"), error.code)
except Exception as error:
    print("foreign", type(error).__module__, type(error).__name__, str(error)[:300])
'''


@check('A22', 'the original and this one talk to each other over the bus')
def mixed_fleet(lab):
    transport = _broker()
    lab.add_driver(lab.installed)
    lab.add_driver(lab.original)
    for server, client, name in ((lab.installed, lab.original, 'our conductor'),
                                 (lab.original, lab.installed, 'their conductor')):
        folder, config = write_config(lab, f'mixed-{name.split()[0]}', transport=transport)
        topic = f'dropin-{os.getpid()}-{name.split()[0]}'
        config.write_text(config.read_text()
                          + f'[conductor]\nworkers = 1\ntopic = {topic}\n'
                            '[certificates]\ncert_manager_type = x509keypair\n')
        # The chain of the original does not run on SQLite.
        lab.run(lab.installed / 'bin' / 'magnum-db-manage', '--config-file', config, 'upgrade')
        command = [server / 'bin' / 'magnum-conductor', '--config-file', config]
        with running(command, folder, stop=signal.SIGKILL):
            time.sleep(12)
            out = lab.python(client, PING, config, timeout=150)
        ensure('pinged' in out, f'{name}: {out[-1500:]}')
        ensure('foreign' not in out, f'{name}: a remote exception lost its class: {out[-600:]}')
