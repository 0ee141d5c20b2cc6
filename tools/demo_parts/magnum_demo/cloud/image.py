# SPDX-License-Identifier: Apache-2.0
"""Image (Glance v2): public images with the properties that Magnum reads."""

import uuid

from magnum_demo.cloud.web import Answer
from magnum_demo.cloud.web import find
from magnum_demo.cloud.web import route
from magnum_demo.cloud.web import select
from magnum_demo.cloud.web import Service


class Image(Service):
    name, type, prefix, suffix = 'glance', 'image', '/image', ''

    def __init__(self, cloud):
        super().__init__(cloud)
        self.images = []

    def add(self, name, **properties):
        ident = str(uuid.uuid4())
        image = {
            'id': ident, 'name': name, 'status': 'active', 'visibility': 'public',
            'container_format': 'bare', 'disk_format': 'qcow2', 'min_disk': 0, 'min_ram': 0,
            'size': 1 << 20, 'virtual_size': None, 'owner': self.cloud.project('admin')['id'],
            'tags': [], 'protected': False, 'os_hidden': False, 'os_hash_algo': 'sha512',
            'os_hash_value': None, 'checksum': None, 'created_at': '2026-01-01T00:00:00Z',
            'updated_at': '2026-01-01T00:00:00Z', 'self': f'/v2/images/{ident}',
            'file': f'/v2/images/{ident}/file', 'schema': '/v2/schemas/image', **properties}
        self.images.append(image)
        return image

    def _versions(self):
        return {'versions': [
            {'id': f'v2.{minor}', 'status': 'CURRENT' if minor == 17 else 'SUPPORTED',
             'links': [{'rel': 'self', 'href': self.url + '/v2/'}]}
            for minor in range(17, -1, -1)]}

    @route('GET', '', public=True)
    def versions(self, request):
        return Answer(self._versions(), 300)

    @route('GET', '/versions', public=True)
    def version_list(self, request):
        return self._versions()

    @route('GET', '/v2/images')
    def list_images(self, request):
        rows = select(self.images, request, 'name', 'id', 'os_distro', 'status', 'visibility')
        return {'images': rows, 'first': '/v2/images', 'schema': '/v2/schemas/images'}

    @route('GET', '/v2/images/{image}')
    def show_image(self, request, image):
        return find(self.images, image, 'Image')
