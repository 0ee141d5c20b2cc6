# SPDX-License-Identifier: Apache-2.0
"""Nothing outlives the demo, however it ends.

A keeper is a small process in a session of its own. It is told of every process group that the
demo starts, over a pipe whose other end only the demo holds. When that end closes, which it also
does when the demo is killed with SIGKILL, the keeper ends those groups and then itself.

Standard library only: tools/demo needs this before anything is installed.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time

GRACE = 1.0
PR_SET_PDEATHSIG = 1

try:
    _PRCTL = ctypes.CDLL(None).prctl
except (OSError, AttributeError):
    _PRCTL = None


def die_with_parent():
    """Have the kernel kill this process when its parent ends, where the kernel can."""
    if _PRCTL is not None:
        _PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL)


class Keeper:
    """The demo's side of the pipe; ``fd`` continues one across an exec."""

    def __init__(self, fd=None):
        self._children = []
        if fd is None:
            read, fd = os.pipe()
            subprocess.Popen([sys.executable, '-S', os.path.abspath(__file__)], stdin=read,
                             start_new_session=True)
            os.close(read)
        os.set_inheritable(fd, False)
        self.fd = fd

    def start(self, command, **options):
        """Popen in a process group of its own that is ended with the demo."""
        child = subprocess.Popen(command, start_new_session=True, preexec_fn=die_with_parent,
                                 **options)
        os.write(self.fd, b'+%d\n' % child.pid)
        self._children.append(child)
        return child

    def forget(self, child):
        """The child has ended and was waited for."""
        os.write(self.fd, b'-%d\n' % child.pid)
        self._children.remove(child)

    def run(self, command, **options):
        """Like subprocess.run(capture_output=True, text=True), in a group that is kept."""
        child = self.start(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, **options)
        try:
            out, err = child.communicate()
        finally:
            self.end(child)
        return subprocess.CompletedProcess(command, child.returncode, out, err)

    def end(self, child, grace=GRACE):
        """Ask the child's group to end, insist after the grace, and forget it."""
        if child.poll() is None:
            end_groups([child.pid], grace, lambda: child.poll() is None)
            child.wait()
        end_groups([child.pid], 0, lambda: False)
        self.forget(child)

    def end_all(self, grace=GRACE):
        for child in reversed(self._children[:]):
            self.end(child, grace)


def end_groups(groups, grace, alive):
    for group in groups:
        _signal(group, signal.SIGTERM if grace else signal.SIGKILL)
    deadline = time.monotonic() + grace
    while grace and alive() and time.monotonic() < deadline:
        time.sleep(0.02)
    if grace:
        for group in groups:
            _signal(group, signal.SIGKILL)


def _signal(group, number):
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


def _exists(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups = set()
    for line in sys.stdin.buffer:
        group = int(line[1:])
        if line[:1] == b'+':
            groups.add(group)
        else:
            groups.discard(group)
    end_groups(groups, GRACE, lambda: any(_exists(group) for group in groups))


if __name__ == '__main__':
    main()
