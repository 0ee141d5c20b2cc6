# SPDX-License-Identifier: Apache-2.0
"""Metrics for Prometheus, off by default.

When they are off, nothing in this package but this module is imported, and nobody pays for them
but with a look at a variable. Labels are names from closed sets: no identifiers, no addresses, no
texts of users.
"""

import functools

import magnum_ng.conf

CONF = magnum_ng.conf.CONF

API = 'magnum-api'
CONDUCTOR = 'magnum-conductor'


def wrap_api(application):
    """The WSGI application, measured if that is configured."""
    if not CONF.metrics.enabled:
        return application
    from magnum_ng.metrics import http

    return http.Measured(application)


def wrap_rpc_method(name, method):
    """A method of an RPC endpoint, measured if that is configured."""
    if not CONF.metrics.enabled:
        return method
    from magnum_ng.metrics import meters

    @functools.wraps(method)
    def measured(*args, **kwargs):
        with meters.timed(meters.instruments(CONDUCTOR).rpc_server, name):
            return method(*args, **kwargs)

    return measured


def start(service):
    """Begin in this process, which will not fork any more. Does nothing when switched off."""
    if not CONF.metrics.enabled:
        return
    from magnum_ng.metrics import process

    process.start(service)
