# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI 3.1 document of the API, made from the types and controllers that serve it.

What a controller takes and answers is read from its decorators; the addresses, and what cannot be
read from code (which operations need no token), are the table of ``routes``.
"""

import inspect
from typing import NamedTuple

from wsme import types as wtypes

from magnum_ng.api import routes
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers import root
from magnum_ng.api.controllers import versions
from magnum_ng.api.controllers.v1 import types

HEADER = versions.Version.string


class Handler(NamedTuple):
    """A function that serves a route, and the versions it does it in (None: not versioned)."""

    function: object
    since: versions.Version | None
    until: versions.Version | None


def handlers(route):
    """The functions behind a route, the oldest version first."""
    controller = root.RootController
    for name in route.controller:
        controller = type(vars(controller)[name])
    found = inspect.getattr_static(controller, route.function)
    if isinstance(found, base._Versions):
        methods = sorted(found.methods, key=lambda method: method.start_version)
        return [Handler(method.func, method.start_version,
                        min(method.end_version, versions.MAXIMUM)) for method in methods]
    if not route.controller:
        return [Handler(found, None, None)]
    return [Handler(found, versions.MINIMUM, versions.MAXIMUM)]


def document():
    """The whole document, as json can write it."""
    made = _Document()
    for route in routes.ROUTES:
        made.add(route)
    return made.finish()


class _Document:
    def __init__(self):
        self.paths = {}
        self.schemas = {}

    def add(self, route):
        operations = handlers(route)
        latest = operations[-1].function._wsme_definition
        path = self.paths.setdefault(route.path, {})
        operation = {
            'operationId': '_'.join([*(route.controller[1:] or ('versions',)), route.function]
                                    if route.controller else ['root', 'get']),
            'summary': _summary(operations[-1].function),
            'tags': [(route.controller[1:] or ('versions',))[0]],
        }
        since = operations[0].since
        if since is not None:
            operation['x-openstack'] = {'min-ver': str(since),
                                        'max-ver': str(operations[-1].until)}
        named = [name.partition('}')[0] for name in route.path.split('{')[1:]]
        operation['parameters'] = self._parameters(operations, named)
        if latest.body_type is not None:
            operation['requestBody'] = {
                'required': latest.arguments[-1].mandatory,
                'content': {'application/json': {'schema': self.schema(latest.body_type)}}}
        operation['responses'] = self._responses(latest)
        if route.public:
            operation['security'] = []
        path[route.method.lower()] = operation

    def _parameters(self, operations, in_path):
        parameters = [{'$ref': '#/components/parameters/version'}]
        seen = {}
        for handler in operations:
            definition = handler.function._wsme_definition
            body = definition.arguments[-1].name if definition.body_type is not None else None
            for argument in definition.arguments:
                if argument.name != body:
                    seen.setdefault(argument.name, (argument, handler.since))
        for name, (argument, since) in seen.items():
            place = 'path' if name in in_path else 'query'
            entry = {'name': name, 'in': place, 'required': place == 'path',
                     'schema': self.schema(argument.datatype)}
            if place == 'query' and since is not None and since != operations[0].since:
                entry['x-openstack'] = {'min-ver': str(since)}
            parameters.append(entry)
        return parameters

    def _responses(self, definition):
        success = {'description': 'The request succeeded.' if definition.status_code != 202
                   else 'The request was accepted; the work goes on.'}
        if definition.return_type is not None and definition.status_code != 204:
            success['content'] = {'application/json': {
                'schema': self.schema(definition.return_type)}}
        return {str(definition.status_code): success,
                'default': {'$ref': '#/components/responses/error'}}

    def schema(self, datatype):
        """The schema of a type; classes become components."""
        if wtypes.iscomplex(datatype):
            if issubclass(datatype, types.JsonPatchType):
                datatype = types.JsonPatchType
            name = datatype.__name__
            if name not in self.schemas:
                self.schemas[name] = {}
                self.schemas[name].update(self._object(datatype))
            return {'$ref': f'#/components/schemas/{name}'}
        if wtypes.isarray(datatype):
            return {'type': 'array', 'items': self.schema(datatype.item_type)}
        if wtypes.isdict(datatype):
            return {'type': 'object', 'additionalProperties': self.schema(datatype.value_type)}
        return _simple(datatype)

    def _object(self, datatype):
        properties, required = {}, []
        for attribute in wtypes.list_attributes(datatype):
            schema = self.schema(attribute.datatype)
            if getattr(attribute, 'readonly', False):
                schema = {**schema, 'readOnly': True}
            if attribute.mandatory:
                required.append(attribute.name)
            elif '$ref' not in schema and 'type' in schema:
                schema = {**schema, 'type': [schema['type'], 'null']}
                if 'enum' in schema:
                    schema['enum'] = [*schema['enum'], None]
            default = getattr(attribute, 'default', wtypes.Unset)
            if default is not wtypes.Unset and default is not None:
                schema['default'] = default
            properties[attribute.name] = schema
        found = {'type': 'object', 'properties': properties, 'additionalProperties': False}
        if required:
            found['required'] = required
        if datatype.__doc__:
            found['description'] = inspect.getdoc(datatype)
        return found

    def finish(self):
        return {
            'openapi': '3.1.0',
            'info': {'title': 'OpenStack Container Infrastructure Management API',
                     'version': versions.CURRENT_MAX_VER},
            'security': [{'token': []}],
            'paths': self.paths,
            'components': {
                'securitySchemes': {'token': {'type': 'apiKey', 'in': 'header',
                                              'name': 'X-Auth-Token'}},
                'parameters': {'version': _VERSION},
                'responses': {'error': {
                    'description': 'The request was refused, or failed.',
                    'content': {'application/json': {
                        'schema': {'$ref': '#/components/schemas/Errors'}}}}},
                'schemas': {**dict(sorted(self.schemas.items())), 'Errors': _ERRORS},
            },
        }


_VERSION = {
    'name': HEADER, 'in': 'header', 'required': False,
    'description': f'The microversion: "{versions.Version.service_string} X.Y", or "latest" in '
                   'place of the numbers.',
    'schema': {'type': 'string', 'default': f'{versions.Version.service_string} '
                                            f'{versions.BASE_VER}',
               'enum': [f'{versions.Version.service_string} {version}'
                        for version in (*versions.VERSIONS, 'latest')]},
}

_ERRORS = {
    'type': 'object',
    'required': ['errors'],
    'properties': {'errors': {'type': 'array', 'items': {
        'type': 'object',
        'required': ['title'],
        'properties': {
            'request_id': {'type': 'string'}, 'code': {'type': 'string'},
            'status': {'type': 'integer'}, 'title': {'type': 'string'},
            'detail': {'type': 'string'},
            'links': {'type': 'array', 'items': {'type': 'object'}},
            'min_version': {'type': 'string'}, 'max_version': {'type': 'string'}}}}},
}

_PLAIN = {str: 'string', int: 'integer', float: 'number', bool: 'boolean'}


def _simple(datatype):
    if datatype in _PLAIN:
        return {'type': _PLAIN[datatype]}
    if isinstance(datatype, wtypes.Enum):
        return {'type': 'string', 'enum': list(getattr(datatype, 'ordered', None)
                                               or sorted(datatype.values))}
    if isinstance(datatype, wtypes.IntegerType):
        limits = {'minimum': datatype.minimum, 'maximum': datatype.maximum}
        return {'type': 'integer', **_given(limits)}
    if isinstance(datatype, wtypes.StringType):
        pattern = datatype.pattern and datatype.pattern.pattern
        return {'type': 'string', **_given({
            'minLength': datatype.min_length, 'maxLength': datatype.max_length,
            'pattern': pattern})}
    if isinstance(datatype, types.UuidType):
        return {'type': 'string', 'format': 'uuid'}
    if isinstance(datatype, types.BooleanType):
        return {'type': 'boolean'}
    if isinstance(datatype, types.MultiType) and all(kind in _PLAIN for kind in datatype.types):
        return {'type': [_PLAIN[kind] for kind in datatype.types]}
    if isinstance(datatype, types._AnyJson):
        return {}
    if isinstance(datatype, wtypes.UserType):
        return {'type': 'string'}
    return {'type': 'string', 'format': 'date-time'}


def _given(values):
    return {name: value for name, value in values.items() if value is not None}


def _summary(function):
    return (inspect.getdoc(function) or '').partition('\n')[0]
