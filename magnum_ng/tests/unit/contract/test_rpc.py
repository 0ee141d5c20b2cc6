# SPDX-License-Identifier: Apache-2.0
"""The methods of the message bus, compared with those of release 23.0.0."""

import inspect

from magnum_ng.conductor import api
from magnum_ng.conductor import server
from magnum_ng.tests import base
from magnum_ng.tests.unit import contract

RECORDED = contract.load('rpc.json')

# The client's that take one more argument, which has a default.
ADDED = {'cluster_upgrade': 'rollback=False', 'cluster_upgrade_async': 'rollback=False'}


def arguments(function, without=()):
    """The arguments of a function as the recorded file has them."""
    return [str(parameter) for name, parameter in inspect.signature(function).parameters.items()
            if name not in without]


class ServerTest(base.TestCase):

    def test_methods_arguments_and_defaults_are_the_recorded_ones(self):
        found = {name: arguments(method, without=('context',))
                 for endpoint in server.endpoints() for name, method in vars(endpoint).items()}
        self.assertEqual(RECORDED['server'], found)

    def test_every_method_takes_the_context_first(self):
        for endpoint in server.endpoints():
            for name, method in vars(endpoint).items():
                self.assertEqual('context', arguments(method)[0], name)


class ClientTest(base.TestCase):

    def setUp(self):
        super().setUp()
        self.client = api.API(context=self.context)
        self.sent = []
        self.client._call = lambda method, **given: self.sent.append(('call', method, given))
        self.client._cast = lambda method, **given: self.sent.append(('cast', method, given))

    def test_methods_arguments_and_defaults_are_the_recorded_ones(self):
        expected = {}
        for name, recorded in RECORDED['client'].items():
            expected[name] = [word for word in recorded['arguments'].strip('()').split(', ')
                              if word]
            if name in ADDED:
                expected[name].append(ADDED[name])
        found = {name: arguments(getattr(self.client, name)) for name in expected}
        self.assertEqual(expected, found)

    def test_there_is_no_further_method(self):
        public = {name for name in dir(api.API) if not name.startswith('_')}
        self.assertEqual(set(RECORDED['client']), public)

    def test_calls_wait_and_casts_do_not_as_recorded(self):
        for name, recorded in RECORDED['client'].items():
            if name.startswith('object_'):
                continue
            self.sent.clear()
            function = getattr(self.client, name)
            function(*[None for parameter in inspect.signature(function).parameters.values()
                       if parameter.default is parameter.empty])
            [(kind, method, _given)] = self.sent
            self.assertEqual(recorded['kind'], kind, name)
            self.assertEqual(name.removesuffix('_async'), method)

    def test_what_is_sent_is_what_the_server_takes(self):
        for name in RECORDED['client']:
            if name.startswith('object_') or name == 'echo':
                continue
            function = getattr(self.client, name)
            function(*[None for parameter in inspect.signature(function).parameters.values()
                       if parameter.default is parameter.empty])
            _kind, method, given = self.sent.pop()
            taken = {word.partition('=')[0] for word in RECORDED['server'][method]}
            self.assertLessEqual(set(given), taken, name)
