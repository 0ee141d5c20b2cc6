# SPDX-License-Identifier: Apache-2.0
"""Recorded requests and answers of the original about clusters, templates and nodegroups.

What it showed of its rows is made into rows again and read back; what it refused is asked again.
"""

import datetime
import json
import pathlib
import re

from oslo_utils import uuidutils

from magnum_ng.tests.unit.api import cluster_base
from magnum_ng.tests.unit.objects import utils as obj_utils

FILE = pathlib.Path(__file__).parent / 'data' / 'exchanges.jsonl'

UUID = re.compile('[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}')

# The order of attributes in a body that a text quotes is not recorded, and we quote less of it.
QUOTED = re.compile(r"Value: '\{.*\}'\.|Value: '\{.*\.\.\.'\.")


def exchanges(*methods):
    with FILE.open() as file:
        found = [json.loads(line) for line in file]
    return [exchange for exchange in found if exchange['method'] in methods]


def moment(text):
    return text and datetime.datetime.fromisoformat(text)


class ReplayTest(cluster_base.ClusterTest):

    def send_again(self, exchange, roles):
        headers = self.headers(roles=roles, version=exchange['version'])
        return self.send(exchange['method'], exchange['path'], exchange['request'], headers)


class TestReads(ReplayTest):

    def test_what_was_read_is_read(self):
        different = []
        for exchange in exchanges('GET'):
            self.database._empty()
            self.rebuild(exchange)
            answer = self.send_again(exchange, 'reader')
            if (answer.status_int, answer.json) != (200, exchange['response']):
                different.append((exchange['test'], exchange['response'], answer.json))
        self.assertEqual([], different)

    def rebuild(self, exchange):
        body, path = exchange['response'], exchange['path']
        if 'nodegroups' in path:
            self.rebuild_nodegroups(path, body.get('nodegroups', [body]))
        elif 'clustertemplates' in path:
            for template in body.get('clustertemplates', [body]):
                self.rebuild_template(template)
        elif body.get('clusters') != []:
            clusters = body.get('clusters', [body])
            for cluster in clusters:
                self.rebuild_cluster(cluster)

    def rebuild_template(self, body):
        values = {name: value for name, value in body.items() if name != 'links'}
        values.update(created_at=moment(body['created_at']))
        obj_utils.create_test_cluster_template(self.context, **values)

    def rebuild_cluster(self, body):
        labels = dict(body['labels'])
        inherited = {**labels, **body.get('labels_overridden', {}),
                     **body.get('labels_skipped', {})}
        for name in body.get('labels_added', {}):
            inherited.pop(name)
        # Several clusters of a list may have one template.
        if not self.dbapi.get_cluster_templates_by_uuids([body['cluster_template_id']]):
            obj_utils.create_test_cluster_template(
                self.context, uuid=body['cluster_template_id'], labels=inherited)
        values = {name: value for name, value in body.items()
                  if name not in ('links', 'faults', 'cluster_id')}
        values['stack_id'] = body.get('stack_id') or body.get('cluster_id')
        if 'created_at' in body:
            values.update(created_at=moment(body['created_at']),
                          updated_at=moment(body['updated_at']))
        cluster = obj_utils.create_test_cluster(self.context, **values)
        for group in cluster.nodegroups:
            if group.name in body.get('faults', {}):
                group.status, group.status_reason = 'CREATE_FAILED', body['faults'][group.name]
                group.save()

    def rebuild_nodegroups(self, path, bodies):
        own = UUID.findall(path)
        uuid = own[0] if own else uuidutils.generate_uuid()
        parent = {}
        for body in bodies:
            parent.update(body.get('labels', {}))
            parent.update(body.get('labels_overridden', {}))
            parent.update(body.get('labels_skipped', {}))
            for name in body.get('labels_added', {}):
                parent.pop(name)
        obj_utils.create_test_cluster(self.context, uuid=uuid, labels=parent, nodegroups=False)
        for body in bodies:
            values = {name: value for name, value in body.items() if name != 'links'}
            values['cluster_id'] = uuid
            if 'created_at' in body:
                values.update(created_at=moment(body['created_at']),
                              updated_at=moment(body['updated_at']))
            obj_utils.create_test_nodegroup(self.context, **values)


class TestRefusals(ReplayTest):

    def setUp(self):
        super().setUp()
        self.template = self.make_template(docker_storage_driver='devicemapper',
                                           name='clustermodel1')
        self.cluster = self.make_cluster(self.template)

    def ask(self, *methods):
        different = []
        for exchange in exchanges(*methods):
            answer = self.send_again(exchange, 'member,reader')
            expected = exchange['status'], QUOTED.sub(
                '', exchange['response']['errors'][0]['detail'])
            found = answer.status_int, QUOTED.sub('', self.error(answer)['detail'])
            if expected != found:
                different.append((exchange['test'], expected, found))
        self.assertEqual([], different)

    def test_what_was_refused_is_refused_in_the_same_words(self):
        self.ask('POST')

    def test_patches_that_were_refused_are_refused_in_the_same_words(self):
        obj_utils.create_test_nodegroup(self.context, cluster_id=self.cluster.uuid,
                                        is_default=False, node_count=2, min_node_count=2)
        self.ask('PATCH')
