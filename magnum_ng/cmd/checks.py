# SPDX-License-Identifier: Apache-2.0
"""What a command looks at before it starts, so that a wrong option is one line and an exit."""

import os

from oslo_config import cfg
from oslo_db import exception as db_exc
import oslo_messaging as messaging
import sqlalchemy.exc

from magnum_ng.common import cert_manager
from magnum_ng.common import rpc
from magnum_ng.common import service
from magnum_ng.conductor import reasons
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import session
from magnum_ng.drivers.common import driver

CONF = magnum_ng.conf.CONF


def check_messaging():
    try:
        rpc.init(CONF)
    except (messaging.InvalidTransportURL, messaging.DriverLoadFailure) as error:
        service.fail(f'[DEFAULT]transport_url cannot be used: {reasons.first_line(error)}')
    except ValueError:
        # Its text has what was taken for the port: a part of the password, more often than not.
        service.fail('[DEFAULT]transport_url cannot be used: a port is not a number. Characters '
                     'such as # and / in a password have to be written as %23 and %2F')
    finally:
        # The worker processes make their own.
        rpc.cleanup()


def check_certificates():
    try:
        cert_manager.get_backend()
    except Exception as error:
        service.fail(f'[certificates]cert_manager_type = {CONF.certificates.cert_manager_type} '
                     f'cannot be used: {error}')


def check_drivers():
    infos = driver.report()
    if not any(not info.error and not info.disabled for info in infos):
        why = '; '.join(f'{info.name}: {info.error or "in [drivers]disabled_drivers"}'
                        for info in infos)
        service.fail('No cluster driver can be used: install one (entry-point group '
                     f'magnum.drivers) or see [drivers]. {why or "None is installed"}')


def check_database():
    try:
        engine = session.get_engine()
        with engine.connect() as connection:
            connection.exec_driver_sql('SELECT 1 FROM ng_conductor WHERE 1 = 0')
        # No connection is to be shared with the worker processes.
        engine.dispose()
    except (db_exc.DBNonExistentTable, sqlalchemy.exc.ProgrammingError) as error:
        service.fail('The database of [database]connection does not have the tables of this '
                     f'release: run magnum-db-manage upgrade ({reasons.first_line(error)})')
    except Exception as error:
        service.fail(f'[database]connection cannot be used: {reasons.first_line(error)}')


def load_api(load):
    """The application that a function loads from the paste file."""
    try:
        return load()
    except cfg.ConfigFilesNotFoundError as error:
        service.fail(f'[api]api_paste_config = {CONF.api.api_paste_config} cannot be found: '
                     f'{reasons.first_line(error)}')
    except Exception as error:
        service.fail(f'[api]api_paste_config = {CONF.api.api_paste_config} cannot be used: '
                     f'{type(error).__name__}: {reasons.first_line(error)}')


def check_tls_files():
    """With [api]enabled_ssl, the certificate and its key have to be readable."""
    for option in ('ssl_cert_file', 'ssl_key_file'):
        path = getattr(CONF.api, option)
        if not path:
            service.fail(f'[api]enabled_ssl needs [api]{option}')
        if not os.access(path, os.R_OK):
            service.fail(f'[api]{option} = {path} cannot be read')
