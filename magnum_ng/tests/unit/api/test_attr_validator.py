# SPDX-License-Identifier: Apache-2.0
"""The rules against the services' REST APIs, as they are seen on the network."""

import threading
from unittest import mock
from urllib import parse

import requests
import requests_mock
from openstack.image.v2 import image as sdk_image
from requests_mock.contrib import fixture

from magnum_ng.api import attr_validator
from magnum_ng.api import cloud
from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.common import keystone
from magnum_ng.tests import base
from magnum_ng.tests import fakes

CLOUD = 'http://cloud.test'
IDS = {name: f'00000000-0000-4000-8000-{number:012d}' for number, name in enumerate((
    'image', 'other image', 'twin image', 'flavor', 'diskless', 'external', 'net', 'twin net',
    'subnet', 'unknown'))}


def catalog():
    def service(kind, path):
        return {'type': kind, 'name': kind, 'endpoints': [
            {'interface': 'public', 'region': 'RegionOne', 'region_id': 'RegionOne',
             'url': CLOUD + path}]}

    return [service('compute', '/compute/v2.1'), service('image', '/image/v2'),
            service('network', '/network/v2.0')]


class Cloud:
    """Just enough of Nova, Glance and Neutron; ``calls`` is what was asked."""

    def __init__(self, mocker):
        self.calls, self.failures = [], {}
        self.images = [
            {'id': IDS['image'], 'name': 'jammy', 'os_distro': 'ubuntu'},
            {'id': IDS['other image'], 'name': 'plain'},
            {'id': IDS['twin image'], 'name': 'twin', 'os_distro': 'ubuntu'},
            {'id': IDS['unknown'][:-1] + 'f', 'name': 'twin', 'os_distro': 'ubuntu'}]
        self.flavors = [{'id': IDS['flavor'], 'name': 'm1', 'disk': 20},
                        {'id': IDS['diskless'], 'name': 'm0', 'disk': 0},
                        {'id': '7', 'name': 'm7', 'disk': 7}]
        self.networks = [
            {'id': IDS['external'], 'name': 'public', 'router:external': True},
            {'id': IDS['net'], 'name': 'private', 'router:external': False},
            {'id': IDS['twin net'], 'name': 'twin', 'router:external': True},
            {'id': IDS['unknown'][:-1] + 'e', 'name': 'twin', 'router:external': True}]
        self.subnets = [{'id': IDS['subnet'], 'name': 'sub', 'network_id': IDS['net']}]
        mocker.register_uri(requests_mock.ANY, requests_mock.ANY, json=self.answer)
        self.lock = threading.Lock()

    def answer(self, request, context):
        url = parse.urlsplit(request.url)
        path = parse.unquote(url.path)
        with self.lock:
            self.calls.append(path + ('?' + url.query if url.query else ''))
        for part, failure in self.failures.items():
            if part in path:
                if isinstance(failure, Exception):
                    raise failure
                context.status_code = failure[0]
                return failure[1]
        query = dict(parse.parse_qsl(url.query))
        if path == '/compute/v2.1/flavors':
            return {'flavors': [{key: flavor[key] for key in ('id', 'name')}
                                for flavor in self.flavors]}
        for prefix, key, one, items in (
                ('/compute/v2.1/flavors/detail', 'flavors', None, self.flavors),
                ('/image/v2/images', 'images', None, self.images),
                ('/compute/v2.1/flavors', 'flavors', 'flavor', self.flavors),
                ('/network/v2.0/networks', 'networks', 'network', self.networks),
                ('/network/v2.0/subnets', 'subnets', 'subnet', self.subnets)):
            if path == prefix:
                return {key: [item for item in items if self.matches(item, query)]}
            if path.startswith(prefix + '/'):
                found = [item for item in items if item['id'] == path[len(prefix) + 1:]]
                if found:
                    return {one: found[0]} if one else found[0]
        if path == '/compute/v2.1/os-keypairs/mine':
            return {'keypair': {'name': 'mine'}}
        context.status_code = 404
        return {'itemNotFound': {'message': f'http://internal.test{path}'}}

    @staticmethod
    def matches(item, query):
        return all(str(item.get(key)) == query[key]
                   for key in ('id', 'name', 'router:external') if key in query)


class ValidatorTestCase(base.TestCase):
    def setUp(self):
        super().setUp()
        keystone.forget_sessions()
        self.addCleanup(keystone.forget_sessions)
        self.mocker = self.useFixture(fixture.Fixture())
        self.cloud = Cloud(self.mocker)
        self.context = self.make_context(auth_token_info=fakes.token_info(catalog=catalog()),
                                         auth_url=CLOUD + '/identity/v3')
        self.cli = clients.OpenStackClients(self.context)


class TestImage(ValidatorTestCase):
    def test_an_image_is_found_by_id_and_by_name(self):
        for ident in (IDS['image'], 'jammy'):
            self.assertEqual('ubuntu', attr_validator.validate_image(self.cli, ident)['os_distro'])
        self.assertEqual([f"/image/v2/images/{IDS['image']}",
                          '/image/v2/images?name=jammy&limit=2'], self.cloud.calls)

    def test_one_look_at_an_image_is_enough_for_a_request(self):
        for _time in range(3):
            attr_validator.validate_image(clients.OpenStackClients(self.context), 'jammy')
        self.assertEqual(1, len(self.cloud.calls))
        other = self.make_context(auth_token_info=fakes.token_info(catalog=catalog()))
        attr_validator.validate_image(clients.OpenStackClients(other), 'jammy')
        self.assertEqual(2, len(self.cloud.calls))

    def test_every_refusal_has_its_own_error(self):
        for ident, error in ((IDS['unknown'], exception.ImageNotFound),
                             ('nope', exception.ImageNotFound),
                             ('plain', exception.OSDistroFieldNotFound)):
            self.assertRaises(error, attr_validator.validate_image, self.cli, ident)
        error = self.assertRaises(exception.Conflict, attr_validator.validate_image, self.cli,
                                  'twin')
        self.assertEqual("Multiple images exist with same name 'twin'. Please use the image ID "
                         "instead.", str(error))
        self.cloud.failures['/image'] = (403, {})
        self.assertRaises(exception.ImageNotAuthorized, attr_validator.validate_image, self.cli,
                          IDS['other image'])

    def test_the_sdks_images_of_other_clients_are_taken(self):
        class Foreign:
            def glance(self):
                return self

            def find_image(self, ident, ignore_missing):
                return sdk_image.Image(id=ident, os_distro='flatcar', hw_disk_bus='scsi')

        found = attr_validator.validate_image(Foreign(), 'x')
        self.assertEqual('scsi', found.get('hw_disk_bus'))


class TestFlavor(ValidatorTestCase):
    def test_by_id_it_is_one_request_and_never_the_list(self):
        for ident in (IDS['flavor'], '7'):
            attr_validator.validate_flavor(self.cli, ident)
        self.assertEqual([f"/compute/v2.1/flavors/{IDS['flavor']}", '/compute/v2.1/flavors/7'],
                         self.cloud.calls)

    def test_by_name_the_list_is_read_once_for_a_request(self):
        for ident in ('m1', 'm0', 'm7'):
            attr_validator.validate_flavor(self.cli, ident)
        self.assertEqual(['/compute/v2.1/flavors'], self.cloud.calls)

    def test_unknown_flavors_are_refused_and_none_is_needed(self):
        attr_validator.validate_flavor(self.cli, None)
        for ident in ('nope', IDS['unknown'], '..', 'a/b', ''):
            error = self.assertRaises(exception.FlavorNotFound, attr_validator.validate_flavor,
                                      self.cli, ident)
            self.assertEqual(f'Unable to find flavor {ident}.', str(error))

    def test_long_lists_are_read_to_their_end(self):
        pages = iter([{'flavors': [{'id': 'x', 'name': 'x'}], 'flavors_links': [{'rel': 'next'}]},
                      {'flavors': [{'id': 'y', 'name': 'last'}]}])
        self.mocker.get(CLOUD + '/compute/v2.1/flavors', json=lambda *args: next(pages))
        attr_validator.validate_flavor(self.cli, 'last')

    def test_nodes_need_something_to_boot_from(self):
        check = attr_validator.validate_flavor_root_volume_size
        check(self.cli, None, 5)
        check(self.cli, 'nope', '5')
        self.assertEqual([], self.cloud.calls)
        check(self.cli, 'm1', 0)
        self.assertRaises(exception.FlavorZeroRootVolumeNotSupported, check, self.cli, 'm0', '0')
        for ident in ('nope', None):
            self.assertRaises(exception.FlavorNotFound, check, self.cli, ident, 0)
        for size in ('abc', '', -5, '-5', None, '1.5'):
            error = self.assertRaises(exception.InvalidParameterValue, check, self.cli, 'm1', size)
            self.assertEqual(400, error.code)


class TestNetworksAndKeypair(ValidatorTestCase):
    def test_networks_are_asked_for_by_filter(self):
        self.assertEqual(IDS['external'],
                         attr_validator.validate_external_network(self.cli, 'public'))
        self.assertEqual(IDS['net'], attr_validator.validate_fixed_network(self.cli, IDS['net']))
        self.assertEqual(IDS['subnet'], attr_validator.validate_fixed_subnet(self.cli, 'sub'))
        for call in self.cloud.calls:
            self.assertTrue('name=' in call or 'id=' + IDS['net'] in call, call)

    def test_unknown_and_ambiguous_ones_are_refused(self):
        for rule, error in (
                (attr_validator.validate_external_network, exception.ExternalNetworkNotFound),
                (attr_validator.validate_fixed_network, exception.FixedNetworkNotFound),
                (attr_validator.validate_fixed_subnet, exception.FixedSubnetNotFound)):
            self.assertRaises(error, rule, self.cli, 'nope')
            self.assertRaises(error, rule, self.cli, IDS['unknown'])
        self.assertRaises(exception.Conflict, attr_validator.validate_fixed_network, self.cli,
                          'twin')
        self.assertRaises(exception.ExternalNetworkNotFound,
                          attr_validator.validate_external_network, self.cli, 'private')

    def test_keypairs(self):
        attr_validator.validate_keypair(self.cli, 'mine')
        attr_validator.validate_keypair(self.cli, None)
        for name in ('his', '..', '../flavors/7', '?x'):
            error = self.assertRaises(exception.KeyPairNotFound, attr_validator.validate_keypair,
                                      self.cli, name)
            self.assertEqual(404, error.code)


class TestAll(ValidatorTestCase):
    """validate_os_resources"""

    def setUp(self):
        super().setUp()
        self.template = {
            'image_id': 'jammy', 'flavor_id': 'm1', 'master_flavor_id': 'm7',
            'external_network_id': 'public', 'fixed_network': 'private', 'fixed_subnet': 'sub',
            'labels': {'a': 'b'}}

    def validate(self, template=None, cluster=None):
        attr_validator.validate_os_resources(self.context, template or self.template, cluster)

    def test_a_cluster_takes_six_requests_and_no_unfiltered_list_of_networks(self):
        self.validate(cluster={'keypair': 'mine'})
        self.assertEqual(6, len(self.cloud.calls), self.cloud.calls)
        self.assertEqual(1, self.cloud.calls.count('/compute/v2.1/flavors'))

    def test_a_template_takes_five_requests_and_asks_for_its_image_once(self):
        self.validate()
        self.assertEqual(5, len(self.cloud.calls), self.cloud.calls)
        self.assertEqual(1, len([call for call in self.cloud.calls if '/images' in call]))

    def test_the_services_are_asked_side_by_side(self):
        # requests-mock answers one request at a time, so this stands in for the network
        together = threading.Barrier(6, timeout=20)
        real = cloud.Lookups._get

        def meet(*args):
            together.wait()
            return real(*args)

        with mock.patch.object(cloud.Lookups, '_get', meet):
            self.validate(cluster={'keypair': 'mine'})
        self.assertEqual(6, len(self.cloud.calls))

    def test_looking_at_the_flavors_disks_costs_no_more_requests(self):
        for flavor in ('m1', 'm7'):
            attr_validator.validate_flavor_root_volume_size(self.cli, flavor, 0)
        self.validate(cluster={'keypair': 'mine'})
        self.assertEqual(6, len(self.cloud.calls), self.cloud.calls)
        self.assertIn('/compute/v2.1/flavors/detail', self.cloud.calls)

    def test_after_the_short_list_disks_are_looked_at_one_by_one(self):
        attr_validator.validate_flavor(self.cli, 'm1')
        attr_validator.validate_flavor_root_volume_size(self.cli, 'm1', 0)
        self.assertEqual(['/compute/v2.1/flavors', f"/compute/v2.1/flavors/{IDS['flavor']}"],
                         self.cloud.calls)

    def test_a_clusters_value_goes_before_the_templates(self):
        self.validate(cluster={'flavor_id': 'm0', 'keypair': None})
        self.assertRaises(exception.FlavorNotFound, self.validate,
                          cluster={'flavor_id': 'nope', 'keypair': None})
        self.validate(dict(self.template, flavor_id='nope'),
                      {'flavor_id': 'm0', 'keypair': None})

    def test_several_mistakes_are_told_in_order(self):
        template = dict.fromkeys(self.template, 'nope')
        template['labels'] = {}
        for attribute, good, error in (
                ('image_id', 'jammy', exception.ImageNotFound),
                ('flavor_id', 'm1', exception.FlavorNotFound),
                ('master_flavor_id', 'm1', exception.FlavorNotFound),
                ('external_network_id', 'public', exception.ExternalNetworkNotFound),
                ('fixed_network', 'private', exception.FixedNetworkNotFound),
                ('fixed_subnet', 'sub', exception.FixedSubnetNotFound)):
            self.assertRaises(error, self.validate, template, {'keypair': 'his'})
            template[attribute] = good
        self.assertRaises(exception.KeyPairNotFound, self.validate, template,
                          {'keypair': 'his'})

    def test_a_subnet_of_another_network_is_refused(self):
        self.cloud.subnets[0]['network_id'] = IDS['external']
        error = self.assertRaises(exception.InvalidParameterValue, self.validate)
        self.assertEqual('fixed_subnet sub is not part of fixed_network private', str(error))
        # the template's own pair was checked with the template
        self.validate(cluster={'fixed_network': 'private', 'keypair': None})
        self.assertRaises(exception.InvalidParameterValue, self.validate,
                          cluster={'fixed_network': IDS['net'], 'keypair': None})


class TestFailingServices(ValidatorTestCase):
    """What a client is told when another service fails."""

    RULES = ((attr_validator.validate_image, 'jammy', '/image'),
             (attr_validator.validate_flavor, 'm1', '/compute'),
             (attr_validator.validate_keypair, 'mine', '/compute'),
             (attr_validator.validate_fixed_network, 'private', '/network'),
             (attr_validator.validate_fixed_subnet, 'sub', '/network'))

    def assertFails(self, failure, *codes):
        for rule, ident, path in self.RULES:
            self.cloud.failures = {path: failure}
            context = self.make_context(auth_token_info=fakes.token_info(catalog=catalog()),
                                        auth_url=CLOUD + '/identity/v3')
            error = self.assertRaises(exception.MagnumException, rule,
                                      clients.OpenStackClients(context), ident)
            self.assertIn(error.code, codes, error)
            self.assertNotIn('cloud.test', str(error))
            self.assertNotIn('internal.test', str(error))

    def test_services_that_are_down_or_slow(self):
        self.config('openstack_client', connect_retries=0)
        self.assertFails(requests.exceptions.ConnectionError('http://internal.test'), 503)
        self.assertFails(requests.exceptions.ReadTimeout('http://internal.test'), 504)

    def test_services_that_answer_errors(self):
        self.assertFails((500, {'message': 'http://internal.test'}), 502)
        self.assertFails((503, {'message': 'http://internal.test'}), 503)
        self.assertFails((403, {'message': 'http://internal.test'}), 403)

    def test_a_token_that_is_not_valid_any_more_is_a_401(self):
        self.assertFails((401, {}), 401)

    def test_nonsense_is_the_services_failure(self):
        for nonsense in ([], 'text', {'images': 5, 'flavors': [1], 'networks': {}, 'subnets': 0,
                                      'keypair': []}):
            self.assertFails((200, nonsense), 502)

    def test_a_service_that_is_not_in_the_catalog(self):
        for rule, ident, _path in self.RULES:
            error = self.assertRaises(exception.MagnumException, rule, clients.OpenStackClients(
                self.make_context(auth_url=CLOUD + '/identity/v3')), ident)
            self.assertEqual(503, error.code)


class TestPureRules(base.TestCase):
    def test_several_masters_need_a_load_balancer(self):
        check = attr_validator.validate_master_count
        check(self.context, {'master_count': 1, 'master_lb_enabled': False})
        check(self.context, {'master_count': 3, 'master_lb_enabled': True})
        error = self.assertRaises(exception.InvalidParameterValue, check, self.context,
                                  {'master_count': 3, 'master_lb_enabled': False})
        self.assertEqual('master_count must be 1 when master_lb_enabled is False', str(error))

    def test_federations_need_a_host_and_a_zone(self):
        for check, value in ((attr_validator.validate_federation_hostcluster, None),
                             (attr_validator.validate_federation_properties, None),
                             (attr_validator.validate_federation_properties, {})):
            self.assertRaises(exception.InvalidParameterValue, check, value)
        attr_validator.validate_federation_properties({'dns-zone': 'example.org'})
