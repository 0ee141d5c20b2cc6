# SPDX-License-Identifier: Apache-2.0
"""The heartbeat: a row in ``magnum_service`` that says that this conductor is alive."""

from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common import service
from magnum_ng import objects
from magnum_ng.servicegroup import fleet

LOG = logging.getLogger(__name__)


class MagnumServicePeriodicTasks:
    def __init__(self, conf, binary):
        self.conf = conf
        self.binary = binary
        self.host = service.host()
        self._record = None

    def update_magnum_service(self, ctx=None):
        """Find or make the row, and count one more sign of life."""
        context = ctx or magnum_context.make_admin_context(all_tenants=True)
        if self._record is None:
            self._record = self._find(context)
        try:
            fleet.report(context, self._record)
        except exception.MagnumServiceNotFound:
            # Somebody has tidied it away, after a long silence for instance.
            self._record = self._find(context)
            fleet.report(context, self._record)

    def _find(self, context):
        record = objects.MagnumService.get_by_host_and_binary(context, self.host, self.binary)
        if record is not None:
            return record
        record = objects.MagnumService(
            context, host=self.host, binary=self.binary, disabled=False, disabled_reason=None,
            forced_down=False, report_count=0)
        try:
            record.create(context)
        except exception.MagnumServiceAlreadyExists:
            record = objects.MagnumService.get_by_host_and_binary(
                context, self.host, self.binary)
        return record
