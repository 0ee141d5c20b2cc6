# SPDX-License-Identifier: Apache-2.0
"""Whether a conductor is alive, from the time of its last report."""

import datetime

from oslo_utils import timeutils

import magnum_ng.conf
from magnum_ng.objects import magnum_service

CONF = magnum_ng.conf.CONF


class ServiceGroup:
    """Tells which services are alive by their last report."""

    def __init__(self):
        self.service_down_time = CONF.service_down_time

    def service_is_up(self, member):
        """Whether a service has reported within [DEFAULT]service_down_time."""
        if not isinstance(member, magnum_service.MagnumService):
            raise TypeError('a MagnumService is needed')
        if member.forced_down:
            return False
        seen = member.last_seen_up or member.updated_at or member.created_at
        if seen is None:
            return False
        if seen.tzinfo is not None:
            seen = seen.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        elapsed = abs((timeutils.utcnow() - seen).total_seconds())
        return elapsed <= self.service_down_time
