# SPDX-License-Identifier: Apache-2.0
"""From exceptions to the error answers of the API.

A client gets the text of errors that are about its request. Of all others it learns their kind
only; what happened is in the log, once.
"""

import http.client
import json
import traceback
from typing import NamedTuple

from oslo_context import context as oslo_context

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common import masking
from magnum_ng.i18n import _

LOG = logging.getLogger(__name__)

_TRACEBACK = 'Traceback (most recent call last):'
_LONGEST_TEXT = 4096


class Fault(NamedTuple):
    """What a client is told: the status, the text, and whose fault it is."""

    status: int
    text: str
    code: str


INTERNAL = _('The service failed to process the request. The operator finds the reason in the '
             'log under the request id.')
_DATABASE_DOWN = _('The database cannot be reached at the moment. Try again later.')
_BUSY = _('The service is too busy at the moment. Try again later.')
_BACKEND_DOWN = _('Another service cannot be reached at the moment. Try again later.')
_BACKEND_BROKEN = _('Another service failed to answer a request of this one.')
_BACKEND_SLOW = _('Another service did not answer in time. Try again later.')

# By full name, so that nothing has to be imported only for its errors. None: the backend's status.
_FOREIGN = {
    'oslo_db.exception.DBConnectionError': (503, _DATABASE_DOWN),
    'oslo_db.exception.DBDeadlock': (503, _BUSY),
    'oslo_db.exception.CantStartEngineError': (503, _DATABASE_DOWN),
    'oslo_db.exception.DBInvalidUnicodeParameter': (400, _('A text cannot be stored.')),
    'oslo_db.exception.DBDataError': (400, _('A value is too large, or cannot be stored.')),
    'sqlalchemy.exc.TimeoutError': (503, _BUSY),
    'oslo_messaging.exceptions.MessagingTimeout': (504, _(
        'The conductor did not answer in time. Try again later.')),
    'oslo_messaging.rpc.client.RemoteError': (500, INTERNAL),
    'oslo_messaging.exceptions.MessagingException': (503, _(
        'The conductor cannot be reached at the moment. Try again later.')),
    'keystoneauth1.exceptions.http.Unauthorized': (401, _(
        'The token was refused by another service; it may have expired.')),
    'keystoneauth1.exceptions.http.Forbidden': (403, _(
        'Another service refused a request on behalf of the user.')),
    'keystoneauth1.exceptions.connection.ConnectTimeout': (504, _BACKEND_SLOW),
    'keystoneauth1.exceptions.connection.ConnectionError': (503, _BACKEND_DOWN),
    'keystoneauth1.exceptions.catalog.CatalogException': (503, _BACKEND_DOWN),
    'keystoneauth1.exceptions.base.ClientException': (502, _BACKEND_BROKEN),
    'openstack.exceptions.HttpException': (None, _BACKEND_BROKEN),
    'openstack.exceptions.SDKException': (502, _BACKEND_BROKEN),
    'requests.exceptions.Timeout': (504, _BACKEND_SLOW),
    'requests.exceptions.ConnectionError': (503, _BACKEND_DOWN),
}


def fault_of(error):
    """What to tell a client about an exception; logs what a client must not see."""
    code = getattr(error, 'code', None)
    if isinstance(code, int) and 400 <= code < 500 and code in http.client.responses:
        return Fault(code, text_of(error), getattr(error, 'faultcode', 'Client').lower())
    if isinstance(error, exception.MagnumException) and code in (502, 503, 504):
        LOG.warning('Request refused: %s', masking.mask(text_of(error)))
        return Fault(code, text_of(error), 'server')
    status, text = _foreign(error)
    if status < 500:
        LOG.info('Request refused: %s', masking.mask(str(error)))
        return Fault(status, text, 'client')
    log_failure(error)
    return Fault(status, text, 'server')


def log_failure(error):
    """Log an exception with its traceback; credentials in its text are masked."""
    story = ''.join(traceback.format_exception(error))
    LOG.error('Request failed: %(name)s\n%(story)s',
              {'name': type(error).__name__, 'story': masking.mask(story)})


def _foreign(error):
    for cls in type(error).__mro__:
        known = _FOREIGN.get(f'{cls.__module__}.{cls.__qualname__}')
        if known is None:
            continue
        status, text = known
        if status is None:
            theirs = getattr(error, 'status_code', None)
            mapped = {401: 'Unauthorized', 403: 'Forbidden'}.get(theirs)
            if mapped:
                return _FOREIGN[f'keystoneauth1.exceptions.http.{mapped}']
            status = 503 if theirs in (429, 503) else 502
        return status, text
    return 500, INTERNAL


def text_of(error):
    """The text of an error, without the traceback that errors of the conductor carry."""
    text = error.faultstring if hasattr(error, 'faultstring') else str(error)
    if _TRACEBACK in text:
        text = text.split(_TRACEBACK)[0].rstrip()
    return text


def item(status, detail, code, request_id, title=None):
    """One entry of the list of errors. The title is the text up to the first full stop."""
    # What a client has sent is quoted, whatever it is and however long.
    detail = masking.clip(detail, _LONGEST_TEXT)
    return {
        'request_id': request_id,
        'code': code,
        'status': status,
        'title': detail.split('.', 1)[0] if title is None else title,
        'detail': detail,
        'links': [],
    }


def request_id_of(environ):
    request_id = environ.get('openstack.request_id')
    if not request_id:
        request_id = environ['openstack.request_id'] = oslo_context.generate_request_id()
    return request_id


def body(*errors):
    return json.dumps({'errors': list(errors)}).encode()


def answer(response, error, request_id):
    """Make the response tell an exception."""
    fault = fault_of(error)
    response.status = fault.status
    response.content_type = 'application/json'
    # No Retry-After with it: python-magnumclient fails with a TypeError on one.
    response.body = body(item(fault.status, fault.text, fault.code, request_id))


_EXPLAINED = {
    404: _('There is nothing at this address.'),
    405: _('The address does not take this method.'),
    406: _('The answer cannot be given in a form that the request accepts.'),
}


def http_answer(error, request_id):
    """Give an exception of webob, which is a response too, the body of an error."""
    if hasattr(error, 'error'):
        entries = error.error()
        error.text = json.dumps({'errors': [entries]})
    elif error.status_int >= 400:
        detail = error.detail or _EXPLAINED.get(error.status_int) or error.explanation
        error.text = body(item(error.status_int, detail, '', request_id)).decode()
    error.content_type = 'application/json'
    return error
