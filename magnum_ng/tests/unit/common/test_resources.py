# SPDX-License-Identifier: Apache-2.0
"""What drivers ask Neutron, Octavia, Nova and Cinder for."""

import types
from unittest import mock

from magnum_ng.common import cinder
from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.common import neutron
from magnum_ng.common import nova
from magnum_ng.common import octavia
from magnum_ng.tests import base

UUID = '5d12f6fd-a196-4bf0-ae4c-1f639a523a52'


def thing(**values):
    return types.SimpleNamespace(**values)


class ResourcesTestCase(base.TestCase):
    def setUp(self):
        super().setUp()
        self.cluster = thing(uuid=UUID)
        patched = mock.patch.object(clients, 'OpenStackClients')
        self.clients = patched.start().return_value
        self.addCleanup(patched.stop)


class TestNeutron(ResourcesTestCase):
    def setUp(self):
        super().setUp()
        self.proxy = self.clients.neutron.return_value
        self.proxy.networks.return_value = [thing(id='1', name='net'), thing(id='2', name='two'),
                                            thing(id='3', name='two')]
        self.proxy.subnets.return_value = [thing(id='4', name='sub')]

    def test_networks_and_subnets_are_found_by_what_they_are_named(self):
        self.assertEqual('1', neutron.get_network(
            self.context, 'net', source='name', target='id', external=True))
        self.proxy.networks.assert_called_once_with(name='net', is_router_external=True)
        self.assertEqual('sub', neutron.get_subnet(self.context, '4', source='id', target='name'))
        self.assertEqual('1', neutron.get_external_network_id(self.context, 'net'))
        self.assertEqual('4', neutron.get_fixed_subnet_id(self.context, 'sub'))
        self.assertEqual(UUID, neutron.get_fixed_subnet_id(self.context, UUID))
        self.assertEqual(UUID, neutron.get_external_network_id(self.context, UUID))
        self.assertEqual('net', neutron.get_fixed_network_name(self.context, 'net'))
        self.assertIsNone(neutron.get_fixed_subnet_id(self.context, None))

    def test_none_and_several_are_errors(self):
        for external, error in ((True, exception.ExternalNetworkNotFound),
                                (False, exception.FixedNetworkNotFound)):
            self.assertRaises(error, neutron.get_network, self.context, 'x', source='name',
                              target='id', external=external)
        self.assertRaises(exception.FixedSubnetNotFound, neutron.get_subnet, self.context, None,
                          source='name', target='id')
        self.assertRaises(exception.Conflict, neutron.get_network, self.context, 'two',
                          source='name', target='id', external=True)

    def test_a_failing_service_is_named_without_its_address(self):
        self.proxy.networks.side_effect = RuntimeError('http://internal')
        error = self.assertRaises(exception.BackendError, neutron.get_network, self.context,
                                  'net', source='name', target='id', external=True)
        self.assertNotIn('internal', str(error))

    def test_only_floating_ips_of_the_cluster_are_deleted(self):
        for description, deleted in (
                (f'Floating IP for Kubernetes external service a/b from cluster {UUID}', True),
                ('Floating IP for Kubernetes external service a/b from cluster x', False),
                (None, False)):
            self.proxy.delete_ip.reset_mock()
            self.proxy.ips.return_value = [thing(id='ip', description=description)]
            neutron.delete_floatingip(self.context, 'port', self.cluster)
            self.assertEqual(deleted, self.proxy.delete_ip.called)
        self.proxy.ips.side_effect = RuntimeError('no')
        self.assertRaises(exception.PreDeletionFailed, neutron.delete_floatingip, self.context,
                          'port', self.cluster)


class TestOctavia(ResourcesTestCase):
    def setUp(self):
        super().setUp()
        self.config('cluster', pre_delete_lb_timeout=0)
        self.proxy = self.clients.octavia.return_value
        self.clients.neutron.return_value.ips.return_value = []
        made = f'Kubernetes external service a/b from cluster {UUID}'
        self.balancers = [
            thing(id='1', description=made, provisioning_status='ACTIVE', vip_port_id='p'),
            thing(id='2', description=made + ', version: 3', provisioning_status='ERROR',
                  vip_port_id='p'),
            thing(id='3', description=made, provisioning_status='PENDING_DELETE',
                  vip_port_id='p'),
            thing(id='4', description=None, provisioning_status='ACTIVE', vip_port_id='p')]

    def test_the_clusters_load_balancers_are_deleted_and_waited_for(self):
        self.proxy.load_balancers.side_effect = [self.balancers, self.balancers[3:]]
        octavia.delete_loadbalancers(self.context, self.cluster)
        self.assertEqual([mock.call('1', cascade=True), mock.call('2', cascade=True)],
                         self.proxy.delete_load_balancer.mock_calls)
        self.assertEqual(2, self.proxy.load_balancers.call_count)

    def test_one_that_stays_stops_the_deletion(self):
        self.proxy.load_balancers.return_value = self.balancers
        error = self.assertRaises(exception.PreDeletionFailed, octavia.delete_loadbalancers,
                                  self.context, self.cluster)
        self.assertIn('Timeout', str(error))

    def test_drivers_delete_their_own_selection(self):
        started = octavia._delete_loadbalancers(
            self.context, self.balancers[:2], self.cluster, self.proxy, cascade=False)
        self.assertEqual({'1', '2'}, started)
        self.clients.neutron.assert_not_called()


class TestNovaAndCinder(ResourcesTestCase):
    def test_the_public_key_of_a_keypair(self):
        self.clients.nova.return_value.get_keypair.return_value = thing(public_key='ssh-rsa A\n')
        self.assertEqual('ssh-rsa A', nova.get_ssh_key(self.context, 'mine'))

    def test_volume_types_are_configured_or_any(self):
        proxy = self.clients.cinder.return_value
        proxy.types.return_value = [thing(name='slow')]
        for kind in ('docker', 'boot', 'etcd'):
            find = getattr(cinder, f'get_default_{kind}_volume_type')
            self.assertEqual('slow', find(self.context))
            self.config('cinder', **{f'default_{kind}_volume_type': 'fast'})
            self.assertEqual('fast', find(self.context))
        proxy.types.return_value = []
        self.config('cinder', default_boot_volume_type='')
        self.assertRaises(exception.VolumeTypeNotFound, cinder.get_default_boot_volume_type,
                          self.context)
