# SPDX-License-Identifier: Apache-2.0
"""The monitor against real TLS servers with certificates of the cluster's own authority."""

import http.server
import ipaddress
import json
import os
import ssl
import threading
import time
import types

import fixtures
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from magnum_ng.conductor import k8s_api
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.drivers.common import k8s_monitor
from magnum_ng.drivers.common import k8s_scale_manager
from magnum_ng.tests.unit.common.x509 import test_operations
from magnum_ng.tests.unit.db import base

UUID = '5d12f6fd-a196-4bf0-ae4c-1f639a523a52'


def node(name, ready='True', **status):
    if ready is not None:
        status['conditions'] = [{'type': 'DiskPressure', 'status': 'False'},
                                {'type': 'Ready', 'status': ready}]
    status['capacity'] = {'memory': '2Gi', 'cpu': '2'}
    return {'metadata': {'name': name}, 'status': status}


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers what the server's ``answers`` say: path -> (status, body) or a function."""

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.server.seen.append(self.path)
        answer = self.server.answers.get(self.path, (404, 'no such page'))
        if callable(answer):
            return answer(self)
        status, body = answer
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class KubernetesServer(fixtures.Fixture):
    """The API of a cluster: TLS, and nobody without a certificate of the cluster comes in."""

    def __init__(self, cluster, context):
        super().__init__()
        self.cluster, self.context = cluster, context

    def _setUp(self):
        directory = self.useFixture(fixtures.TempDir()).path
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address('127.0.0.1'))])
        csr = test_operations.request(key, extensions=[(names, False)])
        authority = cert_manager.get_cluster_ca_certificate(self.cluster, self.context)
        parts = {
            'ca': authority.get_certificate().encode(),
            'crt': cert_manager.sign_node_certificate(self.cluster, csr, context=self.context),
            'key': key.private_bytes(serialization.Encoding.PEM,
                                     serialization.PrivateFormat.PKCS8,
                                     serialization.NoEncryption())}
        for name, pem in parts.items():
            with open(os.path.join(directory, name), 'wb') as target:
                target.write(pem)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(os.path.join(directory, 'crt'), os.path.join(directory, 'key'))
        tls.load_verify_locations(os.path.join(directory, 'ca'))
        tls.verify_mode = ssl.CERT_REQUIRED
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.daemon_threads = True
        server.handle_error = lambda *args: None
        server.socket = tls.wrap_socket(server.socket, server_side=True,
                                        do_handshake_on_connect=False)
        self.seen = server.seen = []
        self.answers = server.answers = {
            '/healthz': (200, 'ok'),
            '/api/v1/nodes': (200, {'items': [node('n1'), node('n2')]}),
        }
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.address = f'https://127.0.0.1:{server.server_address[1]}'


class MonitorTestCase(base.DbTestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(test_operations.ReadyKeys())
        self.config('kubernetes', monitor_timeout=2)
        self.cluster = types.SimpleNamespace(
            name='kubes', uuid=UUID, labels={}, master_lb_enabled=False, node_count=2,
            status='CREATE_COMPLETE', floating_ip_enabled=True,
            **dict.fromkeys(cert_manager.REFERENCES))
        cert_manager.generate_certificates_to_cluster(self.cluster, self.context)
        self.server = self.useFixture(KubernetesServer(self.cluster, self.context))
        self.cluster.api_address = self.server.address

    def poll(self):
        monitor = k8s_monitor.K8sMonitor(self.context, self.cluster)
        monitor.poll_health_status()
        return monitor.data.get('health_status'), monitor.data.get('health_status_reason')


class TestHealth(MonitorTestCase):
    def test_a_cluster_whose_nodes_are_ready_is_healthy(self):
        self.assertEqual(('HEALTHY', {'n1.Ready': True, 'n2.Ready': True, 'api': 'ok'}),
                         self.poll())
        self.assertEqual(['/healthz', '/api/v1/nodes'], self.server.seen)

    def test_a_node_that_is_not_ready_makes_it_unhealthy(self):
        for ready in ('False', 'Unknown', None):
            self.server.answers['/api/v1/nodes'] = (
                200, {'items': [node('n1'), node('n2', ready)]})
            status, reason = self.poll()
            self.assertEqual('UNHEALTHY', status)
            self.assertEqual({'n1.Ready': True, 'n2.Ready': False, 'api': 'ok'}, reason)

    def test_missing_nodes_make_it_unhealthy(self):
        for items in ([], [node('n1')], None):
            self.server.answers['/api/v1/nodes'] = (200, {'items': items})
            status, reason = self.poll()
            self.assertEqual('UNHEALTHY', status)
            self.assertIn('of at least 2 nodes', reason['nodes'])

    def test_an_autoscaler_may_have_removed_nodes_but_not_all(self):
        self.cluster.labels = {'auto_scaling_enabled': 'true'}
        self.server.answers['/api/v1/nodes'] = (200, {'items': [node('n1')]})
        self.assertEqual('HEALTHY', self.poll()[0])
        self.server.answers['/api/v1/nodes'] = (200, {'items': []})
        self.assertEqual('UNHEALTHY', self.poll()[0])

    def test_while_an_operation_goes_on_nodes_may_still_be_coming(self):
        self.cluster.status = 'UPDATE_IN_PROGRESS'
        self.server.answers['/api/v1/nodes'] = (200, {'items': [node('n1')]})
        self.assertEqual('HEALTHY', self.poll()[0])

    def test_an_api_that_reports_trouble_is_unhealthy(self):
        self.server.answers['/healthz'] = (500, '[-]etcd failed')
        self.assertEqual(('UNHEALTHY', {'api': '[-]etcd failed'}), self.poll())
        self.server.answers['/healthz'] = (200, 'not ok')
        self.assertEqual('UNHEALTHY', self.poll()[0])

    def test_an_api_that_does_not_let_us_in_is_unknown(self):
        for status in (401, 403, 302):
            self.server.answers['/healthz'] = (status, 'go away')
            self.assertEqual(('UNKNOWN', {'api': 'go away'}), self.poll())
        self.server.answers['/healthz'] = (200, 'ok')
        self.server.answers['/api/v1/nodes'] = (403, 'go away')
        self.assertEqual('UNKNOWN', self.poll()[0])

    def test_nonsense_is_unknown(self):
        for nonsense in ('<html>', '[1]', '{"items": [{}]}', '{"items": 5}'):
            self.server.answers['/api/v1/nodes'] = (200, nonsense)
            status, reason = self.poll()
            self.assertEqual('UNKNOWN', status)
            self.assertIn('cannot be listed', reason['api'])

    def test_an_api_that_does_not_answer_is_unknown_in_time(self):
        self.config('kubernetes', monitor_timeout=0.5)
        self.server.answers['/healthz'] = lambda handler: time.sleep(3)
        began = time.monotonic()
        self.assertEqual(('UNKNOWN', {'api': 'The API did not answer in time.'}), self.poll())
        self.assertLess(time.monotonic() - began, 2.5)

    def test_an_answer_that_drips_for_ever_is_cut_off(self):
        self.config('kubernetes', monitor_timeout=0.5)

        def drip(handler):
            handler.send_response(200)
            handler.end_headers()
            for _second in range(100):
                handler.wfile.write(b'o')
                handler.wfile.flush()
                time.sleep(0.1)

        self.server.answers['/healthz'] = drip
        began = time.monotonic()
        self.assertEqual('UNKNOWN', self.poll()[0])
        self.assertLess(time.monotonic() - began, 4)

    def test_an_api_that_cannot_be_reached_is_unknown_and_the_address_stays_here(self):
        self.cluster.api_address = 'https://127.0.0.1:1'
        self.assertEqual(('UNKNOWN', {'api': 'The API cannot be reached.'}), self.poll())
        for address in (None, 'nonsense'):
            self.cluster.api_address = address
            self.assertEqual('UNKNOWN', self.poll()[0])

    def test_the_server_of_another_authority_is_not_believed(self):
        cert_manager.generate_certificates_to_cluster(self.cluster, self.context)
        status, reason = self.poll()
        self.assertEqual('UNKNOWN', status)
        self.assertIn('could not prove', reason['api'])
        self.assertEqual([], self.server.seen)

    def test_certificates_that_cannot_be_read_are_unknown(self):
        self.cluster.ca_cert_ref = None
        self.assertEqual('UNKNOWN', self.poll()[0])


class TestAccess(MonitorTestCase):
    """Whether the API is asked at all."""

    def test_a_cluster_without_an_address_outside_is_unknown(self):
        for lb, label, floating, asked in (
                (False, None, True, True), (False, None, False, False),
                (True, None, True, True), (True, None, False, False),
                (True, 'true', False, True), (True, 'false', True, False)):
            self.cluster.master_lb_enabled = lb
            self.cluster.floating_ip_enabled = floating
            self.cluster.labels = {'master_lb_floating_ip_enabled': label} if label else {}
            status, reason = self.poll()
            if asked:
                self.assertEqual('HEALTHY', status)
            else:
                self.assertEqual('UNKNOWN', status)
                self.assertEqual({'api': 'The cluster kubes is not accessible.'}, reason)

    def test_an_auto_healer_reports_itself(self):
        self.cluster.labels = {'auto_healing_enabled': 'true',
                               'auto_healing_controller': 'magnum-auto-healer'}
        self.assertEqual((None, None), self.poll())
        self.cluster.labels['auto_healing_controller'] = 'draino'
        self.assertEqual('HEALTHY', self.poll()[0])


class TestLoad(MonitorTestCase):
    def setUp(self):
        super().setUp()
        self.server.answers['/api/v1/namespaces/default/pods'] = (200, {'items': [
            {'spec': {'nodeName': 'n1', 'containers': [
                {'resources': {'limits': {'memory': '1Gi', 'cpu': '500m'}}}, {}]}},
            {'spec': {'containers': [{'resources': {}}]}}]})

    def test_metrics_are_percentages_of_what_the_nodes_have(self):
        monitor = k8s_monitor.K8sMonitor(self.context, self.cluster)
        monitor.pull_data()
        self.assertEqual(['memory_util', 'cpu_util'], monitor.get_metric_names())
        self.assertEqual('%', monitor.get_metric_unit('cpu_util'))
        self.assertEqual(25, monitor.compute_metric_value('memory_util'))
        self.assertEqual(12.5, monitor.compute_metric_value('cpu_util'))

    def test_without_nodes_there_is_no_load(self):
        self.server.answers['/api/v1/nodes'] = (200, {'items': []})
        monitor = k8s_monitor.K8sMonitor(self.context, self.cluster)
        monitor.pull_data()
        self.assertEqual(0, monitor.compute_metric_value('memory_util'))

    def test_hosts_with_pods_are_busy(self):
        manager = object.__new__(k8s_scale_manager.K8sScaleManager)
        self.assertEqual({'n1'}, manager._get_hosts_with_container(self.context, self.cluster))


class TestAPI(MonitorTestCase):
    def test_temporary_files_go_when_it_is_closed(self):
        with k8s_api.KubernetesAPI(self.context, self.cluster) as api:
            api.get_healthz()
            path = api.key_file.name
            self.assertTrue(os.path.exists(path))
        self.assertFalse(os.path.exists(path))

    def test_proxies_of_the_environment_are_not_used(self):
        self.useFixture(fixtures.EnvironmentVariable('HTTPS_PROXY', 'http://127.0.0.1:1'))
        self.assertEqual('HEALTHY', self.poll()[0])
