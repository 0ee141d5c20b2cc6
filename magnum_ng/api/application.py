# SPDX-License-Identifier: Apache-2.0
"""Pecan's application object with a straight way from a request to a controller and back.

Routing, arguments, hooks and the thread's ``pecan.request`` work as in pecan. Left out is what
this API has no use for (templates, content types by extension, internal redirects, security by
class), which took most of the time of a small request: pecan inspects signatures and classes
anew each time.
"""

from inspect import Arguments
import io

from pecan import core
from pecan import util as pecan_util
import webob
from webob import acceptparse
from webob import exc
from webob import multidict
from wsme import exc as wsme_exc

from magnum_ng.api import codec
from magnum_ng.api import faults
from magnum_ng.api import hooks
import magnum_ng.conf
from magnum_ng.i18n import _

CONF = magnum_ng.conf.CONF

_JSON = 'application/json'
_JSON_TYPES = (_JSON, 'text/javascript', 'application/javascript')
_ANYTHING = frozenset(('', '*/*', _JSON))
_TOO_LARGE = _('The request body is larger than %d bytes.')


class Request(webob.Request):
    """A request whose body is bounded, and read as JSON at most once."""

    @property
    def json_document(self):
        """What the body holds.

        :raises: ClientSideError (400) if it is no JSON.
        """
        environ = self.environ
        if 'magnum.json_document' not in environ:
            environ['magnum.json_document'] = codec.loads(self.body, CONF.api.max_json_depth)
        return environ['magnum.json_document']

    def bound_body(self):
        """Refuse a body that is too large, without reading more of it than is allowed."""
        if not self.is_body_readable:
            return
        limit = CONF.api.max_request_body_size
        length = self.content_length
        if length is None:
            data = _read_up_to(self.body_file_raw, limit + 1)
            if len(data) > limit:
                raise wsme_exc.ClientSideError(_TOO_LARGE % limit, status_code=413)
            self.body = data
        elif length > limit:
            raise wsme_exc.ClientSideError(_TOO_LARGE % limit, status_code=413)


def _read_up_to(stream, size):
    data = io.BytesIO()
    while size > 0:
        chunk = stream.read(min(size, 65536))
        if not chunk:
            break
        data.write(chunk)
        size -= len(chunk)
    return data.getvalue()


class Application(core.Pecan):
    """The application.

    ``root`` names the root controller's class, ``request_hooks`` are pecan's hooks.
    """

    def __init__(self, root, request_hooks=(), **kw):
        super().__init__(root, hooks=request_hooks, request_cls=Request,
                         response_cls=webob.Response, force_canonical=False,
                         guess_content_type_from_ext=False, **kw)

    def __call__(self, environ, start_response):
        request = Request(environ)
        response = webob.Response(content_type=_JSON)
        routing = core.RoutingState(request, response, self, hooks=self.hooks)
        local = core.state
        local.app, local.hooks = self, self.hooks
        local.request, local.response = request, response
        local.controller = local.arguments = None
        environ['pecan.locals'] = {'request': request, 'response': response}
        hooks.forget_context()
        try:
            self._serve(routing)
            return routing.response(environ, start_response)
        finally:
            del local.request, local.response, local.controller, local.arguments
            del local.app, local.hooks

    def _serve(self, routing):
        request = routing.request
        request.context = None
        request.pecan = {'content_type': _JSON}
        try:
            controller, remainder = self._find(routing)
            for hook in self.hooks:
                hook.before(routing)
            self._invoke(routing, controller, remainder)
        except exc.HTTPException as error:
            # As with the original, what is refused before an operation is found names no version.
            routing.response = faults.http_answer(error, faults.request_id_of(request.environ))
        except Exception as error:
            faults.answer(routing.response, error, faults.request_id_of(request.environ))
        finally:
            for hook in reversed(self.hooks):
                hook.after(routing)
        headers = routing.response.headers
        if 'x-openstack-request-id' not in headers:
            headers['x-openstack-request-id'] = faults.request_id_of(request.environ)

    def _find(self, routing):
        request = routing.request
        for hook in self.hooks:
            hook.on_route(routing)
        try:
            path = request.path_info
        except UnicodeDecodeError:
            raise exc.HTTPBadRequest(_('The address is not UTF-8.')) from None
        if '\0' in path:
            raise exc.HTTPNotFound()
        controller, remainder = self.root._route(path.split('/')[1:], request)
        routing.controller = core.state.controller = controller
        accept = request.environ.get('HTTP_ACCEPT', '')
        if accept not in _ANYTHING:
            _check_accept(accept)
        return controller, remainder

    def _invoke(self, routing, controller, remainder):
        request = routing.request
        request.bound_body()
        args, varargs, kwargs = self.get_args(
            routing, _parameters(request), remainder, pecan_util._cfg(controller)['argspec'], None)
        routing.arguments = core.state.arguments = Arguments(args, varargs, kwargs)
        controller(*args, *varargs, **kwargs)


def _check_accept(accept):
    header = acceptparse.create_accept_header(accept)
    if not header.acceptable_offers([_JSON]):
        raise exc.HTTPNotAcceptable()


def _parameters(request):
    """What may stand for arguments of the path: the query, and the members of a JSON object."""
    try:
        query = request.GET
        for name, value in query.items():
            if '\0' in name or '\0' in value:
                raise wsme_exc.ClientSideError(_('The query has a NUL character.'))
        if request.content_type == 'application/x-www-form-urlencoded':
            return request.params.mixed()
    except UnicodeDecodeError:
        raise wsme_exc.ClientSideError(_('The query or the form is not UTF-8.')) from None
    for name in query:
        if len(query.getall(name)) > 1:
            raise wsme_exc.ClientSideError(f'Parameter {name} was given several times')
    if request.method != 'GET' and request.content_type in _JSON_TYPES and request.body:
        document = request.json_document
        if isinstance(document, dict):
            return multidict.NestedMultiDict(query, multidict.MultiDict(document)).mixed()
    return dict(query)
