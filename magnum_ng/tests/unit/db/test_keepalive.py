# SPDX-License-Identifier: Apache-2.0

import socket
import sqlite3
import types

import fixtures
import sqlalchemy as sa

from magnum_ng.db.sqlalchemy import keepalive
from magnum_ng.db.sqlalchemy import session
from magnum_ng.tests import base


class TestKeepalive(base.TestCase):

    def link(self):
        listener = socket.create_server(('127.0.0.1', 0))
        self.addCleanup(listener.close)
        link = socket.create_connection(listener.getsockname())
        self.addCleanup(link.close)
        return link

    def settings(self, link):
        return tuple(link.getsockopt(level, name) for level, name in (
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE),
            (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
            (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL),
            (socket.IPPROTO_TCP, socket.TCP_KEEPCNT)))

    def test_it_is_set_on_connections_of_both_drivers_which_stay_open(self):
        for wrap in (lambda link: types.SimpleNamespace(_sock=link),
                     lambda link: types.SimpleNamespace(fileno=link.fileno)):
            link = self.link()
            keepalive.set_on(wrap(link), None)
            self.assertEqual((1, 60, 10, 6), self.settings(link))
            link.sendall(b'still open')

    def test_what_is_no_connection_over_tcp_is_left_alone(self):
        one, other = socket.socketpair()
        self.addCleanup(one.close)
        self.addCleanup(other.close)
        keepalive.set_on(types.SimpleNamespace(_sock=one), None)
        keepalive.set_on(types.SimpleNamespace(_sock=None), None)
        keepalive.set_on(object(), None)
        one.sendall(b'still open')

    def test_settings_in_the_url_count(self):
        for query, configured in (('', False), ('?charset=utf8mb4', False),
                                  ('?keepalives_idle=5', True), ('?tcp_user_timeout=5', True)):
            url = sa.make_url(f'postgresql://h/d{query}')
            self.assertEqual(configured, keepalive.is_configured(url))

    def test_engines_set_it_unless_they_have_no_server(self):
        for url, listens in (('mysql+pymysql://h/d', True), ('sqlite://', False)):
            engine = sa.create_engine(url)
            session._prepare(engine)
            self.assertEqual(listens, sa.event.contains(engine, 'connect', keepalive.set_on))


class Connection(sqlite3.Connection):
    """One that can be referred to weakly, as those of the drivers of servers can."""


class TestQuestions(base.TestCase):

    def setUp(self):
        super().setUp()
        self.asked = []
        self.engine = sa.create_engine(
            'sqlite://', pool_pre_ping=True, poolclass=sa.QueuePool,
            creator=lambda: Connection(':memory:'))
        self.addCleanup(self.engine.dispose)
        self.engine.dialect.do_ping = lambda connection: not self.asked.append(connection)
        keepalive.ask_idle_only(self.engine)
        self.now = 100.0
        self.useFixture(fixtures.MonkeyPatch('time.monotonic', lambda: self.now))

    def use(self):
        connection = self.engine.raw_connection()
        kept = connection.dbapi_connection
        connection.close()
        return kept

    def test_a_connection_that_was_just_used_is_not_asked(self):
        first = self.use()
        self.now += 0.4
        self.assertIs(first, self.use())
        self.assertEqual([], self.asked)

    def test_one_that_was_idle_is(self):
        first = self.use()
        self.now += 0.6
        self.assertIs(first, self.use())
        self.assertEqual([first], self.asked)

    def test_one_that_does_not_answer_is_made_anew(self):
        self.engine.dialect.do_ping = lambda connection: False
        keepalive.ask_idle_only(self.engine)
        first = self.use()
        self.now += 1
        self.assertIsNot(first, self.use())
