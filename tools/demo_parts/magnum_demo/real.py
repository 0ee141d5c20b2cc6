# SPDX-License-Identifier: Apache-2.0
"""A database and a virtual host of the demo's own on the servers of this machine."""

import shutil
import subprocess

import kombu
import sqlalchemy
from sqlalchemy import exc

from magnum_demo import console

SOCKETS = ('/run/mysqld/mysqld.sock', '/var/run/mysqld/mysqld.sock',
           '/var/lib/mysql/mysql.sock', '/tmp/mysql.sock')


class Backend:
    """Made anew by prepare(), which removes what an interrupted run left; gone after drop()."""

    def __init__(self, name, database_admin, rabbit):
        self.name = name
        self.admin = sqlalchemy.make_url(database_admin)
        self.rabbit = rabbit
        self.vhost = False

    def prepare(self):
        """Returns the database connection and the transport URL for the service."""
        self.admin = self._reachable()
        self._check_rabbit()
        self._sql(f'DROP DATABASE IF EXISTS {self.name}',
                  f'CREATE DATABASE {self.name} CHARACTER SET utf8mb4')
        connection = self.admin.set(database=self.name).render_as_string(hide_password=False)
        return connection, self._make_vhost()

    def drop(self):
        try:
            self._sql(f'DROP DATABASE IF EXISTS {self.name}')
        except exc.SQLAlchemyError:
            pass
        if self.vhost:
            self._rabbitmqctl('delete_vhost', self.name)
            self.vhost = False

    def _reachable(self):
        urls = [self.admin]
        urls += [self.admin.update_query_dict({'unix_socket': path}) for path in SOCKETS]
        problem = None
        for url in urls:
            engine = sqlalchemy.create_engine(url, connect_args={'connect_timeout': 5})
            try:
                with engine.connect():
                    return url
            except exc.SQLAlchemyError as e:
                problem = problem or e
            finally:
                engine.dispose()
        reason = str(getattr(problem, 'orig', problem)).splitlines()[0]
        raise console.Failed(f'--real: MariaDB cannot be used ({reason}); '
                             'start it, or name another account with --database-admin')

    def _check_rabbit(self):
        url = 'amqp:' + self.rabbit.split(':', 1)[1]
        try:
            with kombu.Connection(url, connect_timeout=5) as probe:
                probe.ensure_connection(max_retries=1, timeout=5)
        except Exception as e:
            raise console.Failed(f'--real: RabbitMQ cannot be used ({str(e).splitlines()[0]}); '
                                 'start it, or name another address with --rabbit') from e

    def _sql(self, *statements):
        engine = sqlalchemy.create_engine(self.admin, isolation_level='AUTOCOMMIT',
                                          connect_args={'connect_timeout': 5})
        try:
            with engine.connect() as connection:
                for statement in statements:
                    connection.execute(sqlalchemy.text(statement))
        finally:
            engine.dispose()

    def _make_vhost(self):
        """A virtual host where rabbitmqctl may be used, else the one of the given URL."""
        if not shutil.which('rabbitmqctl'):
            return self.rabbit
        self._rabbitmqctl('delete_vhost', self.name)
        if self._rabbitmqctl('add_vhost', self.name):
            return self.rabbit
        user = self.rabbit.split('//', 1)[1].split(':', 1)[0]
        self._rabbitmqctl('set_permissions', '-p', self.name, user, '.*', '.*', '.*')
        self.vhost = True
        return self.rabbit.rsplit('/', 1)[0] + '/' + self.name

    @staticmethod
    def _rabbitmqctl(*words):
        try:
            return subprocess.run(['rabbitmqctl', '-q', *words], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  timeout=60).returncode
        except (OSError, subprocess.TimeoutExpired):
            return 1
