# SPDX-License-Identifier: Apache-2.0
"""The decorator that turns a method of a controller into an operation of the API."""

import functools
import http.client
import inspect

import pecan
from pecan import util as pecan_util
import wsme
from wsme import exc
from wsme import types as wtypes
from wsme.rest import args as wsme_args
from wsme.rest import json as wsme_json

from magnum_ng.api import codec
from magnum_ng.api import faults
from magnum_ng.i18n import _

_expose_json = pecan.expose(template='json', content_type='application/json')

_BAD_ARGUMENTS = (ValueError, TypeError, AttributeError, KeyError, OverflowError)


def expose(*types, **options):
    """Expose a method, as WSME's decorator does: result type, argument types, ``body``.

    The method may return a :class:`wsme.api.Response` to choose the status. What it raises
    becomes an error answer (:mod:`magnum_ng.api.faults`).
    """
    options.setdefault('rest_content_types', ('json',))
    signature = wsme.signature(*types, **options)

    def decorate(method):
        signature(method)
        definition = wsme.api.FunctionDefinition.get(method)
        definition.resolve_types(wtypes.registry)

        @functools.wraps(method)
        def operation(self, *args, **kwargs):
            response = pecan.response
            try:
                named = arguments(definition, args, kwargs, pecan.request)
                result = method(self, **named)
                return _render(definition, result, response)
            except Exception as error:
                faults.answer(response, error, faults.request_id_of(pecan.request.environ))
                return None

        _expose_json(operation)
        pecan_util._cfg(operation)['argspec'] = inspect.getfullargspec(method)
        operation._wsme_definition = definition
        return operation

    return decorate


def _render(definition, result, response):
    status, datatype = definition.status_code, definition.return_type
    if isinstance(result, wsme.api.Response):
        if result.status_code:
            status = result.status_code
        if not isinstance(result.return_type, wtypes.UnsetType):
            datatype = result.return_type
        result = result.obj
    response.status = f'{status} {http.client.responses[status]}'
    if status == 204 or datatype is None:
        response.content_type = None
        return None
    response.content_type = 'application/json'
    response.body = codec.dumps(datatype, result).encode()
    return None


def arguments(definition, args, kwargs, request):
    """The arguments of an operation by name, from path, query and body.

    :raises: an exception with a code of 4xx, whatever is wrong with them.
    """
    for argument, value in zip(definition.arguments, args):
        # None: the default of an argument that comes from the body.
        if value is not None and (wtypes.iscomplex(argument.datatype)
                                  or wtypes.isarray(argument.datatype)):
            raise codec.invalid(argument.name, value, 'unable to convert to an object.')
    try:
        from_path = wsme_args.args_from_args(definition, args, kwargs)
        form = request.content_type == 'application/x-www-form-urlencoded'
        from_query = wsme_args.args_from_params(definition, request.params if form
                                                else request.GET)
    except _BAD_ARGUMENTS as error:
        if getattr(error, 'code', None):
            raise
        raise exc.ClientSideError(_('An argument of the request has a wrong type.')) from None
    from_body = (), _from_body(definition, request)
    merged = wsme_args.combine_args(definition, (from_query, from_body))
    _unused, named = wsme_args.combine_args(definition, (from_path, merged), allow_override=True)
    for argument in definition.arguments:
        if argument.mandatory and argument.name not in named:
            raise exc.MissingArgument(argument.name)
    return named


def _from_body(definition, request):
    body = request.body
    content_type = request.content_type
    if not body or content_type == 'application/x-www-form-urlencoded':
        return {}
    if content_type not in wsme_json.accept_content_types:
        raise exc.ClientSideError(f'Unknown mimetype: {content_type}', status_code=415)
    data = request.json_document
    if definition.body_type is not None:
        name = definition.arguments[-1].name
        return {name: codec.read(definition.body_type, data, name)}
    if not isinstance(data, dict):
        raise exc.ClientSideError('Request must be a JSON dict')
    known = {argument.name: argument.datatype for argument in definition.arguments}
    unknown = sorted(set(data).difference(known))
    named = {name: codec.read(known[name], value, name)
             for name, value in data.items() if name in known}
    if unknown:
        raise exc.UnknownArgument(', '.join(unknown))
    return named
