# SPDX-License-Identifier: Apache-2.0
"""A short part of ``tox -e fuzz``, from a seed: made-up requests to the whole service.

Every route is met in every version with requests that its description in the OpenAPI document
allows, and with ones that it does not. Afterwards all that was stored is read and deleted.
"""

import json
import pathlib
from urllib import parse

import hypothesis
from hypothesis import strategies

import magnum_ng
from magnum_ng.tests.functional import base
from magnum_ng.tests.functional import fuzzing

DOCUMENT = (pathlib.Path(magnum_ng.__file__).parents[1] / 'api-ref' / 'source' / 'openapi.json')
EXAMPLES = 15

JSON = strategies.recursive(
    strategies.one_of(
        strategies.none(), strategies.booleans(), strategies.integers(-2 ** 70, 2 ** 70),
        strategies.floats(allow_nan=False), strategies.text(max_size=20),
        strategies.sampled_from(('', 'a\n', '\U0001f600', 'none', 'true', '-1', '1e400', '../x',
                                 "{'a': 'b'}", '{"a": null}', '{{}}'))),
    lambda inner: strategies.one_of(
        strategies.lists(inner, max_size=3),
        strategies.dictionaries(strategies.text(max_size=8), inner, max_size=4)),
    max_leaves=8)


class Maker:
    """Strategies for what the document describes."""

    def __init__(self, document, known):
        self.document = document
        self.known = known

    def resolve(self, schema):
        while '$ref' in schema:
            part = self.document
            for name in schema['$ref'].removeprefix('#/').split('/'):
                part = part[name]
            schema = part
        return schema

    def value(self, name, schema):
        """Mostly a right one, or one that exists; otherwise anything."""
        schema = self.resolve(schema)
        choices = [JSON, self.right(schema), self.right(schema)]
        if name in self.known:
            choices += [strategies.sampled_from(self.known[name])] * 3
        return strategies.one_of(choices)

    def right(self, schema):
        schema = self.resolve(schema)
        if 'enum' in schema:
            return strategies.sampled_from(schema['enum'])
        kinds = schema.get('type', 'any')
        kind = kinds if isinstance(kinds, str) else kinds[0]
        if kind == 'object':
            return self.whole(schema)
        if kind == 'array':
            return strategies.lists(self.right(schema['items']), max_size=3)
        if kind == 'integer':
            return strategies.integers(schema.get('minimum', -5), schema.get('maximum', 99))
        if kind == 'boolean':
            return strategies.booleans()
        if kind == 'string':
            return strategies.text(min_size=schema.get('minLength', 0), max_size=12)
        return JSON

    def whole(self, schema):
        properties = schema.get('properties')
        if properties is None:
            return strategies.dictionaries(strategies.text(max_size=8), JSON, max_size=3)
        required = set(schema.get('required', ()))
        if required == {'path', 'op'}:
            paths = strategies.sampled_from([f'/{name}' for name in sorted(self.known)])
            return strategies.fixed_dictionaries(
                {'path': strategies.one_of(paths, paths, JSON),
                 'op': self.right(properties['op'])},
                optional={'value': strategies.one_of(
                    JSON, *(strategies.sampled_from(values) for values in self.known.values()))})
        made = {name: self.value(name, part) for name, part in properties.items()}
        return strategies.fixed_dictionaries(
            {name: part for name, part in made.items() if name in required},
            optional={name: part for name, part in made.items() if name not in required})

    def request(self, operation):
        """(values of parameters in the path, query, body or None)"""
        inside, query = {}, {}
        for parameter in operation.get('parameters', ()):
            parameter = self.resolve(parameter)
            made = self.value(parameter['name'], parameter['schema'])
            if parameter['in'] == 'path':
                inside[parameter['name']] = made
            elif parameter['in'] == 'query':
                query[parameter['name']] = made
        body = strategies.none()
        if 'requestBody' in operation:
            schema = operation['requestBody']['content']['application/json']['schema']
            right = self.right(schema)
            body = strategies.one_of(right, right, right, JSON)
        return strategies.tuples(strategies.fixed_dictionaries(inside),
                                 strategies.fixed_dictionaries({}, optional=query), body)


class FuzzTest(base.TestCase):
    stack_options = {'options': {'keystone_authtoken': {'token_cache_time': 300},
                                 'quotas': {'max_clusters_per_project': 1000}}}

    def test_no_request_is_an_error_of_the_service(self):
        campaign = fuzzing.Campaign(self.stack, seed=1)
        campaign.plant()
        document = json.loads(DOCUMENT.read_text())
        maker = Maker(document, campaign.known)
        # Deletions last, and of what holds others last of all.
        operations = sorted(
            ((method.upper(), path, operation) for path, methods in document['paths'].items()
             for method, operation in methods.items()),
            key=lambda found: (found[0] == 'DELETE', -len(found[1]) * (found[0] == 'DELETE')))
        for number, (method, path, operation) in enumerate(operations):
            self._send(campaign, method, path, maker.request(operation), number)
        campaign.settle()
        campaign.reap()
        self.assertFalse(campaign.failed, campaign.summary())
        self.assertEqual([], campaign.logged_failures())
        self.assertGreater(campaign.requests, EXAMPLES * len(operations) // 2)
        self.assertGreater(campaign.swept, 0)
        for version in fuzzing.VERSIONS:
            self.assertEqual(set(), {
                (method, path) for method, path, _operation in operations
                if not campaign.routes[f'{method} {path}', version]}, version)

    @staticmethod
    def _send(campaign, method, path, strategy, number):
        sent = []

        def send(made):
            inside, query, body = made
            address = path
            for name, value in inside.items():
                address = address.replace('{%s}' % name, parse.quote(
                    str(value), safe='', errors='replace'))
            turn = number + len(sent)
            sent.append(address)
            campaign.send(
                method, address, f'{method} {path}', query, body,
                'null' if body is None and method in ('POST', 'PATCH') else None,
                fuzzing.VERSIONS[turn % len(fuzzing.VERSIONS)],
                fuzzing.USERS[turn % len(fuzzing.USERS)])

        @hypothesis.seed(number)
        @hypothesis.settings(max_examples=EXAMPLES, deadline=None, database=None,
                             phases=[hypothesis.Phase.generate],
                             suppress_health_check=list(hypothesis.HealthCheck))
        @hypothesis.given(strategy)
        def generate(made):
            send(made)

        generate()
        # Addresses without parameters have one request: it is sent in all versions.
        while len(sent) < len(fuzzing.VERSIONS):
            some = {name: campaign.random.choice(values)
                    for name, values in campaign.known.items()}
            send((some, {}, None))
