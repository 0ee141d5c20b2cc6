# SPDX-License-Identifier: Apache-2.0
"""Routes, versions, parameters and types, compared with what release 23.0.0 has."""

import json
import os
import unittest

from wsme import types as wtypes

from magnum_ng.api import openapi
from magnum_ng.api import routes
from magnum_ng.api.controllers.v1 import types

_DATA = os.path.join(os.path.dirname(__file__), 'data')

with open(os.path.join(_DATA, 'routes.json')) as _file:
    RECORDED = {(route['method'], route['path']): route for route in json.load(_file)}
with open(os.path.join(_DATA, 'types.json')) as _file:
    TYPES = json.load(_file)

# Parameters that we have and the original answers with 400.
_FILTERS = {'name', 'project_id', 'all_tenants'}
ADDED = {
    ('GET', '/v1/clusters'): _FILTERS | {'status', 'cluster_template_id'},
    ('GET', '/v1/clusters/detail'): _FILTERS | {'status', 'cluster_template_id'},
    ('GET', '/v1/clustertemplates'): _FILTERS,
    ('GET', '/v1/clustertemplates/detail'): _FILTERS,
    ('GET', '/v1/clusters/{cluster_id}/nodegroups'): {'name', 'status'},
    ('GET', '/v1/mservices'): {'marker', 'limit', 'sort_key', 'sort_dir'},
    ('DELETE', '/v1/clusters/{cluster_ident}'): {'force'},
}

# Attributes that we bound, where the original takes any text.
BOUNDED = {
    'ClusterResizeRequest.nodes_to_remove': {
        'array': {'type': 'string', 'min_length': 1, 'max_length': 255}},
}


def name_of(datatype):
    """A type as the recorded file names it."""
    if datatype is None:
        return None
    if wtypes.isarray(datatype):
        return f'[{datatype.item_type.__name__}]'
    if wtypes.iscomplex(datatype):
        return datatype.__name__
    if isinstance(datatype, wtypes.UserType):
        return datatype.name
    return datatype.__name__


def kind_of(datatype):
    """An attribute's type as the recorded file describes it, without what we bound in addition."""
    if wtypes.isarray(datatype):
        return {'array': kind_of(datatype.item_type)}
    if wtypes.iscomplex(datatype):
        return datatype.__name__
    if wtypes.isdict(datatype):
        return {'dict': [kind_of(datatype.key_type), kind_of(datatype.value_type)]}
    if isinstance(datatype, types.MultiType):
        return {'any_of': [kind_of(kind) for kind in datatype.types]}
    if isinstance(datatype, wtypes.Enum):
        return {'enum': sorted(datatype.values), 'base': datatype.basetype.__name__}
    if isinstance(datatype, wtypes.IntegerType):
        limits = {'minimum': datatype.minimum, 'maximum': datatype.maximum}
        if datatype.maximum == types.MAX_INTEGER:
            del limits['maximum']
        return {'type': 'integer', **{k: v for k, v in limits.items() if v is not None}}
    if isinstance(datatype, wtypes.StringType):
        limits = {'min_length': datatype.min_length, 'max_length': datatype.max_length,
                  'pattern': datatype.pattern and datatype.pattern.pattern}
        return {'type': 'string', **{k: v for k, v in limits.items() if v is not None}}
    if isinstance(datatype, wtypes.UserType):
        return {'usertype': datatype.name}
    return datatype.__name__


class TestRoutes(unittest.TestCase):
    maxDiff = None

    def test_the_addresses_are_the_recorded_ones(self):
        self.assertEqual(sorted(RECORDED), sorted((route.method, route.path)
                                                  for route in routes.ROUTES))

    def test_versions_and_statuses_are_the_recorded_ones(self):
        for route in routes.ROUTES:
            recorded = RECORDED[route.method, route.path]['handlers']
            found = openapi.handlers(route)
            with self.subTest(route=route):
                self.assertEqual(
                    (recorded[0]['min_version'], recorded[-1]['max_version']),
                    tuple(version and str(version) for version in
                          (found[0].since, found[-1].until)))
                self.assertEqual({handler['success_status'] for handler in recorded},
                                 {handler.function._wsme_definition.status_code
                                  for handler in found})

    def test_bodies_and_answers_are_of_the_recorded_types(self):
        for route in routes.ROUTES:
            recorded = RECORDED[route.method, route.path]['handlers'][-1]
            definition = openapi.handlers(route)[-1].function._wsme_definition
            with self.subTest(route=route):
                self.assertEqual((recorded['body_type'], recorded['response_type']),
                                 (name_of(definition.body_type), name_of(definition.return_type)))

    def test_parameters_are_the_recorded_ones_and_the_listed_additions(self):
        for route in routes.ROUTES:
            key = route.method, route.path
            recorded = RECORDED[key]['handlers'][-1]['query']
            definition = openapi.handlers(route)[-1].function._wsme_definition
            found = {argument.name: name_of(argument.datatype)
                     for argument in definition.arguments
                     if f'{{{argument.name}}}' not in route.path}
            if definition.body_type is not None:
                found.pop(definition.arguments[-1].name)
            with self.subTest(route=route):
                self.assertEqual(ADDED.get(key, set()), set(found) - set(recorded))
                self.assertEqual(recorded, {name: found.get(name) for name in recorded})

    def test_public_addresses_are_the_recorded_ones(self):
        self.assertEqual({key for key, route in RECORDED.items() if route['public']},
                         {(route.method, route.path) for route in routes.ROUTES if route.public})

    def test_a_version_that_a_parameter_came_with_is_in_the_document(self):
        operation = openapi.document()['paths']['/v1/clusters/{cluster_ident}']['patch']
        [rollback] = [entry for entry in operation['parameters'] if entry.get('name') == 'rollback']
        self.assertEqual({'min-ver': '1.3'}, rollback['x-openstack'])


class TestTypes(unittest.TestCase):
    maxDiff = None

    def found(self):
        for datatype in wtypes.registry.complex_types:
            if datatype.__module__.startswith('magnum_ng.api.controllers'):
                module = datatype.__module__.rpartition('.')[2]
                for name in (f'{module}.{datatype.__name__}', datatype.__name__):
                    if name in TYPES:
                        yield name, datatype
                        break

    def test_every_recorded_type_is_there(self):
        self.assertEqual(set(), set(TYPES) - {name for name, _datatype in self.found()})

    def test_attributes_are_the_recorded_ones_in_their_order(self):
        for name, datatype in self.found():
            with self.subTest(type=name):
                self.assertEqual(list(TYPES[name]), [
                    attribute.name for attribute in wtypes.list_attributes(datatype)])

    def test_attributes_are_as_recorded(self):
        for name, datatype in self.found():
            for attribute in wtypes.list_attributes(datatype):
                recorded = dict(TYPES[name][attribute.name])
                recorded['type'] = BOUNDED.get(f'{name}.{attribute.name}', recorded['type'])
                found = {'type': kind_of(attribute.datatype), 'mandatory': attribute.mandatory}
                if getattr(attribute, 'readonly', False):
                    found['readonly'] = True
                default = getattr(attribute, 'default', wtypes.Unset)
                if default is not wtypes.Unset:
                    found['default'] = default
                with self.subTest(attribute=f'{name}.{attribute.name}'):
                    self.assertEqual(recorded, found)
