# SPDX-License-Identifier: Apache-2.0
"""A conductor in the process of the API, as the demo and the functional tests run it."""

from oslo_service import opts as service_opts

from magnum_ng.common import short_id
from magnum_ng.conductor import server
import magnum_ng.conf

CONF = magnum_ng.conf.CONF


class Conductor:
    """The conductor's own service, without the processes around it.

    ``poll_seconds`` is the time between two looks at clusters in progress, where the options'
    whole seconds are too long.
    """

    def __init__(self, poll_seconds=None):
        service_opts.register_service_opts(CONF)
        self._poll_seconds = poll_seconds
        self._service = None

    def start(self):
        self._service = server.ConductorService(short_id.generate_id(), periodic=True)
        self._service.start()
        for timer in self._service._timers:
            if self._poll_seconds is not None and timer.name == 'sync_cluster_status':
                timer.interval = self._poll_seconds

    def stop(self):
        if self._service is not None:
            self._service.stop()
            self._service.wait()
            self._service = None
