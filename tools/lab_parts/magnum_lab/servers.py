# SPDX-License-Identifier: Apache-2.0
"""What the lab has on MariaDB and RabbitMQ: databases, their user, a virtual host."""

import shutil
import subprocess

import kombu
import sqlalchemy
from sqlalchemy import exc

from magnum_demo import console
from magnum_demo import real
from magnum_lab import settings

DATABASES = ('keystone', 'glance', 'nova_api', 'nova', 'nova_cell0', 'neutron', 'barbican',
             'magnum')


class Servers:
    def __init__(self):
        self._admin = self._reachable()

    def check_bus(self):
        url = 'amqp:' + settings.RABBIT.split(':', 1)[1]
        try:
            with kombu.Connection(url, connect_timeout=5) as probe:
                probe.ensure_connection(max_retries=1, timeout=5)
        except Exception as e:
            raise console.Failed(f'RabbitMQ cannot be used ({str(e).splitlines()[0]}); start it, '
                                 'or name another address in LAB_RABBIT') from e

    @staticmethod
    def _reachable():
        admin = sqlalchemy.make_url(settings.DATABASE_ADMIN)
        problem = None
        for url in [admin] + [admin.update_query_dict({'unix_socket': path})
                              for path in real.SOCKETS]:
            engine = sqlalchemy.create_engine(url, isolation_level='AUTOCOMMIT',
                                              connect_args={'connect_timeout': 5})
            try:
                with engine.connect():
                    return engine
            except exc.SQLAlchemyError as e:
                problem = problem or e
        reason = str(getattr(problem, 'orig', problem)).splitlines()[0]
        raise console.Failed(f'MariaDB cannot be used ({reason}); start it, or name another '
                             'account that may create databases in LAB_DATABASE')

    def _sql(self, *statements):
        with self._admin.connect() as connection:
            return [connection.exec_driver_sql(text) for text in statements]

    def make_user(self):
        """The one user of the lab's databases, and of no other."""
        pattern = settings.PREFIX.replace('_', '\\_')
        for host in ('localhost', '127.0.0.1'):
            user = f"'{settings.PREFIX}'@'{host}'"
            secret = settings.password()
            self._sql(f"CREATE USER IF NOT EXISTS {user} IDENTIFIED BY '{secret}'",
                      f"ALTER USER {user} IDENTIFIED BY '{secret}'",
                      f"GRANT ALL ON `{pattern}\\_%%`.* TO {user}")

    def is_filled(self, name):
        with self._admin.connect() as connection:
            return bool(connection.execute(sqlalchemy.text(
                'SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = :name'),
                {'name': f'{settings.PREFIX}_{name}'}).scalar())

    def make_anew(self, *names):
        for name in names:
            # The services of the cloud have keys that are too long in four bytes.
            charset = 'utf8mb4' if name == 'magnum' else 'utf8mb3'
            self._sql(f'DROP DATABASE IF EXISTS `{settings.PREFIX}_{name}`',
                      f'CREATE DATABASE `{settings.PREFIX}_{name}` CHARACTER SET {charset}')

    def drop(self):
        for name in DATABASES:
            self._sql(f'DROP DATABASE IF EXISTS `{settings.PREFIX}_{name}`')
        for host in ('localhost', '127.0.0.1'):
            self._sql(f"DROP USER IF EXISTS '{settings.PREFIX}'@'{host}'")
        rabbitmqctl('delete_vhost', settings.PREFIX)

    @staticmethod
    def make_vhost():
        """A virtual host where rabbitmqctl may be used, else the one of the given URL."""
        if not shutil.which('rabbitmqctl'):
            return settings.RABBIT
        rabbitmqctl('add_vhost', settings.PREFIX)
        user = settings.RABBIT.split('//', 1)[1].split(':', 1)[0]
        if rabbitmqctl('set_permissions', '-p', settings.PREFIX, user, '.*', '.*', '.*'):
            return settings.RABBIT
        return settings.RABBIT.rsplit('/', 1)[0] + '/' + settings.PREFIX


def connection(name):
    """The URL of a database as the lab's own user."""
    admin = sqlalchemy.make_url(settings.DATABASE_ADMIN)
    port = f':{admin.port}' if admin.port else ''
    return (f'mysql+pymysql://{settings.PREFIX}:{settings.password()}@'
            f'{admin.host or settings.HOST}{port}/{settings.PREFIX}_{name}?charset=utf8mb4')


def rabbitmqctl(*words):
    try:
        return subprocess.run(['rabbitmqctl', '-q', *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=120, check=False).returncode
    except (OSError, subprocess.TimeoutExpired):
        return 1
