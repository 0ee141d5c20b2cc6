# SPDX-License-Identifier: Apache-2.0
"""What the checks share: a work folder, artefacts built once, virtual environments, commands."""

import functools
import os
import pathlib
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
ORIGINAL = 'magnum==23.0.0'
# The version that the checks give a copy of this checkout.
RELEASE = '23.0.0+ng.1'

CHECKS = []

DRIVER = '''
import time

from magnum.drivers.common import driver


class Driver(driver.Driver):
    provides = [{'server_type': 'vm', 'os': 'dropin', 'coe': 'kubernetes'}]


def _nothing(self, *args, **kwargs):
    pass


for _name in Driver.__abstractmethods__:
    setattr(Driver, _name, _nothing)
Driver.__abstractmethods__ = frozenset()


def _delete_cluster(self, context, cluster):
    if cluster.name == 'slow':
        time.sleep(300)


Driver.delete_cluster = _delete_cluster
'''


class Skip(Exception):
    """The check needs something that is not here; the text says what."""


class Failed(Exception):
    pass


def check(name, title):
    def register(function):
        CHECKS.append((name, title, function))
        return function
    return register


def ensure(condition, text):
    if not condition:
        raise Failed(text)


def equal(expected, found, what):
    ensure(expected == found, f'{what}: expected {expected!r}, found {found!r}')


class Lab:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, *names):
        path = self.folder.joinpath(*names)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def fresh(self, *names):
        """An empty folder of that name."""
        path = self.path(*names)
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def run(self, *command, cwd=None, env=None, fail=True, timeout=900):
        """Run a command; its output, or Failed with the end of it."""
        clean = {key: value for key, value in os.environ.items()
                 if key not in ('PYTHONPATH', 'VIRTUAL_ENV', 'PBR_VERSION')}
        clean['PIP_DISABLE_PIP_VERSION_CHECK'] = '1'
        clean.update(env or {})
        try:
            done = subprocess.run([str(part) for part in command], cwd=cwd or self.folder,
                                  env=clean, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=timeout, check=False)
        except FileNotFoundError as exc:
            raise Skip(f'{command[0]} is not installed') from exc
        except subprocess.TimeoutExpired as exc:
            raise Failed(f'{command[0]} did not end within {timeout} s') from exc
        if fail and done.returncode != 0:
            shown = ' '.join(str(part) for part in command)
            raise Failed(f'{shown}: exit status {done.returncode}\n{done.stdout[-3000:]}')
        return done.stdout if fail else (done.returncode, done.stdout)

    def git(self, *arguments, cwd):
        return self.run('git', '-c', 'user.name=check', '-c', 'user.email=check@localhost',
                        '-c', 'commit.gpgsign=false', *arguments, cwd=cwd)

    def clone(self, name, tag=None, tags=True):
        """A clone of the committed state; ``tag`` is set on its head."""
        target = self.path('clones', name)
        shutil.rmtree(target, ignore_errors=True)
        self.run('git', 'clone', '-q', *([] if tags else ['--no-tags']), TOP, target)
        if tag:
            self.git('tag', '-a', '-m', tag, tag, cwd=target)
        return target

    @functools.cached_property
    def source(self):
        """A clone at a release tag."""
        return self.clone('release', tag=RELEASE)

    def venv(self, name, *requirements, fresh=False):
        """A virtual environment; its folder. Requirements are installed when it is made."""
        folder = self.path('venvs', name)
        stamp = folder / 'ready'
        if fresh or not stamp.exists():
            shutil.rmtree(folder, ignore_errors=True)
            self.run(sys.executable, '-m', 'venv', folder)
            self.pip(folder, 'install', '-q', '--upgrade', 'pip')
            if requirements:
                self.pip(folder, 'install', '-q', *requirements)
            stamp.touch()
        return folder

    def pip(self, venv, *arguments, **kwargs):
        return self.run(venv / 'bin' / 'python', '-m', 'pip', *arguments, **kwargs)

    def python(self, venv, script, *arguments, **kwargs):
        return self.run(venv / 'bin' / 'python', '-W', 'ignore', '-c', script, *arguments,
                        **kwargs)

    @functools.cached_property
    def dist(self):
        """(sdist, wheel) built from ``source`` in an isolated environment."""
        folder = self.fresh('dist')
        venv = self.venv('build', 'build')
        self.run(venv / 'bin' / 'python', '-m', 'build', '-o', folder, self.source)
        sdists, wheels = list(folder.glob('*.tar.gz')), list(folder.glob('*.whl'))
        ensure(len(sdists) == len(wheels) == 1, f'built: {os.listdir(folder)}')
        return sdists[0], wheels[0]

    @property
    def sdist(self):
        return self.dist[0]

    @property
    def wheel(self):
        return self.dist[1]

    @functools.cached_property
    def installed(self):
        """An environment with the wheel, its dependencies and what the checks serve it with."""
        return self.venv('installed', f'{self.wheel}[osprofiler]', 'uWSGI', 'psycopg2-binary',
                         'python-memcached', fresh=True)

    @functools.cached_property
    def original(self):
        """An environment with the original and the same helpers."""
        return self.venv('original', ORIGINAL, 'osprofiler', 'PyMySQL', 'psycopg2-binary')

    def add_driver(self, venv):
        """Install a driver that does nothing: services do not start without any."""
        site = next((venv / 'lib').glob('python*/site-packages'))
        (site / 'dropin_driver.py').write_text(DRIVER)
        info = site / 'dropin_driver-1.0.dist-info'
        info.mkdir(exist_ok=True)
        (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: dropin-driver\n'
                                       'Version: 1.0\n')
        (info / 'entry_points.txt').write_text('[magnum.drivers]\n'
                                               'dropin = dropin_driver:Driver\n')

    def version(self, venv):
        return self.python(venv, 'import importlib.metadata as m;'
                                 'print(m.version("magnum"))').strip()
