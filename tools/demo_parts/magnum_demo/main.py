# SPDX-License-Identifier: Apache-2.0
"""The second half of the demo: start everything, play the user, end everything."""

import hashlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from magnum_demo import bootstrap
from magnum_demo import config
from magnum_demo import console
from magnum_demo import keeper
from magnum_demo import story

HOST = '127.0.0.1'
PREFERRED_PORTS = {'cloud': 9510, 'api': 9511}
START_TIMEOUT = 60
STOP_GRACE = 8


def free_port(name):
    """The usual port if nobody has it, else any free one."""
    for port in (PREFERRED_PORTS[name], 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return probe.getsockname()[1]
    raise console.Failed(f'no free port on {HOST}')


class Demo:
    def __init__(self, options, show, keep):
        self.options = options
        self.show = show
        self.keep = keep
        self.state = os.path.join(bootstrap.HOME, 'state')
        self.logs = os.path.join(bootstrap.HOME, 'log')
        self.bin = os.path.dirname(sys.executable)
        self.password = secrets.token_urlsafe(16)
        self.ports = {name: free_port(name) for name in PREFERRED_PORTS}
        self.cloud_url = f'http://{HOST}:{self.ports["cloud"]}'
        self.api_url = f'http://{HOST}:{self.ports["api"]}'
        self.conf = os.path.join(self.state, 'magnum.conf')
        self.openrc = os.path.join(bootstrap.HOME, 'openrc')
        self.services = {}
        self.backend = None
        self.user = config.user_environment(self.cloud_url, 'demo', self.password, 'demo')

    # -- set up ------------------------------------------------------------------------------
    def prepare(self):
        shutil.rmtree(self.state, ignore_errors=True)
        for name in ('', 'certs', 'cert-cache', 'home', 'kube'):
            os.makedirs(os.path.join(self.state, name), mode=0o700)
        more = {}
        if self.options.real:
            from magnum_demo import real
            name = 'magnum_demo_' + hashlib.sha256(bootstrap.ROOT.encode()).hexdigest()[:8]
            self.backend = real.Backend(name, self.options.database_admin, self.options.rabbit)
            more['connection'], more['transport'] = self.backend.prepare()
        found = config.sections(
            bootstrap.ROOT, self.state, self.cloud_url, self.password, self.ports['api'],
            certificates=self.options.certificates, **more)
        config.write(self.conf, found)
        config.write_private(os.path.join(self.state, 'policy.yaml'), '{}\n')
        config.write_private(os.path.join(self.state, 'cloud.json'), json.dumps({
            'port': self.ports['cloud'], 'password': self.password,
            'magnum_url': self.api_url + '/v1'}))
        config.write_openrc(self.openrc, self.user, self.bin)

    def environment(self):
        return {key: value for key, value in os.environ.items() if not key.startswith('OS_')}

    def python(self, name, *words):
        """Start a Python of the environment with its output in log/<name>.log."""
        with open(os.path.join(self.logs, name + '.log'), 'ab') as log:
            return self.keep.start([sys.executable, *words], env=self.environment(),
                                   cwd=self.state, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=log)

    def wait_for(self, child, name):
        child.wait()
        self.keep.forget(child)
        if child.returncode:
            raise self.ended(name)

    def ended(self, name):
        """What to tell when a process ended that should not have: its own last words."""
        log = os.path.join(self.logs, name + '.log')
        try:
            with open(log, errors='replace') as f:
                lines = [line.strip() for line in f if line.strip()]
        except OSError:
            lines = []
        last = f': {lines[-1]}' if lines else ''
        return console.Failed(f'the {name} process ended{last[:300]}', log)

    def start(self):
        self.services['cloud'] = self.python(
            'cloud', '-m', 'magnum_demo.cloud', os.path.join(self.state, 'cloud.json'))
        if self.options.real:
            self.wait_for(self.python('database', '-m', 'magnum_demo.command', 'magnum-db-manage',
                                      '--config-file', self.conf, 'upgrade'), 'database')
            for name in ('magnum-conductor', 'magnum-api'):
                self.services[name] = self.python(
                    name, '-m', 'magnum_demo.command', name, '--config-file', self.conf)
            api = 'magnum-api'
        else:
            self.services['magnum'] = self.python(
                'magnum', '-m', 'magnum_demo.service', '--config-file', self.conf)
            api = 'magnum'
        self.wait_http(self.cloud_url + '/identity/v3', 'cloud')
        self.wait_http(self.api_url + '/v1', api)

    def wait_http(self, url, name):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + START_TIMEOUT
        while True:
            self.check_services()
            try:
                with opener.open(url, timeout=5):
                    return
            except urllib.error.HTTPError as e:
                if e.code < 500:
                    return
                e.close()
            except OSError:
                pass
            if time.monotonic() > deadline:
                raise console.Failed(f'{name} does not answer at {url}',
                                     os.path.join(self.logs, name + '.log'))
            time.sleep(0.1)

    def check_services(self):
        for name, child in self.services.items():
            if child.poll() is not None:
                raise self.ended(name)

    def stop(self):
        """End everything that was started; the state stays to be looked at."""
        for child in self.services.values():
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_GRACE
        for child in self.services.values():
            try:
                child.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                pass
        self.keep.end_all()
        if self.backend is not None:
            self.backend.drop()

    # -- the user's side ---------------------------------------------------------------------
    def call(self, *words, show=True, check=True, env=None):
        """Run a command as the user would; its output is shown where ``show`` says so."""
        self.check_services()
        if show:
            self.show.command(words)
        full = dict(self.environment(), **self.user, HOME=os.path.join(self.state, 'home'),
                    PATH=self.bin + os.pathsep + os.environ.get('PATH', os.defpath),
                    NO_PROXY='*', **(env or {}))
        # The client asks it which kind of "export" to print.
        full.setdefault('SHELL', '/bin/sh')
        program = os.path.join(self.bin, words[0])
        done = self.keep.run([program, *words[1:]], env=full, cwd=self.state)
        with open(os.path.join(self.logs, 'user.log'), 'a') as log:
            log.write(f'$ {" ".join(words)}\n{done.stdout}{done.stderr}')
        if check and done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise console.Failed(f'"{" ".join(words)}" failed: {said[-1] if said else ""}',
                                 os.path.join(self.logs, 'user.log'))
        return done

    def serve(self):
        with self.show.step('Create a cluster template for you'):
            story.create_template(self)
        self.show.say()
        self.show.title('Running until Ctrl-C. In another terminal:')
        self.show.say(f'    source {self.openrc}')
        self.show.say('    openstack coe cluster create mine --cluster-template '
                      f'{story.TEMPLATE} --node-count 2')
        self.show.say('    openstack coe cluster list')
        self.show.say(f'Logs are in {self.logs}')
        while True:
            self.check_services()
            time.sleep(0.5)


def run(options, show, keep, began):
    demo = Demo(options, show, keep)
    try:
        where = ' on MariaDB and RabbitMQ' if options.real else ''
        with show.step(f'Start the embedded cloud, the API and the conductor{where}'):
            demo.prepare()
            demo.start()
            show.output(f'API {demo.api_url}/v1, identity {demo.cloud_url}/identity/v3')
        if options.serve:
            demo.serve()
        story.tell(demo)
        with show.step('Stop the services'):
            demo.stop()
        show.summary(time.monotonic() - began)
    finally:
        # Whatever ended it: nothing may keep running, and a second signal must not cut it short.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        demo.stop()


def stop(number, frame):
    raise KeyboardInterrupt


def main(argv):
    options = bootstrap.arguments(argv)
    held, pipe = (int(fd) for fd in os.environ.pop('MAGNUM_DEMO_FDS').split(','))
    began = float(os.environ.pop('MAGNUM_DEMO_BEGAN'))
    os.set_inheritable(held, False)
    # SIGINT too: a shell starts what it puts into the background with it ignored.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    show = console.Console()
    show.steps += json.loads(os.environ.pop('MAGNUM_DEMO_STEPS'))
    keep = keeper.Keeper(pipe)
    try:
        run(options, show, keep, began)
    except console.Failed as e:
        return bootstrap.report(e)
    except KeyboardInterrupt:
        show.say('stopped')
        return 0 if options.serve else 130
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
