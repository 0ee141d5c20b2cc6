# SPDX-License-Identifier: Apache-2.0
"""The 406 of a microversion out of range, with the body that the API guidelines ask for."""

import json

from webob import acceptparse
from webob import exc

HELP = 'http://docs.openstack.org/api-guide/compute/microversions.html'


class HTTPNotAcceptableAPIVersion(exc.HTTPNotAcceptable):
    """``max_version`` and ``min_version`` are named in the body; the request id joins them."""

    code = 406
    title = 'Not Acceptable'

    def __init__(self, detail=None, headers=None, comment=None, body_template=None,
                 max_version='', min_version='', **kw):
        super().__init__(detail=detail, headers=headers, comment=comment,
                         body_template=body_template, **kw)
        self.max_version = max_version
        self.min_version = min_version

    def error(self):
        """The one item of the answer's list of errors."""
        return {
            'max_version': self.max_version,
            'min_version': self.min_version,
            'code': 'magnum.microversion-unsupported',
            'links': [{'rel': 'help', 'href': HELP}],
            'title': 'Requested microversion is unsupported',
        }

    def __call__(self, environ, start_response):
        error = self.error()
        if _prefers_json(environ.get('HTTP_ACCEPT')):
            error['description'] = self.detail
        self.content_type = 'application/json'
        self.text = json.dumps({'errors': [error]})
        return super().__call__(environ, start_response)


def _prefers_json(accept):
    """Whether a client says so. The original tells those alone which version was asked for."""
    offers = acceptparse.create_accept_header(accept).acceptable_offers(
        ['text/html', 'application/json'])
    return bool(offers) and offers[0][0] == 'application/json'
