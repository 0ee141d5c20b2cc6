# SPDX-License-Identifier: Apache-2.0
"""The base of tests of clusters, templates and nodegroups: a small cloud and two drivers."""

import collections
from unittest import mock

from magnum_ng.api import attr_validator
from magnum_ng.common import exception
from magnum_ng.drivers.common import driver
from magnum_ng.tests.unit.api import base
from magnum_ng.tests.unit.objects import utils as obj_utils

EntryPoint = collections.namedtuple('EntryPoint', 'name value')


class FakeDriver(driver.Driver):
    """Provides Kubernetes on Ubuntu; only the methods that the API asks are of any use."""

    OS = ('ubuntu',)

    @property
    def provides(self):
        return [{'server_type': 'vm', 'os': os, 'coe': 'kubernetes'} for os in self.OS]

    def validate_master_resize(self, node_count):
        self.validate_master_size(node_count)


def _not_for_the_api(self, *args, **kwargs):
    raise AssertionError('the API calls no driver')


for _name in FakeDriver.__abstractmethods__ - {'provides'}:
    setattr(FakeDriver, _name, _not_for_the_api)
FakeDriver.__abstractmethods__ = frozenset()


class OtherDriver(FakeDriver):
    OS = ('ubuntu', 'flatcar')


class Cloud:
    """What the API asks other services, answered from these sets; every question is noted."""

    def __init__(self):
        self.images = {'ubuntu': {'id': 'ubuntu', 'os_distro': 'ubuntu'},
                       'flatcar': {'id': 'flatcar', 'os_distro': 'flatcar'},
                       'coreos': {'id': 'coreos', 'os_distro': 'coreos'},
                       'pinned': {'id': 'pinned', 'os_distro': 'ubuntu',
                                  'magnum_driver': 'other'}}
        self.keypairs = {'keypair1'}
        self.flavors = {'m1.small': 20, 'm1.zero': 0}
        self.questions = []

    def prefetch(self, cli, values, cluster=None):
        self.questions.append(('ahead', values['image_id'], values['flavor_id']))

    def validate_image(self, cli, image_id):
        self.questions.append(('image', image_id))
        if image_id not in self.images:
            raise exception.ImageNotFound(image_id=image_id)
        return self.images[image_id]

    def validate_keypair(self, cli, keypair):
        self.questions.append(('keypair', keypair))
        if keypair not in self.keypairs:
            raise exception.KeyPairNotFound(keypair=keypair)

    def validate_flavor_root_volume_size(self, cli, flavor, boot_volume_size):
        self.questions.append(('root volume', flavor, boot_volume_size))
        if boot_volume_size:
            return
        if flavor not in self.flavors:
            raise exception.FlavorNotFound(flavor=flavor)
        if not self.flavors[flavor]:
            raise exception.FlavorZeroRootVolumeNotSupported()

    def validate_os_resources(self, context, cluster_template, cluster=None):
        asked = {name: (cluster or {}).get(name) or cluster_template.get(name)
                 for name in ('image_id', 'flavor_id', 'master_flavor_id', 'fixed_network',
                              'fixed_subnet', 'external_network_id')}
        self.questions.append(('resources', asked))
        for name in ('flavor_id', 'master_flavor_id'):
            if asked[name] and asked[name] not in self.flavors:
                raise exception.FlavorNotFound(flavor=asked[name])
        if cluster and cluster.get('keypair'):
            self.validate_keypair(None, cluster['keypair'])


class ClusterTest(base.FunctionalTest):
    """Requests about clusters against ``self.cloud``, with the drivers ``fake`` and ``other``."""

    def setUp(self):
        super().setUp()
        self.cloud = Cloud()
        for name in ('prefetch', 'validate_image', 'validate_keypair', 'validate_os_resources',
                     'validate_flavor_root_volume_size'):
            self._replace(attr_validator, name, getattr(self.cloud, name))
        entry_points = [(EntryPoint('other', 'x:Other'), OtherDriver),
                        (EntryPoint('fake', 'x:Fake'), FakeDriver)]
        self._replace(driver.Driver, 'load_entry_points', classmethod(lambda cls: entry_points))
        self._replace(driver.Driver, 'definitions', None)

    def _replace(self, owner, name, value):
        patcher = mock.patch.object(owner, name, value, create=True)
        patcher.start()
        self.addCleanup(patcher.stop)

    def make_template(self, **values):
        values = {'docker_storage_driver': None, 'driver': 'fake', 'labels': {}, **values}
        return obj_utils.create_test_cluster_template(self.context, **values)

    def make_cluster(self, template=None, **values):
        """A settled cluster of one master and three workers."""
        template = template or self.make_template(uuid=None)
        values = {'status': 'CREATE_COMPLETE', 'labels': {}, 'master_count': 1,
                  'cluster_template_id': template.uuid, **values}
        return obj_utils.create_test_cluster(self.context, **values)

    def detail(self, response, status=400):
        """The text of an error, whose status is checked."""
        self.assertEqual(status, response.status_int, response.text)
        return self.error(response)['detail']
