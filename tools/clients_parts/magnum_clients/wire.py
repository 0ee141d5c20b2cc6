# SPDX-License-Identifier: Apache-2.0
"""What clients in other languages send, request for request, and what they need in the answer.

gophercloud and the Terraform provider on it (GO, TF), cluster-autoscaler (CA), magnum-auto-healer
(AH), Skyline (SKY), magnum-ui (HZ). A row is a request; ``wants`` looks at its answer. Words in
braces are filled in from what earlier answers have given.
"""

import dataclasses
import re
from collections.abc import Callable

import requests

from magnum_clients import pki
from magnum_clients import report

SHORT = 'container-infra '
OK = (200,)
MADE = (201,)
TAKEN = (202,)
GONE = (204,)
_TIME = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)')
_OBJECTS_OF_TEXT = ('labels', 'labels_added', 'labels_overridden', 'labels_skipped', 'faults')


@dataclasses.dataclass
class Row:
    name: str
    method: str
    path: str
    status: tuple
    body: object = None
    version: str | None = None
    wants: Callable | None = None
    #: Names for values of the answer: {name: key}.
    keeps: dict = dataclasses.field(default_factory=dict)
    #: Wait for this status of the cluster first.
    after: str | None = None
    headers: dict = dataclasses.field(default_factory=dict)
    admin: bool = False


def strict(document):
    """What gophercloud's types accept: else it drops the whole answer, or a value silently."""
    if isinstance(document, list):
        for each in document:
            strict(each)
        return
    if not isinstance(document, dict):
        return
    for key, value in document.items():
        if key in ('created_at', 'updated_at') and value is not None:
            report.ensure(_TIME.fullmatch(value), f'{key} is {value!r}')
        if key in _OBJECTS_OF_TEXT and value is not None:
            report.ensure(isinstance(value, dict) and all(
                isinstance(each, str) for each in value.values()), f'{key} is {value!r}')
        if key in ('node_count', 'master_count', 'min_node_count', 'create_timeout'):
            report.ensure(value is None or type(value) is int, f'{key} is {value!r}')
        if key in ('public', 'tls_disabled', 'is_default', 'floating_ip_enabled', 'hidden'):
            report.ensure(value is None or type(value) is bool, f'{key} is {value!r}')
        strict(value)


def one_array(answer):
    """A list answer has exactly one array, and ``next`` only if it leads somewhere."""
    arrays = [key for key, value in answer.items() if isinstance(value, list)]
    report.ensure(len(arrays) == 1, f'arrays: {arrays}')
    report.ensure('next' not in answer or answer['next'].startswith('http'), answer.get('next'))


def equals(**wanted):
    def check(answer):
        for key, value in wanted.items():
            report.ensure(answer.get(key) == value, f'{key} is {answer.get(key)!r}')
    return check


def has(*names):
    def check(answer):
        report.ensure(all(answer.get(name) is not None for name in names),
                      f'without {[name for name in names if answer.get(name) is None]}')
    return check


def lacks(*names):
    def check(answer):
        report.ensure(not set(names) & set(answer), f'has one of {names}')
    return check


def status_is(*wanted):
    def check(answer):
        report.ensure(answer['status'] in wanted, answer['status'])
    return check


def _error(answer):
    error = answer['errors'][0]
    report.ensure({'request_id', 'code', 'status', 'title', 'detail', 'links'} <= set(error),
                  sorted(error))


def _workers(answer):
    one_array(answer)
    rows = answer['nodegroups']
    report.ensure(all({'uuid', 'name', 'role', 'is_default', 'node_count'} <= set(row)
                      for row in rows), 'rows are not whole')
    report.ensure([row['role'] for row in rows if row['is_default']] == ['master', 'worker'],
                  'the default nodegroups are not there')


def _signed(answer):
    report.ensure(answer['cluster_uuid'] and 'BEGIN CERTIFICATE' in answer['pem'], 'no PEM')


def patch(*operations):
    return [dict(zip(('op', 'path', 'value'), each)) for each in operations]


def rows(cloud, prefix):
    """The table."""
    latest, terraform = SHORT + 'latest', SHORT + '1.9'
    cluster, group = '/clusters/{cluster}', '/clusters/{cluster}/nodegroups'
    done, updated = 'CREATE_COMPLETE', 'UPDATE_COMPLETE'
    template = {
        'name': f'{prefix}-go', 'coe': 'kubernetes', 'image_id': cloud.image,
        'external_network_id': cloud.network, 'flavor_id': cloud.flavor,
        'master_flavor_id': cloud.flavor, 'keypair_id': cloud.keypair, 'server_type': 'vm',
        'network_driver': 'flannel', 'labels': {'auto_healing_enabled': 'true'},
        'floating_ip_enabled': False, 'tls_disabled': False, 'public': False}
    quotas = f'/quotas/{cloud.project_id}/Cluster'
    return [
        # -- whoever begins
        Row('ALL: the version document needs no token', 'GET', '/', OK, wants=equals(id='v1'),
            headers={'X-Auth-Token': None}),
        Row('SKY: a template with null in every empty field', 'POST', '/clustertemplates', MADE,
            dict(template, name=f'{prefix}-sky', master_flavor_id=None, fixed_network=None,
                 fixed_subnet=None, docker_volume_size=None, volume_driver=None,
                 http_proxy=None, https_proxy=None, no_proxy=None),
            keeps={'sky': 'uuid'}),
        Row('SKY: every key of the form in one patch', 'PATCH', '/clustertemplates/{sky}', OK,
            patch(('replace', '/name', f'{prefix}-sky'), ('remove', '/fixed_network'),
                  ('remove', '/docker_volume_size'), ('replace', '/master_lb_enabled', 'true'),
                  ('replace', '/labels', '{"kube_tag": "v1.35.0"}'),
                  ('replace', '/dns_nameserver', '9.9.9.9')),
            wants=equals(master_lb_enabled=True, labels={'kube_tag': 'v1.35.0'}),
            headers={'Content-Type': 'application/json;charset=utf-8'}),
        # -- gophercloud and Terraform
        Row('GO: create a template', 'POST', '/clustertemplates', MADE, template,
            wants=equals(image_id=cloud.image, keypair_id=cloud.keypair),
            keeps={'template': 'uuid'}),
        Row('TF-11: update it with text for truth and for labels', 'PATCH',
            '/clustertemplates/{template}', OK,
            patch(('replace', '/master_lb_enabled', 'true'),
                  ('replace', '/labels', "{'auto_healing_enabled': 'true'}")),
            wants=equals(master_lb_enabled=True, labels={'auto_healing_enabled': 'true'})),
        Row('GO: list templates', 'GET', '/clustertemplates/detail', OK, wants=one_array),
        Row('TF-1: create a cluster', 'POST', '/clusters', TAKEN,
            {'name': prefix, 'cluster_template_id': '{template}', 'master_count': 1,
             'node_count': 1, 'create_timeout': None, 'keypair': cloud.keypair,
             'labels': {'extra': 'x'}, 'merge_labels': True},
            keeps={'cluster': 'uuid'}, headers={'OpenStack-API-Version': SHORT + '1.8'}),
        Row('TF-1: it is there at once', 'GET', cluster, OK,
            wants=status_is('CREATE_IN_PROGRESS', done)),
        Row('TF: its state once it is complete', 'GET', cluster, OK, after=done,
            wants=has('stack_id', 'api_address', 'coe_version', 'labels')),
        Row('TF-8: its certificate', 'GET', '/certificates/{cluster}', OK, wants=_signed,
            keeps={'authority': 'pem'}),
        Row('TF-8: a request of 4096 bits with SHA-512 at 1.9', 'POST', '/certificates', MADE,
            {'cluster_uuid': '{cluster}', 'csr': '{strong}'}, version=terraform,
            wants=_signed),
        Row('TF-9: nodegroups at 1.9', 'GET', group, OK, version=terraform, wants=_workers),
        Row('TF-10: what became of its labels', 'GET', cluster, OK,
            wants=has('labels_added', 'labels_skipped', 'labels_overridden')),
        Row('TF-4: create a nodegroup', 'POST', group, TAKEN,
            {'name': 'extra', 'node_count': 1, 'min_node_count': 1, 'flavor_id': cloud.flavor,
             'merge_labels': True},
            version=terraform, keeps={'group': 'uuid'}),
        Row('TF-4: it is there at once', 'GET', group + '/{group}', OK, version=terraform,
            wants=status_is('CREATE_IN_PROGRESS', 'CREATE_COMPLETE')),
        Row('TF-5: resize it', 'POST', cluster + '/actions/resize', TAKEN,
            {'node_count': 2, 'nodegroup': '{group}'}, version=terraform, after=updated),
        Row('TF-5: it says so at once', 'GET', group + '/{group}', OK, version=terraform,
            wants=status_is('UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE')),
        Row('TF-7: its limits', 'PATCH', group + '/{group}', TAKEN,
            patch(('replace', '/min_node_count', 0), ('replace', '/max_node_count', 5)),
            version=SHORT + '1.10', after=updated, wants=equals(max_node_count=5)),
        Row('TF-7: without the upper one', 'PATCH', group + '/{group}', TAKEN,
            patch(('remove', '/max_node_count')), version=terraform, after=updated,
            wants=equals(max_node_count=None)),
        Row('TF-6: delete it', 'DELETE', group + '/{group}', GONE, version=terraform,
            after=updated, headers={'Content-Type': 'application/octet-stream'}),
        Row('TF-2: more nodes', 'PATCH', cluster, TAKEN,
            patch(('replace', '/node_count', 2)), after=updated),
        Row('TF-2: it is under way at once', 'GET', cluster, OK,
            wants=status_is('UPDATE_IN_PROGRESS')),
        Row('TF: upgrade', 'POST', cluster + '/actions/upgrade', TAKEN,
            {'cluster_template': '{sky}', 'max_batch_size': 1}, version=SHORT + '1.8',
            after=updated),
        # -- cluster-autoscaler
        Row('CA-1: the cluster by its name', 'GET', f'/clusters/{prefix}', OK, version=latest,
            after=updated, wants=has('uuid')),
        Row('CA-2: its nodegroups by its name', 'GET', f'/clusters/{prefix}/nodegroups', OK,
            version=latest, wants=_workers, keeps={'worker': ('nodegroups', -1, 'uuid')}),
        Row('CA-2: one of them: without a limit it is not scaled', 'GET',
            f'/clusters/{prefix}/nodegroups/{{worker}}', OK, version=latest,
            wants=lambda answer: (equals(max_node_count=None)(answer), has(
                'node_count', 'min_node_count', 'flavor_id', 'stack_id')(answer))),
        Row('CA-5: scale down, naming nodes', 'POST', f'/clusters/{prefix}/actions/resize',
            TAKEN, {'node_count': 1, 'nodegroup': '{worker}', 'nodes_to_remove': [
                '5D12F6FD-A196-4BF0-AE4C-1F639A523A52', '2']}, version=latest),
        Row('CA-4: and again, while that goes on', 'POST', f'/clusters/{prefix}/actions/resize',
            TAKEN, {'node_count': 2, 'nodegroup': '{worker}'}, version=latest),
        # -- magnum-auto-healer
        Row('AH-1: labels are text; AH-2: no stack_id any more', 'GET', f'/clusters/{prefix}', OK,
            version=latest, after=updated,
            wants=lambda answer: (lacks('stack_id')(answer), has('cluster_id')(answer))),
        Row('AH-3: report what is wrong', 'PATCH', f'/clusters/{prefix}', TAKEN,
            patch(('replace', '/health_status', 'UNHEALTHY'),
                  ('replace', '/health_status_reason', "{'node-0.lab.NodeCondition':'error'}")),
            version=latest),
        Row('AH-4: that is no operation', 'GET', f'/clusters/{prefix}', OK, version=latest,
            wants=lambda answer: (status_is('UPDATE_COMPLETE')(answer), has(
                'health_status_reason')(answer))),
        Row('AH-5: replace a node: the size stays', 'POST', f'/clusters/{prefix}/actions/resize',
            TAKEN, {'node_count': 2, 'nodegroup': 'default-worker', 'nodes_to_remove': [
                '5d12f6fd-a196-4bf0-ae4c-1f639a523a52']}, version=latest),
        Row('AH-5: that is one', 'GET', f'/clusters/{prefix}', OK, version=latest,
            wants=status_is('UPDATE_IN_PROGRESS')),
        # -- Skyline and Horizon
        Row('SKY: resize with an empty list', 'POST', cluster + '/actions/resize', TAKEN,
            {'node_count': 1, 'nodes_to_remove': []}, version=latest, after=updated,
            headers={'X-Openstack-Request-Id': 'req-5d12f6fd-a196-4bf0-ae4c-1f639a523a52'}),
        Row('SKY: an upgrade without a microversion is refused', 'POST',
            cluster + '/actions/upgrade', (406,), {'cluster_template': '{template}'},
            after=updated, wants=_error),
        Row('SKY: clusters in detail', 'GET', '/clusters/detail', OK, wants=one_array),
        Row('SKY: a quota', 'POST', '/quotas', MADE,
            {'project_id': cloud.project_id, 'resource': 'Cluster', 'hard_limit': 30},
            admin=True),
        Row('SKY: read it: there is one', 'GET', quotas, OK, wants=has('id', 'hard_limit'),
            admin=True),
        Row('SKY: another one', 'PATCH', quotas, TAKEN,
            {'project_id': cloud.project_id, 'resource': 'Cluster', 'hard_limit': 40},
            admin=True),
        Row('SKY: none', 'DELETE', quotas, GONE, admin=True,
            body={'project_id': cloud.project_id, 'resource': 'Cluster'}),
        Row('SKY: read it: there is none', 'GET', quotas, OK, wants=lacks('id'), admin=True),
        Row('HZ-1: numbers and truth as text', 'POST', '/clusters', TAKEN,
            {'name': f'{prefix}-hz', 'cluster_template_id': '{template}', 'node_count': '1',
             'master_count': '1', 'create_timeout': '60', 'master_lb_enabled': 'True'},
            version=SHORT + '1.13', keeps={'second': 'uuid'}),
        Row('HZ-5: lists one after another', 'GET', '/clusters/?limit=1&sort_key=id', OK,
            version=SHORT + '1.13',
            wants=lambda answer: (one_array(answer), has('next')(answer))),
        Row('ALL-14: after the last there is nothing', 'GET',
            '/clusters?marker={second}&sort_key=id', OK, wants=equals(clusters=[])),
        # -- what all of them read
        Row('ALL-15: rotate the CA without a body', 'PATCH', '/certificates/{cluster}', TAKEN,
            version=latest, headers={'Content-Type': 'application/octet-stream'}),
        Row('ALL-16: an empty Accept', 'GET', cluster, OK, headers={'Accept': ''}),
        Row('ALL-1: the long name of the service', 'GET', cluster, OK,
            version='container-infrastructure-management 1.13', wants=lacks('stack_id')),
        Row('ALL-6: an error has its members', 'GET', '/clusters/no-such', (404,), wants=_error),
        Row('SDK-3: a patch that moves', 'PATCH', cluster, (400,),
            [{'op': 'move', 'from': '/uuid', 'path': '/id'}], wants=_error),
        Row('TP-2: a template with an unknown image', 'POST', '/clustertemplates', (400,),
            dict(template, image_id='no-such'), wants=_error),
        Row('TF-3: delete', 'DELETE', cluster, GONE, after=updated),
        Row('TF-3: it says so at once', 'GET', cluster, (200, 404)),
        Row('HZ: delete the other one', 'DELETE', f'/clusters/{prefix}-hz', GONE),
    ]


class Walk:
    def __init__(self, found, cloud, prefix):
        self.report = found
        self.cloud = cloud
        self.prefix = prefix
        self.words = {'strong': _request_like_terraform()}
        self.session = requests.Session()
        self.session.trust_env = False

    def run(self):
        self.report.begin('wire formats')
        try:
            for row in rows(self.cloud, self.prefix):
                self.report.check(row.name, self.ask, row)
        finally:
            self.clean()

    def send(self, method, path, body=None, admin=False, version=None, headers=()):
        words = {'X-Auth-Token': self.cloud.token(admin), 'Accept': 'application/json'}
        if version:
            words['OpenStack-API-Version'] = version
        if body is not None:
            words['Content-Type'] = 'application/json'
        words.update(headers)
        return self.session.request(method, self.cloud.magnum_url + path, json=body,
                                    headers=words, timeout=60, allow_redirects=False)

    def ask(self, row):
        if row.after:
            self.wait(row.after)
        answer = self.send(row.method, self.fill(row.path), self.fill(row.body), row.admin,
                           row.version, row.headers)
        report.ensure(answer.status_code in row.status,
                      f'{answer.status_code} instead of {row.status}: {answer.text}')
        report.ensure(answer.reason, 'no reason phrase')
        if answer.status_code == 204:
            report.ensure(not answer.content, 'a body')
            return
        kind = answer.headers.get('Content-Type', '')
        report.ensure(kind.startswith('application/json'), f'the type is {kind}')
        document = answer.json()
        strict(document)
        if row.wants:
            row.wants(document)
        for name, key in row.keeps.items():
            value = document
            for step in key if isinstance(key, tuple) else (key,):
                value = value[step]
            self.words[name] = value

    def fill(self, value):
        if isinstance(value, str):
            return re.sub(r'\{(\w+)\}', self._word, value) if '{' in value else value
        if isinstance(value, dict):
            return {key: self.fill(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.fill(each) for each in value]
        return value

    def _word(self, found):
        return self.words.get(found.group(1), found.group(0))

    def wait(self, status):
        def ready():
            found = self.send('GET', f'/clusters/{self.prefix}').json()['status']
            report.ensure(not found.endswith('FAILED'), found)
            return found == status

        report.until(status, ready)

    def clean(self):
        names = (self.prefix, f'{self.prefix}-hz')
        for name in names:
            self.send('DELETE', f'/clusters/{name}')

        def gone():
            return all(self.send('GET', f'/clusters/{name}').status_code == 404
                       for name in names)

        self.report.check('the clusters are gone', lambda: report.until('deletion', gone))
        for name in ('go', 'sky'):
            self.send('DELETE', f'/clustertemplates/{self.prefix}-{name}')


def _request_like_terraform():
    from cryptography.hazmat.primitives import hashes

    return pki.request('terraform', unit='terraform', bits=4096, digest=hashes.SHA512())
