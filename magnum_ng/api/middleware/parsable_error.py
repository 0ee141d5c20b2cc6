# SPDX-License-Identifier: Apache-2.0
"""The outermost part of the application: whatever happens, errors are JSON of the agreed form."""

import json

from magnum_ng.api import faults
from magnum_ng.i18n import _


class ParsableErrorMiddleware:
    """Rewrites error answers that do not have the agreed form yet, and catches what escapes."""

    def __init__(self, app):
        self.app = app

    def __call__(self, environ, start_response):
        held = []

        def hold_errors(status, headers, exc_info=None):
            code = _code(status)
            if code < 400:
                return start_response(status, headers, exc_info)
            held[:] = [code, status, headers]
            return lambda data: None

        try:
            chunks = self.app(environ, hold_errors)
        except Exception as error:
            faults.log_failure(error)
            held[:] = [500, '500 Internal Server Error', []]
            chunks = [faults.body(faults.item(500, faults.INTERNAL, 'server',
                                              faults.request_id_of(environ)))]
        if not held:
            return chunks
        code, status, headers = held
        body = b''.join(chunks)
        if hasattr(chunks, 'close'):
            chunks.close()
        if not _has_form(body):
            body = _reform(code, status, body, faults.request_id_of(environ))
        headers = [(name, value) for name, value in headers
                   if name.lower() not in ('content-length', 'content-type')]
        headers += [('Content-Type', 'application/json'), ('Content-Length', str(len(body)))]
        start_response(status, headers)
        return [] if environ.get('REQUEST_METHOD') == 'HEAD' else [body]


def _code(status):
    try:
        return int(status.split(' ')[0])
    except (ValueError, AttributeError):
        raise ValueError(_('ErrorDocumentMiddleware received an invalid status %s') % status) \
            from None


def _has_form(body):
    return body.startswith(b'{"errors": ')


def _reform(code, status, body, request_id):
    """An error of the agreed form from one of WSME's, webob's or none at all."""
    try:
        document = json.loads(body)
    except ValueError:
        document = {}
    if not isinstance(document, dict):
        document = {}
    detail = document.get('faultstring') or document.get('description') or ''
    title = None
    if 'faultstring' not in document:
        title = document.get('title') or status.partition(' ')[2]
    return faults.body(faults.item(code, detail or title or '',
                                   (document.get('faultcode') or '').lower(), request_id, title))
