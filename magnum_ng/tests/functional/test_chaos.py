# SPDX-License-Identifier: Apache-2.0
"""The fault test in the size that fits every run of the tests, with a fixed seed.

``tox -e chaos`` runs it with 200 clusters.
"""

import os
import subprocess  # noqa: S404
import sys

from oslotest import base as test_base

from magnum_ng.tests.functional import base

TOOL = base.ROOT / 'tools' / 'chaos' / 'run.py'


class TestChaos(test_base.BaseTestCase):

    def setUp(self):
        # Starting RabbitMQ and bringing everything to rest takes its time on a busy machine.
        os.environ.setdefault('OS_TEST_TIMEOUT', '600')
        super().setUp()

    def test_every_accepted_request_is_done_or_its_failure_is_recorded(self):
        server = base.new_mariadb().find_server()
        environment = dict(
            os.environ, PYTHONWARNINGS='ignore', MAGNUM_TEST_RABBITMQ=base.rabbitmq_url(),
            MAGNUM_TEST_MARIADB=server.render_as_string(hide_password=False))
        done = subprocess.run(  # noqa: S603
            [sys.executable, str(TOOL), '--seed', '7', '--clusters', '24', '--clients', '24',
             '--requests', '2'],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=420,
            check=False)
        self.assertEqual(0, done.returncode, done.stdout.decode(errors='replace'))
