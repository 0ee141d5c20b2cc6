# SPDX-License-Identifier: Apache-2.0

import os
import subprocess
import sys
import time
import urllib.request
from unittest import mock

import oslo_messaging as messaging

from magnum_ng import metrics
from magnum_ng.common import exception
from magnum_ng.common import rpc_service
from magnum_ng.metrics import meters
from magnum_ng.metrics import process
from magnum_ng.service import periodic
from magnum_ng.service import polling
from magnum_ng.tests.unit.metrics import base

# A process that has served a request and goes on until it is told to end.
WORKER = '''
import sys
from oslo_config import cfg
import magnum_ng.conf
from magnum_ng import metrics
directory, port = sys.argv[1:]
cfg.CONF([], project='magnum', default_config_files=[])
for name, value in (('enabled', True), ('directory', directory), ('port', int(port))):
    cfg.CONF.set_override(name, value, 'metrics')
cfg.CONF.set_override('connection', 'sqlite://', 'database')
from magnum_ng.metrics import meters, process
process.AGAIN = 0.1
metrics.start(metrics.API)
meters.instruments(metrics.API).http.labels('GET', '/v1', '200').observe(0.1)
print('ready', flush=True)
sys.stdin.read()
'''


class ProcessesTest(base.MetricsTestCase):

    def worker(self):
        child = subprocess.Popen([sys.executable, '-c', WORKER, self.directory, str(self.port)],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(child.wait)
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.stdin.close)
        self.addCleanup(child.kill)
        self.assertEqual('ready\n', child.stdout.readline())
        return child

    def get(self):
        deadline = time.monotonic() + 30
        while True:
            try:
                with urllib.request.urlopen(f'http://127.0.0.1:{self.port}/metrics',
                                            timeout=10) as answer:
                    return self.samples(answer.read().decode())
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def requests(self):
        return self.count(self.get(), 'magnum_http_request_seconds_count', method='GET',
                          route='/v1', status='200')

    def test_one_port_has_the_counts_of_all_processes_whichever_of_them_lives(self):
        workers = [self.worker(), self.worker()]
        found = self.get()
        self.assertEqual(2, self.count(found, 'magnum_http_request_seconds_count', method='GET',
                                       route='/v1', status='200'))
        self.assertEqual(2, self.count(found, 'magnum_db_connections_limit'))
        workers[0].kill()
        workers[0].wait()
        # The other one takes the port over, and nothing is forgotten.
        self.assertEqual(2, self.requests())
        self.assertEqual(1, self.count(self.get(), 'magnum_db_connections_limit'))

    def test_a_service_that_starts_anew_counts_from_nothing(self):
        worker = self.worker()
        self.assertEqual(1, self.requests())
        worker.kill()
        worker.wait()
        self.worker()
        self.assertEqual(1, self.requests())


class DirectoryTest(base.MetricsTestCase):

    def test_nobody_else_can_read_it(self):
        path = meters.directory(metrics.API)
        self.assertEqual(0o700, os.stat(path).st_mode & 0o777)

    def test_services_do_not_share_one(self):
        self.assertNotEqual(meters.directory(metrics.API), meters.directory(metrics.CONDUCTOR))

    def test_a_link_that_somebody_has_put_there_is_not_followed(self):
        os.symlink(self.directory, os.path.join(self.directory, f'magnum-api-{self.port}'))
        self.assertRaises(meters.Unusable, meters.directory, metrics.API)


class HooksTest(base.MetricsTestCase):

    def setUp(self):
        super().setUp()
        self.instruments = meters.instruments(metrics.CONDUCTOR)
        # The engine of the tests is everybody's.
        with mock.patch.object(process.database, 'measure_pool'):
            process.hook(metrics.CONDUCTOR, self.instruments)

    def found(self):
        return self.scraped(metrics.CONDUCTOR)

    def test_messages_are_measured_with_what_became_of_them(self):
        def client(error=None):
            class Client:
                def call(self, context, method, **kwargs):
                    if error:
                        raise error
            api = rpc_service.API(self.context)
            api._client = Client()
            return api

        client()._call('ping')
        for error in (messaging.MessagingTimeout(), exception.Conflict(), ValueError()):
            self.assertRaises(type(error), client(error)._call, 'ping')
        found = self.found()
        for status in (meters.OK, meters.TIMEOUT, meters.REFUSED, meters.FAILED):
            self.assertEqual(1, self.count(found, 'magnum_rpc_client_seconds_count',
                                           method='ping', status=status), status)

    def test_methods_of_an_endpoint_are_measured(self):
        def refuse(word):
            raise exception.Conflict()

        self.assertEqual('a', metrics.wrap_rpc_method('good', lambda word: word)('a'))
        self.assertRaises(exception.Conflict, metrics.wrap_rpc_method('bad', refuse), 'a')
        found = self.found()
        self.assertEqual(1, self.count(found, 'magnum_rpc_server_seconds_count', method='good',
                                       status='ok'))
        self.assertEqual(1, self.count(found, 'magnum_rpc_server_seconds_count', method='bad',
                                       status='refused'))

    def test_a_periodic_task_that_takes_too_long_shows_how_late_the_next_one_is(self):
        runs = []

        def slow():
            runs.append(1)
            time.sleep(0.3)
            if len(runs) == 2:
                timer.stop()

        timer = periodic.Timer('slow', 0.1, slow)
        timer.start()
        timer._thread.join(10)
        found = self.found()
        self.assertEqual(2, self.count(found, 'magnum_periodic_task_seconds_count', task='slow'))
        # 0.3 s of work and the shortest pause, less the interval.
        self.assertGreaterEqual(
            self.count(found, 'magnum_periodic_task_lag_seconds', task='slow'), 0.6)

    def test_polls_of_clusters_are_measured_also_when_they_fail(self):
        def fail():
            raise ValueError()

        polling.PollPool(lambda: 2, 'status').run({'a': lambda: None, 'b': fail}, 10)
        self.assertEqual(2, self.count(self.found(), 'magnum_poll_seconds_count', kind='status'))
