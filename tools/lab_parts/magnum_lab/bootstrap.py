# SPDX-License-Identifier: Apache-2.0
"""The first half of the lab: a virtual environment with this checkout and the cloud in it.

Standard library only. Ends by becoming ``magnum_lab.main``, run by the new environment.
"""

import argparse
import hashlib
import json
import os
import shutil
import sys
import time

from magnum_demo import bootstrap as demo
from magnum_demo import console
from magnum_demo import keeper
from magnum_lab import inquiries
from magnum_lab import settings


def arguments(argv):
    parser = argparse.ArgumentParser(
        prog='tools/lab', description='A small real cloud on this machine, with this checkout '
                                      'as its Magnum.')
    commands = parser.add_subparsers(dest='command', required=True)
    up = commands.add_parser('up', help='start what does not run yet')
    up.add_argument('--certificates', default='x509keypair',
                    choices=['x509keypair', 'barbican'],
                    help='where Magnum keeps the keys of clusters (default: %(default)s)')
    down = commands.add_parser('down', help='end everything and remove its data')
    down.add_argument('--keep', action='store_true', help='keep the data for the next "up"')
    commands.add_parser('status', help='what runs, and where')
    commands.add_parser('restart', help='start Magnum anew')
    openrc = commands.add_parser('openrc', help='print variables for the clients')
    openrc.add_argument('user', nargs='?', default='demo',
                        choices=inquiries.USERS)
    return parser.parse_args(argv)


def lock():
    """One command of a lab at a time; the kernel frees the lock when the holder is gone."""
    fd = os.open(os.path.join(settings.HOME, 'lock'), os.O_RDWR | os.O_CREAT, 0o644)
    if not demo.take(fd, seconds=5):
        raise console.Failed('another tools/lab of this checkout is at work')
    return fd


def fingerprint():
    """What the environment is made from: the interpreter, the requirements, the place."""
    digest = hashlib.sha256(repr((sys.version, settings.PACKAGES, settings.HOME)).encode())
    for name in demo.INPUTS:
        with open(os.path.join(settings.ROOT, name), 'rb') as f:
            digest.update(f.read())
    return digest.hexdigest()


def install(show, keep):
    """Make the virtual environment; what an interrupted run left has no marker and goes."""
    marker = os.path.join(settings.VENV, 'complete')
    mark = fingerprint()
    known = None
    if os.path.exists(marker):
        with open(marker) as f:
            known = f.read()
    if known == mark:
        return
    if known is None:
        shutil.rmtree(settings.VENV, ignore_errors=True)
    else:
        # It is whole, and most of it stays.
        os.unlink(marker)
    log = os.path.join(settings.LOGS, 'install.log')
    python = os.path.join(settings.VENV, 'bin', 'python')
    with show.step('Install the services into a virtual environment (only the first time)'), \
            open(log, 'wb') as out:
        show.progress('making the environment ...')
        demo.make_bare_venv(keep, settings.VENV, out, log)
        # Compiling all of it at once takes longer than compiling what is used when it is.
        demo.install(show, keep, [python, '-m', 'pip', 'install', '--progress-bar', 'off',
                                  '--no-compile', '-e', settings.ROOT, *settings.PACKAGES],
                     out, log)
    with open(marker, 'w') as f:
        f.write(mark)


def main(argv):
    options = arguments(argv)
    show = console.Console()
    demo.stop_on_signals()
    keep = None
    try:
        if options.command in ('status', 'openrc'):
            return inquire(options)
        for folder in (settings.HOME, settings.LOGS, settings.RUN):
            os.makedirs(folder, exist_ok=True)
        held = lock()
        if options.command != 'up' and not os.path.isdir(settings.STATE):
            show.say('There is no lab.')
            return 0
        keep = keeper.Keeper()
        began = time.monotonic()
        install(show, keep)
        become(argv, held, keep, began, show.steps)
    except console.Failed as e:
        return demo.report(e, 'tools/lab')
    except KeyboardInterrupt:
        show.say('stopped')
        return 130
    finally:
        if keep is not None:
            keep.end_all(grace=0)
    return 0


def inquire(options):
    """The commands that only look; they need nothing installed and no lock."""
    if options.command == 'openrc':
        return inquiries.openrc(options.user)
    return inquiries.status()


def become(argv, held, keep, began, steps):
    """Go on as magnum_lab.main in the environment, with the lock and the keeper."""
    demo.go_on(settings.VENV, 'magnum_lab.main', argv, ('lab_parts', 'demo_parts'),
               (held, keep.fd),
               MAGNUM_LAB_HANDOVER=json.dumps([held, keep.fd, began, steps]))
