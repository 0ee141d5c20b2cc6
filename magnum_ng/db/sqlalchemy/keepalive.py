# SPDX-License-Identifier: Apache-2.0
"""Notice a connection to the database, or a server, that has gone without a word.

A statement may take long, a migration more than anything, so there is no limit for answers. But
whoever waits for one asks the other machine, now and then, whether it is still there. Left to the
kernel's defaults, that begins after two hours.
"""

import os
import socket
import time
import weakref

import sqlalchemy as sa
from sqlalchemy import event

# Seconds of silence before the first question, seconds between questions, and how many may stay
# without an answer: a server that is gone is an error after two minutes at the latest.
IDLE = 60
INTERVAL = 10
COUNT = 6

_OPTIONS = (('TCP_KEEPIDLE', IDLE), ('TCP_KEEPINTVL', INTERVAL), ('TCP_KEEPCNT', COUNT))


def is_configured(url) -> bool:
    """Whether the URL of the database has settings of its own."""
    return any(name.startswith(('keepalives', 'tcp_user_timeout')) for name in url.query)


def set_on(connection, record) -> None:
    """Set it on a new connection of PyMySQL or psycopg; any other is left alone."""
    try:
        number = getattr(connection, '_sock', connection).fileno()
        # A number of its own, so that closing this object leaves the connection open.
        with socket.socket(fileno=os.dup(number)) as link:
            if link.family not in (socket.AF_INET, socket.AF_INET6):
                return
            link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _OPTIONS:
                if hasattr(socket, name):
                    link.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    except (AttributeError, OSError):
        return


#: Seconds for which a connection is believed to be alive that was in use.
BELIEVED = 0.5


def ask_idle_only(engine: sa.Engine) -> None:
    """Have the pool ask a connection whether it is alive only if it was idle for a moment.

    Under load, that is a round trip less for each block. A connection that breaks within the
    moment is noticed by its next statement, as one is that breaks in the middle of a block.
    """
    in_use: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
    ask = engine.dialect.do_ping

    def given_back(connection, record) -> None:
        if connection is not None:
            in_use[connection] = time.monotonic()

    def do_ping(connection) -> bool:
        return time.monotonic() - in_use.get(connection, -BELIEVED) < BELIEVED or ask(connection)

    event.listen(engine, 'checkin', given_back)
    engine.dialect.do_ping = do_ping  # type: ignore
