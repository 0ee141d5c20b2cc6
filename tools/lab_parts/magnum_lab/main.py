# SPDX-License-Identifier: Apache-2.0
"""The second half of the lab: start everything, seed it, end everything."""

import concurrent.futures
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from magnum_demo import bootstrap as demo
from magnum_demo import config
from magnum_demo import console
from magnum_demo import keeper
from magnum_lab import bootstrap
from magnum_lab import configuration
from magnum_lab import inquiries
from magnum_lab import processes
from magnum_lab import schemas
from magnum_lab import servers
from magnum_lab import settings

START_TIMEOUT = 180


class Lab:
    def __init__(self, options, show, keep):
        self.options = options
        self.show = show
        self.keep = keep
        self.has_identity = False
        self.magnum_conf = configuration.path('etc', 'magnum', 'magnum.conf')

    # -- up ----------------------------------------------------------------------------------
    def up(self, began):
        with self.show.step('Prepare databases, a virtual host and configuration'):
            self.prepare()
        missing = [name for name in settings.SERVICES if not self.is_made(name)]
        if 'keystone' in missing:
            # The others refer to its projects and users.
            missing = list(settings.SERVICES)
        if missing:
            with self.show.step(f'Fill the databases of {", ".join(missing)}'):
                self.fill(missing)
        with self.show.step('Start the cloud'):
            self.start_cloud(settings.SERVICES)
        with self.show.step('Seed users, the catalogue, images, flavors and networks'):
            self.seed('resources')
        with self.show.step('Start Magnum'):
            self.start_magnum()
            self.seed('template')
        self.write_openrcs()
        self.show.summary(time.monotonic() - began)
        self.tell()

    def prepare(self):
        os.makedirs(settings.STATE, mode=0o700, exist_ok=True)
        configuration.make_password()
        self.servers = servers.Servers()
        self.servers.check_bus()
        self.servers.make_user()
        for name in settings.SERVICES + settings.MAGNUM:
            port = settings.PORTS.get(name)
            if port and not processes.pid_of(name) and processes.taken(port):
                raise console.Failed(f'port {port}, which is {name}\'s, is taken; choose the '
                                     'first port of the lab with LAB_PORT')
        configuration.write(
            self.servers.make_vhost(),
            configuration.certificates_in_use(self.options.certificates))

    def is_made(self, name):
        """Whether the databases were filled to the end, and are still there."""
        return os.path.exists(configuration.path(name + '-made')) and all(
            map(self.servers.is_filled, schemas.DATABASES[name]))

    def fill(self, missing):
        """Side by side, but the identity first: seeding it goes on meanwhile."""
        # Whoever runs has had its database; now it is another one.
        processes.stop(settings.MAGNUM + tuple(missing))
        if 'keystone' in missing:
            self.servers.make_anew('magnum')
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(self.fill_one, name)
                    for name in sorted(missing, key=('keystone', 'neutron', 'nova', 'glance',
                                                     'barbican').index)]
            if 'keystone' in missing:
                jobs[0].result()
                self.start_cloud(['keystone'])
            for job in concurrent.futures.as_completed(jobs):
                job.result()

    def fill_one(self, name):
        began = time.monotonic()
        self.servers.make_anew(*schemas.DATABASES[name])
        env = dict(configuration.environment(name),
                   OS_BOOTSTRAP_PASSWORD=settings.password())
        for command in schemas.commands(name):
            self.run(command, 'schema-' + name, env)
        with open(configuration.path(name + '-made'), 'w'):
            pass
        self.show.say(f'      {name}: {time.monotonic() - began:.0f} s')

    def run(self, command, name, env):
        """Run a command to its end, which comes with ours if that is sooner."""
        log = os.path.join(settings.LOGS, name + '.log')
        with open(log, 'ab') as out:
            child = self.keep.start(command, env=env, cwd=settings.STATE,
                                    stdin=subprocess.DEVNULL, stdout=out, stderr=out)
            child.wait()
        self.keep.forget(child)
        if child.returncode:
            raise console.Failed(f'{name} failed: {processes.last_words(name)}', log)

    def start_cloud(self, names):
        for name in names:
            if processes.pid_of(name):
                continue
            processes.start(
                name, [os.path.join(settings.VENV, 'bin', 'gunicorn')],
                configuration.environment(name), configuration.path('etc', name))
        self.wait(names)
        if not self.has_identity:
            self.seed('identity')
            self.has_identity = True

    def wait(self, names):
        waiting = list(names)
        deadline = time.monotonic() + START_TIMEOUT
        while waiting:
            for name in list(waiting):
                if not processes.pid_of(name):
                    raise self.ended(name)
                if processes.answers(settings.url(name)):
                    waiting.remove(name)
                    self.show.progress(f'{name} answers on {settings.url(name)}')
            if waiting and time.monotonic() > deadline:
                raise console.Failed(f'{waiting[0]} does not answer', self.log(waiting[0]))
            time.sleep(0.2)

    @staticmethod
    def log(name):
        return os.path.join(settings.LOGS, name + '.log')

    def ended(self, name):
        return console.Failed(f'{name} has ended: {processes.last_words(name)}', self.log(name))

    def seed(self, what):
        # Late: the SDK takes seconds to import, and `down` has no use for it.
        from magnum_lab import seed

        getattr(seed, what)()

    # -- Magnum ------------------------------------------------------------------------------
    def start_magnum(self):
        env = configuration.environment('magnum')
        # The simulated driver is the demo's.
        env['PYTHONPATH'] = os.path.join(settings.ROOT, 'tools', 'demo_parts')
        python = os.path.join(settings.VENV, 'bin', 'python')

        def command(name, *words):
            return [python, '-P', '-m', 'magnum_demo.command', name, '--config-file',
                    self.magnum_conf, *words]

        if not all(map(processes.pid_of, settings.MAGNUM)):
            if not self.servers.is_filled('magnum'):
                self.servers.make_anew('magnum')
            self.run(command('magnum-db-manage', 'upgrade'), 'schema-magnum', env)
        for name in settings.MAGNUM:
            if not processes.pid_of(name):
                processes.start(name, command(name), env, settings.STATE)
        self.wait(['magnum-api'])
        if not processes.pid_of('magnum-conductor'):
            raise self.ended('magnum-conductor')

    def restart(self, began):
        with self.show.step('Start Magnum anew'):
            self.servers = servers.Servers()
            processes.stop(settings.MAGNUM)
            configuration.write(self.servers.make_vhost(), configuration.certificates_in_use())
            self.start_magnum()

    # -- the end -----------------------------------------------------------------------------
    def down(self, began):
        with self.show.step('Stop the services'):
            for name in processes.stop(settings.MAGNUM[::-1] + settings.SERVICES):
                self.show.progress(f'{name} has ended')
        if self.options.keep:
            return
        with self.show.step('Remove databases, the virtual host and files'):
            servers.Servers().drop()
            for user in inquiries.USERS:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self.openrc(user))
            shutil.rmtree(settings.STATE)

    # -- for the user ------------------------------------------------------------------------
    @staticmethod
    def openrc(user):
        return os.path.join(settings.HOME, f'openrc-{user}')

    def write_openrcs(self):
        for user in inquiries.USERS:
            config.write_private(self.openrc(user), inquiries.openrc_text(user))

    def tell(self):
        self.show.say()
        self.show.title('Running. To use it:')
        self.show.say('    eval "$(tools/lab openrc)"')
        self.show.say('    openstack coe cluster create mine --cluster-template k8s '
                      '--node-count 2')
        self.show.say('    openstack coe cluster list')
        self.show.say('To end it: tools/lab down')
        self.show.say(f'Logs are in {settings.LOGS}')
        self.show.say()
        self.show.say(inquiries.openrc_text('demo').rstrip())


def _stop(number, frame):
    raise KeyboardInterrupt


def main(argv):
    options = bootstrap.arguments(argv)
    held, pipe, began, steps = json.loads(os.environ.pop('MAGNUM_LAB_HANDOVER'))
    os.set_inheritable(held, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    show = console.Console()
    show.steps += steps
    keep = keeper.Keeper(pipe)
    try:
        getattr(Lab(options, show, keep), options.command)(began)
    except console.Failed as e:
        return demo.report(e, 'tools/lab')
    except KeyboardInterrupt:
        show.say('stopped; "tools/lab up" goes on from here, "tools/lab down" ends what runs')
        return 130
    finally:
        keep.end_all(grace=0)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
