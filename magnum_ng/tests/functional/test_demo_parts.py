# SPDX-License-Identifier: Apache-2.0
"""The demo's parts stay out of production, and the demo leaves no processes behind."""

import importlib.metadata
import os
import pathlib
import signal
import subprocess
import sys
import time

from oslotest import base as oslotest_base

from magnum_ng.tests.functional import base

KEPT = """
import sys, time
from magnum_demo import keeper
keep = keeper.Keeper()
{before}
child = keep.start([sys.executable, '-c', {program!r}])
print(child.pid, flush=True)
time.sleep(60)
"""
# A child of a child, and both deaf to SIGTERM.
STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.fork()
time.sleep(60)
"""


def group_exists(group):
    try:
        os.killpg(group, 0)
        return True
    except ProcessLookupError:
        return False


class ProductionTest(oslotest_base.BaseTestCase):

    def test_the_parts_cannot_be_imported_without_being_asked_for(self):
        env = {key: value for key, value in os.environ.items() if key != 'PYTHONPATH'}
        done = subprocess.run([sys.executable, '-c', 'import magnum_ng.api.app, magnum_demo'],
                              env=env, capture_output=True, text=True, cwd='/', check=False)
        self.assertIn("No module named 'magnum_demo'", done.stderr)

    def test_no_entry_point_names_them(self):
        for entry_point in importlib.metadata.distribution('magnum').entry_points:
            self.assertNotIn('magnum_demo', entry_point.value)
            self.assertNotEqual('magnum.drivers', entry_point.group)

    def test_they_lie_outside_the_packages(self):
        for package in ('magnum_ng', 'magnum'):
            self.assertNotIn(base.ROOT / package, pathlib.Path(base.PARTS).parents)


class KeeperTest(oslotest_base.BaseTestCase):

    def _start(self, before='', program=STUBBORN):
        process = subprocess.Popen(
            [sys.executable, '-c', KEPT.format(before=before, program=program)],
            env=dict(os.environ, PYTHONPATH=str(base.PARTS)), stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        group = int(process.stdout.readline())
        self.assertTrue(group_exists(group))
        return process, group

    def _assert_goes(self, group):
        deadline = time.monotonic() + 10
        while group_exists(group):
            self.assertLess(time.monotonic(), deadline, 'the children are still there')
            time.sleep(0.05)

    def test_children_go_when_the_demo_is_killed(self):
        process, group = self._start()
        process.send_signal(signal.SIGKILL)
        self._assert_goes(group)

    def test_they_go_without_the_kernels_help_too(self):
        process, group = self._start(before='keeper.die_with_parent = lambda: None')
        process.send_signal(signal.SIGKILL)
        self._assert_goes(group)
