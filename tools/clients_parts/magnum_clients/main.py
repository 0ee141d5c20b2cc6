# SPDX-License-Identifier: Apache-2.0
"""All clients, one after another, and a summary."""

import os
import pathlib
import secrets
import subprocess

from magnum_clients import coe
from magnum_clients import report
from magnum_clients import sdk
from magnum_clients import wire

ROOT = pathlib.Path(__file__).resolve().parents[3]

WALKS = {'coe': coe.Walk, 'sdk': sdk.Walk, 'wire': wire.Walk}


class Cloud:
    """The cloud that is meant: a user's variables, an administrator's, what there is."""

    def __init__(self):
        import openstack

        self.variables, self.admin_variables = self._variables()
        self.image = os.environ.get('CLIENTS_IMAGE', 'ubuntu')
        self.flavor = os.environ.get('CLIENTS_FLAVOR', 'm1.small')
        self.network = os.environ.get('CLIENTS_NETWORK', 'public')
        self.keypair = os.environ.get('CLIENTS_KEYPAIR', 'demo')
        for name in [name for name in os.environ if name.startswith('OS_')]:
            del os.environ[name]
        self.connection = self.connect()
        self.admin = openstack.connect(
            load_yaml_config=False, **self._words(self.admin_variables))
        self.project_id = self.connection.current_project_id
        self.magnum_url = self.connection.session.get_endpoint(
            service_type='container-infra', interface='public',
            region_name=self.variables.get('OS_REGION_NAME')).rstrip('/')

    def connect(self, **more):
        """A connection of the SDK as the user."""
        import openstack

        return openstack.connect(load_yaml_config=False, **self._words(self.variables), **more)

    @staticmethod
    def _words(variables):
        return {name.removeprefix('OS_').lower(): value for name, value in variables.items()
                if name != 'OS_IDENTITY_API_VERSION'}

    @staticmethod
    def _variables():
        """Those of the environment, with CLIENTS_ADMIN_* over them for the administrator."""
        given = {key: value for key, value in os.environ.items() if key.startswith('OS_')}
        if given.get('OS_AUTH_URL'):
            admin = {'OS_' + key.removeprefix('CLIENTS_ADMIN_'): value
                     for key, value in os.environ.items() if key.startswith('CLIENTS_ADMIN_')}
            return given, {**given, **admin}
        from magnum_lab import inquiries
        from magnum_lab import settings

        lab = ROOT / 'tools' / 'lab'
        if subprocess.run([lab, 'status'], check=False,
                          stdout=subprocess.DEVNULL).returncode:
            subprocess.run([lab, 'up'], check=True)
        print(f'Against the lab: {settings.url("magnum-api")}', flush=True)
        return inquiries.variables('demo'), inquiries.variables('admin')

    def token(self, admin=False):
        return (self.admin if admin else self.connection).session.get_token()


def main(names):
    found = report.Report()
    cloud = Cloud()
    prefix = 'clients-' + secrets.token_hex(3)
    for name in names or WALKS:
        WALKS[name](found, cloud, f'{prefix}-{name}').run()
    return found.finish()
