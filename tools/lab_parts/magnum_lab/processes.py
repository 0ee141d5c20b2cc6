# SPDX-License-Identifier: Apache-2.0
"""The lab's services as processes that go on after the command has ended.

A process writes its number and the time of its start into run/<name> before it becomes the
service: there is no moment at which it runs and is not known, and a number that the kernel has
given to somebody else since is not taken for it. Standard library only.
"""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

from magnum_lab import settings

GRACE = 15


def _begun(pid):
    """When a process was started, in the kernel's ticks; None if there is none."""
    try:
        with open(f'/proc/{pid}/stat') as f:
            fields = f.read().rpartition(')')[2].split()
    except OSError:
        return None
    return None if fields[0] in 'ZX' else fields[19]


def _file(name):
    return os.path.join(settings.RUN, name)


def pid_of(name):
    """The service's process, or None if it does not run."""
    try:
        with open(_file(name)) as f:
            pid, begun = f.read().split()
    except (OSError, ValueError):
        return None
    return int(pid) if _begun(pid) == begun else None


def start(name, command, env, cwd):
    """Start a service with its output in log/<name>.log."""
    def introduce():
        with open(_file(name), 'w') as f:
            f.write(f'{os.getpid()} {_begun(os.getpid())}\n')

    with open(os.path.join(settings.LOGS, name + '.log'), 'ab') as log:
        return subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log,
                                stderr=log, start_new_session=True, preexec_fn=introduce)


def stop(names):
    """End services with their children: asked first, all at once, and then made to."""
    found = {name: pid_of(name) for name in names}
    pids = [pid for pid in found.values() if pid]
    for pid in pids:
        _signal(pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE
    while any(map(_begun, pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    for pid in pids:
        _signal(pid, signal.SIGKILL)
    for name in names:
        if os.path.exists(_file(name)):
            os.unlink(_file(name))
    return [name for name, pid in found.items() if pid]


def _signal(pid, number):
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def taken(port):
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex((settings.HOST, port)) == 0


def answers(url):
    """Whether a web service says anything but that it is broken."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=10):
            return True
    except urllib.error.HTTPError as e:
        e.close()
        return e.code < 500
    except OSError:
        return False


def last_words(name):
    """The last line of a service's log."""
    try:
        with open(os.path.join(settings.LOGS, name + '.log'), errors='replace') as f:
            lines = [line.strip() for line in f if line.strip()]
    except OSError:
        return ''
    return lines[-1][:200] if lines else ''
