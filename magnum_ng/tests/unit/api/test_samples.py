# SPDX-License-Identifier: Apache-2.0
"""The samples of the API reference, compared with what the service takes and answers.

A request that is shown is sent as it is shown; the answer has to have the shape of the one that
is shown: the same keys, and values of the same kind. ``MAGNUM_WRITE_SAMPLES=1`` in the environment
writes the answers anew instead of comparing them.
"""

import json
import os
import pathlib
import re

from magnum_ng.common import keystone
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng import objects
from magnum_ng.tests import fakes
from magnum_ng.tests.unit.api import cluster_base
from magnum_ng.tests.unit.db import utils as db_utils

SOURCE = pathlib.Path(__file__).parents[4] / 'api-ref' / 'source'
SAMPLES = SOURCE / 'samples'
WRITE = os.environ.get('MAGNUM_WRITE_SAMPLES') == '1'

# Objects whose keys are the users' own.
OPEN = frozenset({'labels', 'labels_added', 'labels_overridden', 'labels_skipped', 'faults',
                  'health_status_reason', 'node_labels', 'properties'})
# What the reference shows in place of the values of the tests.
SHOWN = {fakes.PROJECT_ID: '6d1a1c2f9d2b4b0f8f1d6d5d3f7f0a11',
         fakes.USER_ID: 'd8f9a4c07d0c4c3fbc0f0bfbd1a9fd4c',
         'http://localhost/': 'http://controller:9511/'}


def shape(value, key=None):
    """What is compared of an answer: keys, and kinds of values; a list is like its items."""
    if isinstance(value, dict):
        if key in OPEN:
            return 'object'
        return {name: shape(item, name) for name, item in sorted(value.items())}
    if isinstance(value, list):
        return [shape(item, key) for item in value[:1]]
    if isinstance(value, bool) or value is None:
        return type(value).__name__
    return 'number' if isinstance(value, (int, float)) else 'text'


class SamplesTest(cluster_base.ClusterTest):
    """The story that the samples tell: a template, a cluster named demo, and what is made of it."""

    def setUp(self):
        super().setUp()
        if not SAMPLES.is_dir():
            self.skipTest('there is no api-ref/source/samples: this is no checkout')
        self.cloud.images['ubuntu-kube'] = {'id': 'ubuntu-kube', 'os_distro': 'ubuntu'}
        self.cloud.flavors.update({'m1.medium': 40, 'm1.large': 80})
        self.cloud.keypairs.add('mykey')

    @staticmethod
    def sample(name):
        return json.loads((SAMPLES / f'{name}.json').read_text())

    def assert_shown(self, name, response, status):
        """The answer has this status, and the shape that the sample shows."""
        self.assertEqual(status, response.status_int, response.text)
        if WRITE:
            self._write(name, response.text)
        self.assertEqual(shape(self.sample(name)), shape(response.json), name)

    @staticmethod
    def _write(name, text):
        for ours, shown in SHOWN.items():
            text = text.replace(ours, shown)
        text = json.dumps(json.loads(text), indent=4)
        text = re.sub(r'req-[0-9a-f-]{36}', 'req-5c1e0b0e-3a35-4f0d-9a57-6f6a2d3d2f0c', text)
        (SAMPLES / f'{name}.json').write_text(text + '\n')

    def template(self):
        return self.post('/v1/clustertemplates', self.sample('cluster-template-create-req'))

    def cluster(self, **values):
        """The cluster demo, built."""
        self.template()
        created = self.post('/v1/clusters', self.sample('cluster-create-req'))
        cluster = objects.Cluster.get_by_uuid(self.context, created.json['uuid'])
        cluster.update({
            'status': 'CREATE_COMPLETE', 'stack_id': 'demo-lnfn5xkgfzbd',
            'api_address': 'https://203.0.113.7:6443', 'health_status': 'HEALTHY',
            'health_status_reason': {'api': 'ok', 'demo-worker-0.Ready': 'True'},
            'coe_version': 'v1.34.2', **values})
        cluster.save()
        addresses = {'default-master': ['10.0.0.5'], 'default-worker': ['10.0.0.6', '10.0.0.7']}
        for nodegroup in cluster.nodegroups:
            nodegroup.status = 'CREATE_COMPLETE'
            nodegroup.stack_id = cluster.stack_id
            nodegroup.node_addresses = addresses[nodegroup.name]
            nodegroup.save()
        return created


class TestVersions(SamplesTest):
    def test_versions(self):
        self.assert_shown('version-list-resp', self.get('/'), 200)
        self.assert_shown('version-show-resp', self.get('/v1'), 200)

    def test_errors(self):
        self.assert_shown('error-resp', self.get('/v1/clusters/nothing', status=404), 404)


class TestTemplates(SamplesTest):
    def test_templates(self):
        self.assert_shown('cluster-template-create-resp', self.template(), 201)
        for address in ('/v1/clustertemplates', '/v1/clustertemplates/detail'):
            self.assert_shown('cluster-template-list-resp', self.get(address), 200)
        self.assert_shown('cluster-template-show-resp',
                          self.get('/v1/clustertemplates/k8s'), 200)
        self.assert_shown('cluster-template-update-resp',
                          self.patch('/v1/clustertemplates/k8s',
                                     self.sample('cluster-template-update-req')), 200)


class TestClusters(SamplesTest):
    def test_reading(self):
        self.assert_shown('cluster-id-resp', self.cluster(), 202)
        self.assert_shown('cluster-list-resp', self.get('/v1/clusters'), 200)
        self.assert_shown('cluster-detail-resp', self.get('/v1/clusters/detail'), 200)
        self.assert_shown('cluster-show-resp', self.get('/v1/clusters/demo'), 200)

    def test_changing(self):
        self.cluster()
        for name in ('cluster-health-req', 'cluster-update-req'):
            response = self.patch('/v1/clusters/demo', self.sample(name))
            self.assert_shown('cluster-id-resp', response, 202)
        shown = self.get('/v1/clusters/demo').json
        self.assertEqual((3, 'UNHEALTHY', 'UPDATE_IN_PROGRESS'),
                         (shown['node_count'], shown['health_status'], shown['status']))

    def test_forced_deletion(self):
        self.cluster(status='DELETE_FAILED')
        response = self.app.delete('/v1/clusters/demo?force=true', headers=self.as_admin(),
                                   status='*')
        self.assert_shown('cluster-force-delete-resp', response, 200)


class TestActions(SamplesTest):
    def test_resize(self):
        self.cluster()
        response = self.post('/v1/clusters/demo/actions/resize',
                             self.sample('cluster-resize-req'))
        self.assert_shown('cluster-id-resp', response, 202)

    def test_upgrade(self):
        self.cluster()
        self.post('/v1/clustertemplates',
                  {**self.sample('cluster-template-create-req'), 'name': 'k8s-next'}, status=201)
        response = self.post('/v1/clusters/demo/actions/upgrade',
                             self.sample('cluster-upgrade-req'))
        self.assert_shown('cluster-id-resp', response, 202)


class TestNodegroups(SamplesTest):
    def test_nodegroups(self):
        self.cluster()
        url = '/v1/clusters/demo/nodegroups'
        response = self.post(url, self.sample('nodegroup-create-req'))
        self.assert_shown('nodegroup-create-resp', response, 202)
        self.assert_shown('nodegroup-list-resp', self.get(url), 200)
        self.assert_shown('nodegroup-show-resp', self.get(f'{url}/pool'), 200)
        nodegroup = objects.NodeGroup.get_by_uuid(
            self.context, self.get('/v1/clusters/demo').json['uuid'], response.json['uuid'])
        nodegroup.status = 'CREATE_COMPLETE'
        nodegroup.save()
        self.assert_shown('nodegroup-update-resp',
                          self.patch(f'{url}/pool', self.sample('nodegroup-update-req')), 202)


class TestCertificates(SamplesTest):
    def setUp(self):
        super().setUp()
        self.cluster()
        cluster = objects.Cluster.get_by_name(self.context, 'demo')
        cert_manager.generate_certificates_to_cluster(cluster, context=self.context)
        cluster.save()

    def test_certificates(self):
        self.assert_shown('certificate-show-resp', self.get('/v1/certificates/demo'), 200)
        response = self.post('/v1/certificates', self.sample('certificate-sign-req'))
        self.assert_shown('certificate-sign-resp', response, 201)

    def test_rotations(self):
        for address in ('/v1/credentials/demo', '/v1/certificates/demo'):
            self.assert_shown('cluster-id-resp', self.patch(address), 202)


class TestQuotas(SamplesTest):
    def test_quotas(self):
        self._replace(keystone, 'get_project', lambda context, project_id: None)
        admin = self.as_admin()
        response = self.post('/v1/quotas', self.sample('quota-create-req'), admin)
        self.assert_shown('quota-create-resp', response, 201)
        project = self.sample('quota-create-req')['project_id']
        response = self.get('/v1/quotas?all_tenants=true', admin)
        self.assert_shown('quota-list-resp', response, 200)
        url = f'/v1/quotas/{project}/Cluster'
        self.assert_shown('quota-show-resp', self.get(url, admin), 200)
        response = self.patch(url, self.sample('quota-update-req'), admin)
        self.assert_shown('quota-update-resp', response, 202)


class TestCounts(SamplesTest):
    def test_statistics(self):
        self.cluster()
        self.assert_shown('stats-resp', self.get('/v1/stats'), 200)

    def test_services(self):
        db_utils.create_test_magnum_service(host='controller1', binary='magnum-conductor',
                                            disabled_reason=None)
        self.assert_shown('mservice-list-resp', self.get('/v1/mservices', self.as_admin()), 200)


class TestFederations(SamplesTest):
    def test_federations(self):
        self.cluster()
        response = self.post('/v1/federations', self.sample('federation-create-req'))
        self.assert_shown('federation-create-resp', response, 400)
        objects.Federation(
            self.context, name='federation', project_id=fakes.PROJECT_ID, member_ids=[],
            hostcluster_id=self.get('/v1/clusters/demo').json['uuid'],
            status='CREATE_COMPLETE', properties={'dns-zone': 'example.com.'}).create()
        self.assert_shown('federation-list-resp', self.get('/v1/federations'), 200)
        self.assert_shown('federation-detail-resp', self.get('/v1/federations/detail'), 200)
        self.assert_shown('federation-show-resp', self.get('/v1/federations/federation'), 200)
        response = self.patch('/v1/federations/federation', self.sample('federation-update-req'))
        self.assertEqual(400, response.status_int, response.text)


class TestFiles(SamplesTest):
    def test_every_sample_is_compared_and_shown(self):
        here = pathlib.Path(__file__).read_text()
        compared = set(re.findall("'([a-z-]+-(?:req|resp))'", here))
        self.assertEqual(sorted(compared), sorted(path.stem for path in SAMPLES.iterdir()))
        text = ''.join(path.read_text() for path in SOURCE.glob('*.inc'))
        text += (SOURCE / 'index.rst').read_text()
        shown = set(re.findall(r'samples/([a-z0-9-]+)\.json', text))
        self.assertEqual(sorted(compared), sorted(shown))
