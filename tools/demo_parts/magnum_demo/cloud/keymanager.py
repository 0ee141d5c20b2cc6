# SPDX-License-Identifier: Apache-2.0
"""Key manager (Barbican v1): secrets, certificate containers and their consumers."""

import base64
import binascii
import datetime
import uuid

import webob.exc

from magnum_demo.cloud.web import Answer
from magnum_demo.cloud.web import body_of
from magnum_demo.cloud.web import Problem
from magnum_demo.cloud.web import route
from magnum_demo.cloud.web import Service


def moment():
    return datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S')


class KeyManager(Service):
    name, type, prefix, suffix = 'barbican', 'key-manager', '/key-manager', ''

    def __init__(self, cloud):
        super().__init__(cloud)
        self.secrets = {}
        self.containers = {}

    def problem(self, status, message):
        return {'code': status, 'title': webob.exc.status_map[status].title,
                'description': message}

    def _versions(self):
        return {'versions': [{
            'id': 'v1', 'status': 'CURRENT', 'min_version': '1.0', 'max_version': '1.1',
            'links': [{'rel': 'self', 'href': self.url + '/v1/'}],
            'media-types': [{'base': 'application/json',
                             'type': 'application/vnd.openstack.key-manager-v1+json'}]}]}

    @route('GET', '', public=True)
    def versions(self, request):
        return Answer(self._versions(), 300)

    @route('GET', '/v1', public=True)
    def version(self, request):
        return {'version': self._versions()['versions'][0]}

    def _of(self, kind, request, ident):
        item = getattr(self, kind).get(ident)
        if item is None:
            raise Problem(404, f'Not Found. Sorry but your {kind[:-1]} is in another castle.')
        if item['project'] != request.token.project_id and not request.token.is_admin:
            raise Problem(403, f'The request to read this {kind[:-1]} is forbidden.')
        return item

    # -- secrets -----------------------------------------------------------------------------
    @route('POST', '/v1/secrets')
    def create_secret(self, request):
        wanted = body_of(request)
        payload = wanted.get('payload')
        if payload is not None and wanted.get('payload_content_encoding') == 'base64':
            try:
                payload = base64.b64decode(payload, validate=True).decode('latin-1')
            except binascii.Error:
                raise Problem(400, 'The payload is not valid base64.') from None
        ident = str(uuid.uuid4())
        ref = f'{self.url}/v1/secrets/{ident}'
        self.secrets[ident] = {'project': request.token.project_id, 'payload': payload, 'body': {
            'secret_ref': ref, 'name': wanted.get('name') or ident, 'status': 'ACTIVE',
            'secret_type': wanted.get('secret_type') or 'opaque', 'created': moment(),
            'updated': moment(), 'expiration': wanted.get('expiration'),
            'creator_id': request.token.user['id'], 'algorithm': wanted.get('algorithm'),
            'bit_length': wanted.get('bit_length'), 'mode': wanted.get('mode'),
            'content_types': {'default': wanted.get('payload_content_type') or 'text/plain'}}}
        return Answer({'secret_ref': ref}, 201, {'Location': ref})

    @route('GET', '/v1/secrets')
    def list_secrets(self, request):
        rows = [s['body'] for s in self.secrets.values()
                if s['project'] == request.token.project_id]
        return {'secrets': rows, 'total': len(rows)}

    @route('GET', '/v1/secrets/{secret}')
    def show_secret(self, request, secret):
        item = self._of('secrets', request, secret)
        accept = request.headers.get('Accept', '')
        if accept.startswith(('text/plain', 'application/octet-stream')):
            return self.payload(request, secret)
        return item['body']

    @route('GET', '/v1/secrets/{secret}/payload')
    def payload(self, request, secret):
        item = self._of('secrets', request, secret)
        return Answer(text=item['payload'] or '',
                      headers={'Content-Type': item['body']['content_types']['default']})

    @route('DELETE', '/v1/secrets/{secret}')
    def delete_secret(self, request, secret):
        self._of('secrets', request, secret)
        del self.secrets[secret]
        return Answer(status=204)

    # -- containers --------------------------------------------------------------------------
    @route('POST', '/v1/containers')
    def create_container(self, request):
        wanted = body_of(request)
        ident = str(uuid.uuid4())
        ref = f'{self.url}/v1/containers/{ident}'
        self.containers[ident] = {'project': request.token.project_id, 'body': {
            'container_ref': ref, 'name': wanted.get('name'), 'type': wanted.get('type'),
            'secret_refs': wanted.get('secret_refs') or [], 'status': 'ACTIVE',
            'creator_id': request.token.user['id'], 'created': moment(), 'updated': moment(),
            'consumers': []}}
        return Answer({'container_ref': ref}, 201, {'Location': ref})

    @route('GET', '/v1/containers')
    def list_containers(self, request):
        rows = [c['body'] for c in self.containers.values()
                if c['project'] == request.token.project_id]
        return {'containers': rows, 'total': len(rows)}

    @route('GET', '/v1/containers/{container}')
    def show_container(self, request, container):
        return self._of('containers', request, container)['body']

    @route('DELETE', '/v1/containers/{container}')
    def delete_container(self, request, container):
        self._of('containers', request, container)
        del self.containers[container]
        return Answer(status=204)

    @route('POST', '/v1/containers/{container}/consumers')
    def add_consumer(self, request, container):
        body = self._of('containers', request, container)['body']
        consumer = {key: body_of(request).get(key) for key in ('name', 'URL')}
        if consumer not in body['consumers']:
            body['consumers'].append(consumer)
        return body

    @route('DELETE', '/v1/containers/{container}/consumers')
    def remove_consumer(self, request, container):
        body = self._of('containers', request, container)['body']
        consumer = {key: body_of(request).get(key) for key in ('name', 'URL')}
        if consumer not in body['consumers']:
            raise Problem(404, 'No consumer matches.')
        body['consumers'].remove(consumer)
        return body
