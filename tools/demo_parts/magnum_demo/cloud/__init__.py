# SPDX-License-Identifier: Apache-2.0
"""A small OpenStack in one process: as much of it as Magnum and its clients call.

Real HTTP with real status codes and real tokens, but nothing behind it: everything is kept in
memory and gone when the server stops.

    with Cloud() as cloud:
        cloud.set_endpoint('magnum', 'container-infra', 'http://127.0.0.1:9511/v1')
        token = cloud.token('demo')
        print(cloud.auth_url, cloud.user('demo').password)
"""

import base64
import collections
import secrets
import threading
import time

import webob
import webob.dec

from magnum_demo import server
from magnum_demo.cloud.compute import Compute
from magnum_demo.cloud.identity import Identity
from magnum_demo.cloud.image import Image
from magnum_demo.cloud.keymanager import KeyManager
from magnum_demo.cloud.network import Network

User = collections.namedtuple('User', 'name password project roles id project_id')

# user: (project, roles)
PEOPLE = {
    'admin': ('admin', ['admin']),
    'demo': ('demo', ['member']),
    'demo-reader': ('demo', ['reader']),
    'other': ('other', ['member']),
    'magnum': ('service', ['admin', 'service']),
}
# Nobody has the private half: the key is made of a fixed, made-up point.
SSH_KEY = 'ssh-ed25519 %s demo' % base64.b64encode(
    b'\0\0\0\x0bssh-ed25519\0\0\0\x20' + b'demo' * 8).decode()
REQUESTS_KEPT = 10000


class Cloud:
    """The embedded cloud. start() gives it an address; port 0 takes any free one."""

    region = 'RegionOne'

    def __init__(self, host='127.0.0.1', port=0, password=None, url=None):
        self.url = url
        self.calls = collections.deque(maxlen=REQUESTS_KEPT)
        self._faults = {}
        self._server = server.Server(self.app, host, port)
        if url is None:
            self.url = self._server.url
        self.identity = Identity(self)
        self.image = Image(self)
        self.compute = Compute(self)
        self.network = Network(self)
        self.key_manager = KeyManager(self)
        self.services = (self.identity, self.image, self.compute, self.network, self.key_manager)
        self._users = {}
        self._seed(password)

    def _seed(self, password):
        for name, (project_name, role_names) in PEOPLE.items():
            project = next((p for p in self.identity.projects if p['name'] == project_name), None)
            project = project or self.identity.add_project(project_name)
            secret = password or secrets.token_urlsafe(16)
            user = self.identity.add_user(name, secret)
            for role in self.identity.roles:
                if role['name'] in role_names:
                    self.identity.grant(user['id'], project['id'], role['id'])
            self._users[name] = User(name, secret, project_name, tuple(role_names), user['id'],
                                     project['id'])
        for service in self.services:
            self.identity.set_endpoint(service.name, service.type, service.url + service.suffix,
                                       self.region)
        self.image.add('ubuntu-demo', os_distro='ubuntu')
        self.image.add('flatcar-demo', os_distro='flatcar')
        self.image.add('plain-demo')
        self.compute.add_flavor('m1.small', 1, 2048, 20)
        self.compute.add_flavor('m1.medium', 2, 4096, 40)
        self.compute.add_flavor('m1.large', 4, 8192, 80)
        for name in ('demo', 'other'):
            self.compute.add_keypair('demo-key', SSH_KEY, self._users[name].id)
        self.network.add('public', '203.0.113.0/24', self.project('admin')['id'], external=True)
        self.network.add('private', '10.11.0.0/24', self.project('demo')['id'])

    # -- serving -----------------------------------------------------------------------------
    @webob.dec.wsgify
    def app(self, request):
        path = request.path_info
        self.calls.append(f'{request.method} {path}')
        for service in self.services:
            if path == service.prefix or path.startswith(service.prefix + '/'):
                fault = self._faults.get(service.type)
                if fault is not None:
                    status, delay = fault
                    time.sleep(delay)
                    if status:
                        return webob.Response(status=status, text='out of order\n')
                request.path_info = path[len(service.prefix):]
                return service.handle(request)
        return webob.Response(status=404, text='no such service\n')

    def start(self):
        self._server.start()
        return self

    def stop(self):
        self._server.stop()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    # -- for tests and for whoever writes a configuration ------------------------------------
    @property
    def auth_url(self):
        return self.url + '/identity/v3'

    def user(self, name):
        return self._users[name]

    def project(self, name):
        return next(p for p in self.identity.projects if p['name'] == name)

    def token(self, name):
        """A fresh project-scoped token of a user."""
        user = self._users[name]
        return self.identity.issue(user.id, user.project_id).id

    def set_endpoint(self, name, kind, url):
        self.identity.set_endpoint(name, kind, url, self.region)

    def disturb(self, kind, status=None, delay=0):
        """Make the service of a type answer with an error, or late, until mend()."""
        self._faults[kind] = (status, delay)

    def mend(self):
        self._faults.clear()


def serve_until_stopped(cloud, stopped=None):
    """Serve in this thread until the event is set."""
    stopped = stopped or threading.Event()
    cloud.start()
    try:
        stopped.wait()
    finally:
        cloud.stop()
