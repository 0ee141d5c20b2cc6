# SPDX-License-Identifier: Apache-2.0
"""Compute (Nova v2.1): flavors and key pairs."""

import base64
import binascii
import hashlib
import uuid

from magnum_demo.cloud.web import Answer
from magnum_demo.cloud.web import body_of
from magnum_demo.cloud.web import find
from magnum_demo.cloud.web import Problem
from magnum_demo.cloud.web import route
from magnum_demo.cloud.web import select
from magnum_demo.cloud.web import Service


class Compute(Service):
    name, type, prefix, suffix = 'nova', 'compute', '/compute', '/v2.1'

    def __init__(self, cloud):
        super().__init__(cloud)
        self.flavors = []
        self.keypairs = []

    def problem(self, status, message):
        kind = {401: 'unauthorized', 404: 'itemNotFound', 409: 'conflictingRequest'}
        return {kind.get(status, 'badRequest'): {'code': status, 'message': message}}

    def add_flavor(self, name, vcpus, ram, disk):
        flavor = {
            'id': str(uuid.uuid4()), 'name': name, 'vcpus': vcpus, 'ram': ram, 'disk': disk,
            'swap': 0, 'rxtx_factor': 1.0, 'OS-FLV-EXT-DATA:ephemeral': 0,
            'OS-FLV-DISABLED:disabled': False, 'os-flavor-access:is_public': True,
            'description': None, 'extra_specs': {}, 'links': []}
        self.flavors.append(flavor)
        return flavor

    def add_keypair(self, name, public_key, user_id):
        try:
            raw = base64.b64decode(public_key.split()[1])
        except (IndexError, binascii.Error):
            raise Problem(400, 'Keypair data is invalid.') from None
        digest = hashlib.md5(raw, usedforsecurity=False).hexdigest()
        keypair = {
            'id': len(self.keypairs) + 1, 'name': name, 'type': 'ssh', 'public_key': public_key,
            'fingerprint': ':'.join(digest[i:i + 2] for i in range(0, 32, 2)),
            'user_id': user_id, 'created_at': '2026-01-01T00:00:00', 'deleted': False,
            'deleted_at': None, 'updated_at': None}
        self.keypairs.append(keypair)
        return keypair

    def _version(self):
        return {'id': 'v2.1', 'status': 'CURRENT', 'version': '2.100', 'min_version': '2.1',
                'updated': '2013-07-23T11:33:21Z', 'media-types': [],
                'links': [{'rel': 'self', 'href': self.url + '/v2.1/'}]}

    @route('GET', '', public=True)
    def versions(self, request):
        return {'versions': [self._version()]}

    @route('GET', '/v2.1', public=True)
    def version(self, request):
        return {'version': self._version()}

    @route('GET', '/v2.1/flavors')
    def list_flavors(self, request):
        rows = select(self.flavors, request)
        return {'flavors': [{k: f[k] for k in ('id', 'name', 'links', 'description')}
                            for f in rows]}

    @route('GET', '/v2.1/flavors/detail')
    def list_flavor_details(self, request):
        return {'flavors': select(self.flavors, request)}

    @route('GET', '/v2.1/flavors/{flavor}')
    def show_flavor(self, request, flavor):
        return {'flavor': find(self.flavors, flavor, 'Flavor')}

    @route('GET', '/v2.1/flavors/{flavor}/os-extra_specs')
    def show_extra_specs(self, request, flavor):
        return {'extra_specs': find(self.flavors, flavor, 'Flavor')['extra_specs']}

    def _own(self, request):
        return [k for k in self.keypairs if k['user_id'] == request.token.user['id']]

    @route('GET', '/v2.1/os-keypairs')
    def list_keypairs(self, request):
        return {'keypairs': [{'keypair': k} for k in self._own(request)]}

    @route('POST', '/v2.1/os-keypairs')
    def create_keypair(self, request):
        wanted = body_of(request, 'keypair')
        name, public_key = wanted.get('name'), wanted.get('public_key')
        if not name or not public_key:
            raise Problem(400, 'A key pair needs a name and a public key here.')
        if any(k['name'] == name for k in self._own(request)):
            raise Problem(409, f"Key pair '{name}' already exists.")
        return {'keypair': self.add_keypair(name, public_key, request.token.user['id'])}

    @route('GET', '/v2.1/os-keypairs/{keypair}')
    def show_keypair(self, request, keypair):
        return {'keypair': find(self._own(request), keypair, 'Keypair', key='name')}

    @route('DELETE', '/v2.1/os-keypairs/{keypair}')
    def delete_keypair(self, request, keypair):
        self.keypairs.remove(find(self._own(request), keypair, 'Keypair', key='name'))
        return Answer(status=202)

    @route('GET', '/v2.1/servers/detail')
    def list_servers(self, request):
        return {'servers': []}
