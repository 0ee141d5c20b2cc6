# SPDX-License-Identifier: Apache-2.0
"""What made-up requests to a whole service have in common, wherever they come from.

A :class:`Campaign` makes things to aim at, sends requests, counts them, and looks at every
answer: nothing that a client sends is an error of the service, and no answer tells what is
inside of it. At the end, and in between, everything that was stored is read and deleted.
"""

import collections
import json
import random
import time
from urllib import parse

import requests

from magnum_ng.api.controllers import versions
from magnum_ng.tests import inside

USERS = ('demo', 'demo', 'admin', 'other', 'demo-reader')
VERSIONS = (*(f'container-infra {version}' for version in versions.VERSIONS),
            'container-infra latest')
SETTLED = ('_COMPLETE', '_FAILED')
LARGEST_CROP = 25


class Campaign:
    """See the module; ``stack`` is a :class:`magnum_ng.tests.functional.base.Stack`."""

    def __init__(self, stack, seed=1):
        self.stack = stack
        self.random = random.Random(seed)  # noqa: S311 (repeatable, not secret)
        self.session = requests.Session()
        self.tokens = {user: stack.cloud.token(user) for user in set(USERS)}
        self.inside = (*self.tokens.values(), stack.cloud.url, stack.directory)
        self.statuses = collections.Counter()
        self.routes = collections.Counter()
        self.errors, self.leaks, self.unreadable = [], [], []
        self.swept = 0
        self.known, self.valid = {}, {}

    # -- sending -----------------------------------------------------------------------------
    @property
    def requests(self):
        return sum(self.statuses.values())

    def send(self, method, path, route=None, query=None, body=None, raw=None, version=VERSIONS[-1],
             user='demo', headers=None):
        """Send one request and look at the answer.

        ``route`` names it in the counts; ``raw`` is a body as it is.
        """
        headers = {'X-Auth-Token': self.tokens[user], **(headers or {})}
        if version is not None:
            headers['OpenStack-API-Version'] = version
        if body is not None:
            raw = json.dumps(body, default=str)
        if raw is not None:
            headers.setdefault('Content-Type', 'application/json')
            raw = raw.encode('utf-8', 'replace') if isinstance(raw, str) else raw
        url = self.stack.api.url + path
        if query:
            url += '?' + (query if isinstance(query, str) else parse.urlencode(
                query, doseq=True, errors='replace'))
        # The query as it is, whatever the library would make of it.
        request = requests.Request(method, self.stack.api.url, headers=headers, data=raw).prepare()
        request.url = url
        story = f'{user}: {method} {url[len(self.stack.api.url):]} {version} {str(raw)[:2000]}'
        try:
            response = self.session.send(request, timeout=60, allow_redirects=False)
        except requests.RequestException as error:
            self.statuses['no answer'] += 1
            self.errors.append(f'{story}\n    {error}')
            return None
        self.statuses[response.status_code] += 1
        self.routes[(route or f'{method} {path}', version)] += 1
        self._look_at(response, story)
        return response

    def _look_at(self, response, story):
        text = response.text
        if response.status_code >= 500:
            self.errors.append(f'{story}\n    {response.status_code} {text[:500]}')
        told = inside.look(text) or next((item for item in self.inside if item in text), None)
        if told and told not in story:
            self.leaks.append(f'{story}\n    {told!r} in {text[:500]}')

    # -- things to aim at --------------------------------------------------------------------
    def plant(self):
        """Make what the requests are to hit, and note its names."""
        mark = f'f{self.random.randrange(10 ** 8)}'
        template = {'name': f'{mark}-t', 'coe': 'kubernetes', 'image_id': 'ubuntu-demo',
                    'external_network_id': 'public', 'keypair_id': 'demo-key',
                    'flavor_id': 'm1.small', 'master_flavor_id': 'm1.medium', 'public': True}
        own = self._made('/v1/clustertemplates', {**template, 'public': False})
        public = self._made('/v1/clustertemplates', {**template, 'name': f'{mark}-p'}, 'admin')
        clusters = [self._made('/v1/clusters', {
            'name': f'{mark}-c{number}', 'cluster_template_id': own}, ) for number in range(3)]
        self.settle()
        self._made(f'/v1/clusters/{clusters[0]}/nodegroups', {'name': 'extra'})
        self.settle()
        project = self.stack.cloud.user('other').project_id
        self.send('POST', '/v1/quotas', user='admin', body={
            'project_id': project, 'resource': 'Cluster', 'hard_limit': 500})
        targets = [*clusters, f'{mark}-c0', f'{mark}-c1']
        templates = [own, public, f'{mark}-t', f'{mark}-p']
        groups = ['extra', 'default-worker', 'default-master']
        self.known = {
            'cluster_ident': targets, 'cluster_id': targets, 'cluster_uuid': targets,
            'cluster_template_ident': templates, 'cluster_template_id': templates,
            'cluster_template': templates, 'nodegroup_id': groups, 'nodegroup': groups,
            'project_id': [project], 'resource': ['Cluster'], 'hostcluster_id': clusters,
            'image_id': ['ubuntu-demo', 'flatcar-demo'], 'coe': ['kubernetes'],
            'flavor_id': ['m1.small', 'm1.large'], 'master_flavor_id': ['m1.medium'],
            'keypair': ['demo-key'], 'keypair_id': ['demo-key'],
            'external_network_id': ['public'], 'fixed_network': ['private'],
            'network_driver': ['calico', 'cilium'], 'volume_driver': ['cinder'],
            'driver': ['simulated'], 'dns_nameserver': ['8.8.8.8', '2001:db8::1'],
            'server_type': ['vm'], 'marker': [*clusters, own], 'limit': [2],
            'sort_key': ['id', 'name', 'status'], 'sort_dir': ['asc', 'desc'],
            'role': ['worker', 'infra'], 'ca_cert_type': ['kubernetes', 'etcd', 'front-proxy'],
            'name': [f'{mark}-{self.random.randrange(10 ** 6)}'], 'node_count': [1, 2, 3],
            'min_node_count': [0, 1], 'max_node_count': [5, None], 'master_count': [1],
            'labels': [{'a.b/c': 'd'}, {}], 'node_labels': [{'x/y': 'z'}],
            'node_taints': [[{'key': 'k', 'effect': 'NoSchedule'}]],
            'health_status': ['HEALTHY', 'UNHEALTHY'], 'docker_volume_size': [5],
        }
        # By path: what is accepted, whatever else is sent with it.
        self.valid = {
            '/v1/clustertemplates': {key: template[key] for key in (
                'coe', 'image_id', 'external_network_id', 'flavor_id', 'master_flavor_id')},
            '/v1/clusters': {'cluster_template_id': public, 'keypair': 'demo-key'},
            '/v1/clusters/{cluster_id}/nodegroups': {'name': f'n{mark}', 'node_count': 1},
            '/v1/clusters/{cluster_ident}/actions/resize': {'node_count': 2},
            '/v1/clusters/{cluster_ident}/actions/upgrade': {'cluster_template': public},
        }

    def _made(self, path, body, user='demo'):
        response = self.send('POST', path, body=body, user=user)
        if response is None or response.status_code not in (201, 202):
            raise AssertionError(f'{path}: {response is not None and response.text}')
        return response.json()['uuid']

    # -- reaping -----------------------------------------------------------------------------
    def read_all(self, collection):
        """All items of a list, page by page, as an administrator."""
        items, marker = [], None
        while True:
            query = {'limit': 100, 'all_tenants': 'true', **({'marker': marker} if marker else {})}
            response = self.send('GET', f'/v1/{collection}', query=query, user='admin')
            if response is None or response.status_code != 200:
                self.unreadable.append(f'the list of {collection}')
                return items
            page = response.json()[collection]
            items += page
            if not response.json().get('next') or not page:
                return items
            marker = page[-1]['uuid']

    def settle(self, seconds=90):
        """Wait until no cluster is being worked on."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            busy = [cluster for cluster in self.read_all('clusters')
                    if not (cluster['status'] or '').endswith(SETTLED)]
            if not busy:
                return
            time.sleep(0.2)
        self.unreadable += [f'{cluster["uuid"]} stays {cluster["status"]}' for cluster in busy]

    def is_ripe(self):
        return len(self.read_all('clusters')) > LARGEST_CROP

    def reap(self):
        """Read everything that is stored, then delete it; what resists is noted."""
        clusters = self.read_all('clusters')
        for cluster in clusters:
            self._read(f'/v1/clusters/{cluster["uuid"]}')
            groups = self._read(f'/v1/clusters/{cluster["uuid"]}/nodegroups')
            for group in (groups or {}).get('nodegroups', ()):
                self._read(f'/v1/clusters/{cluster["uuid"]}/nodegroups/{group["uuid"]}')
            self._delete(f'/v1/clusters/{cluster["uuid"]}')
        self._wait_gone()
        templates = self.read_all('clustertemplates')
        for template in templates:
            self._read(f'/v1/clustertemplates/{template["uuid"]}')
            self._delete(f'/v1/clustertemplates/{template["uuid"]}')
        self.swept += len(clusters) + len(templates)

    def _wait_gone(self, seconds=120):
        deadline = time.monotonic() + seconds
        left = self.read_all('clusters')
        while left and time.monotonic() < deadline:
            for cluster in left:
                # Whatever was being done when it was deleted the first time.
                if cluster['status'] != 'DELETE_IN_PROGRESS':
                    self._delete(f'/v1/clusters/{cluster["uuid"]}')
            time.sleep(0.2)
            left = self.read_all('clusters')
        self.unreadable += [f'{cluster["uuid"]} is not deleted: {cluster["status"]}'
                            for cluster in left]

    def _read(self, path):
        response = self.send('GET', path, user='admin')
        if response is None or response.status_code != 200:
            self.unreadable.append(f'{path}: {response is not None and response.text}')
            return None
        return response.json()

    def _delete(self, path):
        response = self.send('DELETE', path, user='admin')
        # 404: its deletion has ended meanwhile.
        if response is None or response.status_code not in (204, 404):
            self.unreadable.append(f'{path}: {response is not None and response.text}')

    # -- the end -----------------------------------------------------------------------------
    def logged_failures(self):
        """What the service itself took for a failure of its own."""
        with open(self.stack.log, errors='replace') as log:
            return [line.strip()[:300] for line in log
                    if ' ERROR ' in line and ('Request failed' in line or 'Traceback' in line)]

    @property
    def failed(self):
        return bool(self.errors or self.leaks or self.unreadable)

    def summary(self):
        answers = ', '.join(f'{status}: {count}' for status, count in sorted(
            self.statuses.items(), key=str))
        used = {version for _route, version in self.routes if version in VERSIONS}
        lines = [f'requests: {self.requests} ({answers})',
                 f'versions: {len(used)}',
                 f'errors of the service (5xx): {len(self.errors)}',
                 f'leaks of internals: {len(self.leaks)}',
                 f'clusters and templates read and deleted: {self.swept}',
                 f'unreadable or undeletable: {len(self.unreadable)}']
        for found in (self.errors, self.leaks, self.unreadable):
            lines += [f'  {entry}' for entry in found[:20]]
        return '\n'.join(lines)
