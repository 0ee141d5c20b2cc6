# SPDX-License-Identifier: Apache-2.0
"""Which of the living conductors are ours.

A conductor of the original listens to the same queue. It would take the message of our API, find
the cluster recorded already, and fail or do half of it, and nobody would end the operation. So
our API hands nothing over while one is alive. It is known by its row in ``magnum_service``: a
conductor of ours writes a row in ``ng_conductor`` with each of its reports as well.
"""

import datetime
import threading
import time

from oslo_utils import timeutils
import sqlalchemy as sa

from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.db.sqlalchemy import models
from magnum_ng.db.sqlalchemy import ng_models
from magnum_ng.db.sqlalchemy import session as db_session

LOG = logging.getLogger(__name__)

BINARY = 'magnum-conductor'

#: Seconds of silence after which a conductor of the original, which reports every 60 seconds, is
#: taken for gone.
SILENCE = 90
#: Seconds for which an answer is believed.
BELIEVED = 5


@db_session.retrying
def report(context, record):
    """A heartbeat of a conductor of ours."""
    with db_session.writer() as session:
        record.report_state_up(context)
        # After the other, and in the same transaction: never the older of the two.
        now = timeutils.utcnow()
        changed = session.execute(
            sa.update(ng_models.Conductor).where(ng_models.Conductor.host == record.host)
            .values(last_seen_up=now).execution_options(synchronize_session=False)).rowcount
        if not changed:
            session.add(ng_models.Conductor(host=record.host, last_seen_up=now))


@db_session.retrying_read
def foreign():
    """The hosts with a living conductor that is not ours."""
    service, ours = models.MagnumService, ng_models.Conductor
    oldest = timeutils.utcnow() - datetime.timedelta(seconds=SILENCE)
    with db_session.reader() as session:
        alive = session.execute(
            sa.select(service.host, service.last_seen_up)
            .where(service.binary == BINARY, service.last_seen_up >= oldest,
                   service.forced_down.is_not(True))
            .order_by(service.host)).all()
        # Compared here: the collations of the two tables need not agree, and MySQL then refuses.
        reports = dict(session.execute(
            sa.select(ours.host, ours.last_seen_up)
            .where(ours.host.in_([host for host, _seen in alive]))).all()) if alive else {}
    return [host for host, seen in alive if host not in reports or reports[host] < seen]


class _Memory:
    def __init__(self):
        self._guard = threading.Lock()
        self._until = 0.0
        self._hosts = []

    def forget(self):
        self._until = 0.0

    def hosts(self):
        with self._guard:
            if time.monotonic() >= self._until:
                self._hosts = foreign()
                self._until = time.monotonic() + BELIEVED
            return self._hosts


_memory = _Memory()
forget = _memory.forget


def check():
    """Refuse to go on while a conductor of the original could take what is about to be sent.

    :raises ForeignConductor: 503
    """
    hosts = _memory.hosts()
    if hosts:
        LOG.warning('Refused: magnum-conductor of the original runs on %s. Stop it and start '
                    'that of magnum_ng, or serve the API with the original.', ', '.join(hosts))
        raise exception.ForeignConductor()
