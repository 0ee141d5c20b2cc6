# SPDX-License-Identifier: Apache-2.0
"""osprofiler, where it is installed and enabled; nothing at all otherwise.

Paste pipelines name ``magnum.common.profiler:WsgiMiddleware``, whether osprofiler is there or not.
"""

import socket

from oslo_utils import importutils
import webob.dec

from magnum_ng.common import context
from magnum_ng.common import log as logging
import magnum_ng.conf

profiler = importutils.try_import('osprofiler.profiler')
profiler_initializer = importutils.try_import('osprofiler.initializer')
profiler_web = importutils.try_import('osprofiler.web')

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF


def _enabled():
    return profiler is not None and getattr(CONF, 'profiler', None) and CONF.profiler.enabled


class WsgiMiddleware:
    """The middleware of osprofiler, or a filter that lets everything through."""

    def __init__(self, application, **kwargs):
        self.application = application

    @classmethod
    def factory(cls, global_conf, **local_conf):
        if profiler_web is not None:
            return profiler_web.WsgiMiddleware.factory(global_conf, **local_conf)

        def filter_(application):
            return cls(application, **local_conf)

        return filter_

    @webob.dec.wsgify
    def __call__(self, request):
        return request.get_response(self.application)


def setup(binary, host):
    """Prepare the notifier of traces for this process."""
    if not _enabled():
        return
    profiler_initializer.init_from_conf(
        conf=CONF, context=context.get_admin_context().to_dict(), project='magnum',
        service=binary, host=host or socket.gethostname())
    LOG.info('OSProfiler is enabled: traces of requests that carry a valid HMAC key of '
             '[profiler]hmac_keys are collected.')
