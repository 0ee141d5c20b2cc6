# SPDX-License-Identifier: Apache-2.0
"""The table in rbac.yaml, on the real application with the real rules."""

import pathlib
import re
from unittest import mock

from oslo_utils import uuidutils
import yaml

from magnum_ng import objects
from magnum_ng.api import routes
from magnum_ng.common import context as magnum_context
from magnum_ng.common import keystone
from magnum_ng.common import policies
from magnum_ng.common import policy
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.tests import base as tests_base
from magnum_ng.tests import fakes
from magnum_ng.tests.unit.api import cluster_base
from magnum_ng.tests.unit.api.controllers.v1 import test_certificate
from magnum_ng.tests.unit.objects import utils as obj_utils

TABLE = yaml.safe_load(pathlib.Path(__file__).with_name('rbac.yaml').read_text())
REQUESTS = TABLE['requests']

CALLERS = {
    'admin': {'user': 'admin', 'project': 'admin_project', 'roles': 'admin'},
    'owner': {'user': fakes.USER_ID, 'project': fakes.PROJECT_ID, 'roles': 'member,reader'},
    'colleague': {'user': 'colleague', 'project': fakes.PROJECT_ID, 'roles': 'member,reader'},
    'auditor': {'user': 'auditor', 'project': fakes.PROJECT_ID, 'roles': 'reader'},
    'guest': {'user': 'guest', 'project': fakes.PROJECT_ID, 'roles': 'guest'},
    'other': {'user': 'other', 'project': fakes.OTHER_PROJECT_ID, 'roles': 'member,reader'},
}
REFUSED = (403, 404)


def describe(row):
    """A part of a test's name; rows of the same request are told apart by their number."""
    text = re.sub(r'[^A-Za-z0-9]+', '_', row['request']).strip('_')
    return f'{REQUESTS.index(row):02}_{text}'


class RequestsTest(cluster_base.ClusterTest):
    """One test for each cell of the table, and one for each rule of a row; see the end."""

    def setUp(self):
        super().setUp()
        self._replace(keystone, 'get_project', mock.Mock())
        self.names = self._make_all()

    def _make_all(self):
        """Something of everything, by the names that the table uses."""
        templates = {name: self.make_template(uuid=None, name=name.replace('_', '-'), **values)
                     for name, values in (('template', {}), ('unused_template', {}),
                                          ('public_template', {'public': True}),
                                          ('hidden_template', {'public': True, 'hidden': True}))}
        cluster = self._make_cluster(templates['template'], 'CREATE_COMPLETE')
        failed = self._make_cluster(templates['template'], 'DELETE_FAILED')
        nodegroup = obj_utils.create_test_nodegroup(
            self.context, uuid=uuidutils.generate_uuid(), name='extra', cluster_id=cluster.uuid,
            is_default=False, labels={}, node_count=2)
        federation = objects.Federation(
            self.context, name='f', uuid='98f7b15d-19d2-4b22-ba24-17254ac6a940',
            project_id=fakes.PROJECT_ID, hostcluster_id=cluster.uuid, member_ids=[],
            status='CREATE_COMPLETE', properties={'dns-zone': 'example.com.'})
        federation.create()
        objects.Quota(self.context, project_id=fakes.PROJECT_ID, resource='Cluster',
                      hard_limit=5).create()
        found = {name: template.uuid for name, template in templates.items()}
        found.update(cluster=cluster.uuid, failed_cluster=failed.uuid, nodegroup=nodegroup.uuid,
                     federation=federation.uuid, project=fakes.PROJECT_ID)
        return found

    def _make_cluster(self, template, status):
        return self.make_cluster(
            template, uuid=uuidutils.generate_uuid(), name=status.lower().replace('_', '-'),
            status=status, flavor_id='m1.small', ca_cert_ref=None, magnum_cert_ref=None,
            etcd_ca_cert_ref=None, front_proxy_ca_cert_ref=None)

    def _fill(self, value):
        """A value of the table with the names in braces replaced."""
        if isinstance(value, dict):
            return {key: self._fill(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._fill(item) for item in value]
        if value == '{csr}':
            return test_certificate.signing_request()
        return value.format(**self.names) if isinstance(value, str) else value

    def ask(self, row, caller):
        if 'certificates' in row['request']:
            cluster = objects.Cluster.get_by_uuid(self.context, self.names['cluster'])
            cert_manager.generate_certificates_to_cluster(cluster, context=self.context)
            cluster.save()
        method, path = self._fill(row['request']).split()
        return self.send(method, path, self._fill(row.get('body')),
                         self.headers(**CALLERS[caller]))

    def check_cell(self, row, caller):
        answer = self.ask(row, caller)
        self.assertEqual(row['status'][caller], answer.status_int, answer.text)

    def check_rule(self, row, rule):
        """With the rule closed, whoever needed it gets no more than somebody from elsewhere."""
        policy.init().load_rules()
        self.policy.set_rules({rule: '!'})
        caller = 'admin' if rule.endswith('_all_projects') else 'owner'
        if row['status'][caller] in REFUSED:
            caller = 'admin'
        self.assertNotIn(row['status'][caller], {403, row['status']['other']} & {*REFUSED, 400})
        answer = self.ask(row, caller)
        self.assertIn(answer.status_int, {403, row['status']['other']}, answer.text)


def _add(name, function, *arguments):
    def test(self):
        function(self, *arguments)

    setattr(RequestsTest, name, test)


for _row in REQUESTS:
    for _caller in CALLERS:
        _add(f'test_{describe(_row)}_as_{_caller}', RequestsTest.check_cell, _row, _caller)
    for _rule in _row['rules']:
        _name = _rule.replace(':', '_').replace('-', '_')
        _add(f'test_{describe(_row)}_depends_on_{_name}', RequestsTest.check_rule, _row, _rule)


class RulesTest(tests_base.TestCase):

    TARGET = {'project_id': fakes.PROJECT_ID, 'user_id': fakes.USER_ID}

    def test_the_rules_that_others_are_made_of_admit_whom_they_name(self):
        for rule, admitted in TABLE['rules'].items():
            found = [name for name, caller in CALLERS.items()
                     if policy.enforce(self._context(**caller), rule, self.TARGET,
                                       do_raise=False)]
            self.assertEqual(admitted, found, rule)

    @staticmethod
    def _context(user, project, roles):
        return magnum_context.RequestContext(user_id=user, project_id=project,
                                             roles=roles.split(','))


class CompletenessTest(tests_base.TestCase):

    def test_every_rule_has_a_row(self):
        covered = {rule for row in REQUESTS for rule in row['rules']} | set(TABLE['rules'])
        self.assertEqual({rule.name for rule in policies.list_rules()}, covered)

    def test_every_row_says_what_each_caller_gets(self):
        for row in REQUESTS:
            self.assertEqual(set(CALLERS), set(row['status']), row['request'])

    def test_every_route_has_a_row(self):
        asked = set()
        for row in REQUESTS:
            method, path = row['request'].split()
            path = path.partition('?')[0].replace('/Cluster', '/{resource}')
            asked.add((method, re.sub(r'\{\w+\}', '{}', path)))
        known = {(route.method, re.sub(r'\{\w+\}', '{}', route.path))
                 for route in routes.ROUTES}
        self.assertEqual({('GET', '/v1/'), ('GET', '/healthcheck')} & known, known - asked)
