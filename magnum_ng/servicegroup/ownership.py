# SPDX-License-Identifier: Apache-2.0
"""Which of the living conductors looks after which cluster.

Every conductor computes the same answer from the list of those that are alive, so nobody has to
be asked, and when one comes or goes only its own clusters change hands. Where two disagree for a
moment, the locks of the clusters keep them apart.
"""

import datetime
import hashlib
import threading

from oslo_utils import timeutils

from magnum_ng.common import service
from magnum_ng.db import api as db_api

BINARY = 'magnum-conductor'

#: Seconds between two heartbeats.
HEARTBEAT = 20


class Ownership:
    def __init__(self, host=None):
        self.host = host or service.host()
        self._hosts = frozenset({self.host})
        self._guard = threading.Lock()

    def refresh(self):
        """Read who is alive: whoever was heard of within two heartbeats."""
        oldest = timeutils.utcnow() - datetime.timedelta(seconds=2 * HEARTBEAT)
        hosts = {
            row.host for row in db_api.get_instance().get_magnum_service_list()
            if row.binary == BINARY and row.host and not row.forced_down
            and (row.last_seen_up or row.created_at) >= oldest}
        with self._guard:
            self._hosts = frozenset(hosts | {self.host})

    @property
    def hosts(self):
        with self._guard:
            return self._hosts

    def mine(self, uuids):
        """Those of the clusters that are for this host."""
        hosts = sorted(self.hosts)
        if len(hosts) == 1:
            return list(uuids)
        return [uuid for uuid in uuids if owner(uuid, hosts) == self.host]


def owner(uuid, hosts):
    """The host with the highest draw for the cluster (rendezvous hashing)."""
    return max(hosts, key=lambda host: hashlib.blake2b(
        f'{host} {uuid}'.encode(), digest_size=8).digest())
