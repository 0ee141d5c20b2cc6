# SPDX-License-Identifier: Apache-2.0
"""The commands that make the services' databases."""

import os

from magnum_lab import configuration
from magnum_lab import settings

DATABASES = {'keystone': ('keystone',), 'glance': ('glance',),
             'nova': ('nova_api', 'nova', 'nova_cell0'), 'neutron': ('neutron',),
             'barbican': ('barbican',)}


def commands(service):
    """The commands of a service, in their order; on empty databases, once."""
    folder = configuration.path('etc', service)

    def program(name, *configs):
        return [os.path.join(settings.VENV, 'bin', name),
                *(word for file in configs
                  for word in ('--config-file', os.path.join(folder, file)))]

    return _COMMANDS[service](program)


def _keystone(program):
    manage = program('keystone-manage', 'keystone.conf')
    who = ['--keystone-user', str(os.getuid()), '--keystone-group', str(os.getgid())]
    url = settings.url('keystone')
    return [
        manage + ['db_sync'],
        manage + ['fernet_setup', *who],
        manage + ['credential_setup', *who],
        # The password is passed in the environment: command lines are for all to read.
        manage + ['bootstrap', '--bootstrap-username', 'admin', '--bootstrap-project-name',
                  'admin', '--bootstrap-role-name', 'admin', '--bootstrap-service-name',
                  'keystone', '--bootstrap-region-id', settings.REGION,
                  '--bootstrap-admin-url', url, '--bootstrap-internal-url', url,
                  '--bootstrap-public-url', url]]


def _glance(program):
    return [program('glance-manage', 'glance-api.conf') + ['db_sync']]


def _nova(program):
    manage = program('nova-manage', 'nova.conf')
    return [
        manage + ['api_db', 'sync'],
        # Its database is the other one's with _cell0 after it.
        manage + ['cell_v2', 'map_cell0'],
        manage + ['db', 'sync'],
        manage + ['cell_v2', 'create_cell', '--name', 'cell1']]


def _neutron(program):
    return [program('neutron-db-manage', 'neutron.conf', 'ml2_conf.ini') + ['upgrade', 'heads']]


def _barbican(program):
    return [program('barbican-manage') + ['db', 'upgrade']]


_COMMANDS = {'keystone': _keystone, 'glance': _glance, 'nova': _nova, 'neutron': _neutron,
             'barbican': _barbican}
