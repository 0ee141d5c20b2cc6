# SPDX-License-Identifier: Apache-2.0

import socket

import fixtures
from prometheus_client import parser

from magnum_ng import metrics
from magnum_ng.common import rpc_service
from magnum_ng.metrics import meters
from magnum_ng.metrics import outbound
from magnum_ng.metrics import process
from magnum_ng.service import periodic
from magnum_ng.service import polling
from magnum_ng.tests.unit.db import base


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class MetricsTestCase(base.DbTestCase):
    """Metrics are on, in a directory of the test's own."""

    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.port = free_port()
        self.config('metrics', enabled=True, directory=self.directory, port=self.port,
                    conductor_port=self.port)
        meters.forget()
        self.addCleanup(self._forget)

    @staticmethod
    def _forget():
        meters.forget()
        process._started = None
        rpc_service.observer = periodic.observer = polling.observer = None
        outbound.stop()

    @staticmethod
    def samples(text):
        """{(name, sorted labels): value} of an answer."""
        return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
                for family in parser.text_string_to_metric_families(text)
                for sample in family.samples}

    def scraped(self, service=metrics.API):
        """What a scrape would give, without the listener."""
        import prometheus_client

        registry = prometheus_client.CollectorRegistry()
        registry.register(process.Scrape(service, meters.instruments(service).path))
        return self.samples(prometheus_client.generate_latest(registry).decode())

    def count(self, found, name, **labels):
        return found.get((name, tuple(sorted(labels.items()))), 0)
