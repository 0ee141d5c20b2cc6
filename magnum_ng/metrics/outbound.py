# SPDX-License-Identifier: Apache-2.0
"""Requests to other services, whoever makes them.

Our own look-ups, the SDK, Barbican's client and the middleware that checks tokens all go through
keystoneauth's session, which alone knows which service is meant.
"""

import functools
import time

from keystoneauth1 import exceptions
from keystoneauth1 import session

_KNOWN = frozenset(('identity', 'compute', 'image', 'network', 'key-manager', 'block-storage',
                    'volumev3', 'load-balancer', 'orchestration', 'container-infra'))
_METHODS = frozenset(('GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'))


def _service(url, wanted):
    kind = (wanted or {}).get('service_type')
    if kind:
        return kind if kind in _KNOWN else 'other'
    # Without a service, it is about a token, or an endpoint is asked for its versions.
    return 'identity' if url.partition('?')[0].rstrip('/').endswith('/auth/tokens') else 'discovery'


def _status(error):
    if isinstance(error, exceptions.HttpError):
        return str(error.http_status)
    if isinstance(error, exceptions.ConnectTimeout):
        return 'timeout'
    return 'failed'


_request = session.Session.request


def measure(histogram):
    """Observe every request of this process from now on."""
    @functools.wraps(_request)
    def measured(self, url, method, *args, **kwargs):
        begun, status = time.perf_counter(), 'failed'
        try:
            response = _request(self, url, method, *args, **kwargs)
            status = str(response.status_code)
            return response
        except Exception as error:
            status = _status(error)
            raise
        finally:
            name = method.upper()
            histogram.labels(
                _service(url, kwargs.get('endpoint_filter')),
                name if name in _METHODS else 'other', status,
            ).observe(time.perf_counter() - begun)

    session.Session.request = measured


def stop():
    """Observe no more."""
    session.Session.request = _request
