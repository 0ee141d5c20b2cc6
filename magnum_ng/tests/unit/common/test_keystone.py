# SPDX-License-Identifier: Apache-2.0
import gc
import weakref

import requests_mock
from keystoneauth1 import loading
from requests_mock.contrib import fixture

import magnum_ng.conf
from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.common import keystone
from magnum_ng.tests import base
from magnum_ng.tests import fakes

CONF = magnum_ng.conf.CONF
URL = 'http://keystone.test/v3'
SERVICE = 'http://public.identity.one.test/v3'


_PATHS = {'identity': '/v3', 'compute': '/v2.1'}


def catalog(*services):
    return [{'type': kind, 'name': kind, 'endpoints': [
        {'interface': interface, 'region': region, 'region_id': region,
         'url': f'http://{interface}.{kind}.{region}.test' + _PATHS.get(kind, '')}
        for interface in ('public', 'internal') for region in ('one', 'two')]}
        for kind in services]


class KeystoneTestCase(base.TestCase):
    """Keystone on the network; ``requests()`` is what it was asked."""

    services = ('identity', 'compute', 'network', 'container-infra', 'load-balancer')

    def setUp(self):
        super().setUp()
        keystone.forget_sessions()
        self.addCleanup(keystone.forget_sessions)
        self.register('keystone_auth', loading.get_auth_plugin_conf_options('password'))
        self.config('keystone_auth', auth_type='password', auth_url=URL, username='magnum',
                    password='s3cret', project_name='service', user_domain_name='d',
                    project_domain_name='d')
        self.network = self.useFixture(fixture.Fixture())
        # other services say nothing about their versions
        self.network.get(requests_mock.ANY, status_code=404, json={})
        version = {'version': {'id': 'v3.14', 'status': 'stable', 'links': [
            {'rel': 'self', 'href': URL}]}}
        for url in (URL, SERVICE):
            self.network.get(url, json=version)
        self.network.post(URL + '/auth/tokens', status_code=201,
                          headers={'X-Subject-Token': 'service-token'},
                          json=fakes.token_info(catalog=catalog(*self.services),
                                                expires_at='2099-01-01T00:00:00.000000Z',
                                                issued_at='2020-01-01T00:00:00.000000Z'))

    def register(self, group, options):
        """Options that are registered when they are first read, for this test only."""
        CONF.register_opts(options, group)
        self.addCleanup(CONF.unregister_opts, options, group)
        self.addCleanup(CONF.reset)

    def log_ins(self):
        return [request for request in self.network.request_history
                if request.path.endswith('/auth/tokens')]

    def user(self, **values):
        values.setdefault('auth_token_info', fakes.token_info(catalog=catalog(*self.services)))
        return self.make_context(auth_url=URL, **values)


class TestSession(KeystoneTestCase):
    def test_a_validated_token_needs_no_further_log_in(self):
        client = keystone.KeystoneClientV3(self.user())
        self.assertEqual(fakes.TOKEN, client.auth_token)
        self.assertEqual([], self.network.request_history)

    def test_a_token_alone_is_used_for_its_project(self):
        client = keystone.KeystoneClientV3(self.user(auth_token_info=None))
        self.assertEqual('service-token', client.auth_token)
        body = self.log_ins()[0].json()['auth']
        self.assertEqual({'id': fakes.TOKEN}, body['identity']['token'])
        self.assertEqual({'project': {'id': fakes.PROJECT_ID}}, body['scope'])

    def test_the_service_logs_in_once_for_a_process(self):
        for _time in range(3):
            client = keystone.KeystoneClientV3(self.admin_context)
            self.assertEqual('service-token', client.auth_token)
        self.assertEqual(1, len(self.log_ins()))
        self.assertEqual('magnum', self.log_ins()[0].json()['auth']['identity']['password'][
            'user']['name'])

    def test_nobody_is_refused(self):
        nobody = self.make_context(auth_token=None, auth_token_info=None)
        client = keystone.KeystoneClientV3(nobody)
        self.assertRaises(exception.AuthorizationFailure, getattr, client, 'session')

    def test_a_context_has_one_session_however_many_clients(self):
        context = self.user()
        first, second = (keystone.KeystoneClientV3(context) for _index in range(2))
        self.assertIs(first.session, second.session)
        self.assertIsNot(first.session, keystone.KeystoneClientV3(self.user()).session)

    def test_sessions_go_with_their_contexts(self):
        context = self.user()
        cli = clients.OpenStackClients(context)
        cli.nova()
        gone = weakref.ref(cli.keystone().session), weakref.ref(context)
        del context, cli
        gc.collect()
        self.assertEqual([None, None], [reference() for reference in gone])

    def test_every_session_has_timeouts(self):
        self.config('openstack_client', connect_timeout=3, read_timeout=7)
        for context in (self.user(), self.user(auth_token_info=None), self.admin_context):
            self.assertEqual((3, 7), keystone.KeystoneClientV3(context).session.timeout)
        self.config('keystone_auth', timeout=11)
        self.assertEqual(11, keystone.KeystoneClientV3(self.user()).session.timeout)

    def test_cookies_of_services_are_not_kept(self):
        self.network.get('http://public.compute.one.test/x', text='',
                         headers={'Set-Cookie': 'session=alice; Path=/'})
        session = keystone.KeystoneClientV3(self.user()).session
        session.get('http://public.compute.one.test/x')
        session.get('http://public.compute.one.test/x')
        self.assertNotIn('Cookie', self.network.last_request.headers)

    def test_auth_section_points_at_other_credentials(self):
        self.register('elsewhere', loading.get_auth_common_conf_options()
                      + loading.get_auth_plugin_conf_options('password'))
        self.config('elsewhere', auth_type='password', auth_url=URL, username='other',
                    password='x', user_domain_name='d')
        self.config('keystone_auth', auth_section='elsewhere')
        self.assertEqual('service-token', keystone.KeystoneClientV3(self.admin_context).auth_token)
        self.assertEqual('other', self.log_ins()[0].json()['auth']['identity']['password'][
            'user']['name'])

    def test_the_url_of_keystone_has_a_version(self):
        for given, url in (('http://k/', 'http://k/v3'), ('http://k/v3', 'http://k/v3'),
                           ('http://k/v2.0', 'http://k/v3')):
            client = keystone.KeystoneClientV3(self.make_context(auth_url=given))
            self.assertEqual(url, client.auth_url)


class TestIdentity(KeystoneTestCase):
    def setUp(self):
        super().setUp()
        self.network.get(SERVICE + '/regions', json={'regions': [
            {'id': 'one'}, {'id': 'two'}]})

    def test_regions_are_checked(self):
        client = keystone.KeystoneClientV3(self.user())
        self.assertEqual('two', client.get_validate_region_name('two'))
        for name in ('three', None):
            self.assertRaises(exception.InvalidParameterValue, client.get_validate_region_name,
                              name)

    def test_projects_are_looked_up_for_quotas(self):
        self.network.get(SERVICE + '/projects/p1', json={'project': {'id': 'p1', 'name': 'p'}})
        self.network.get(SERVICE + '/projects/p2', status_code=404, json={})
        self.network.get(SERVICE + '/projects/p3', status_code=403, text='http://internal no')
        self.assertEqual('p1', keystone.get_project(self.user(), 'p1').id)
        error = self.assertRaises(exception.ProjectNotFound, keystone.get_project, self.user(),
                                  'p2')
        self.assertEqual('The project_id p2 could not be found.', str(error))
        error = self.assertRaises(exception.MagnumException, keystone.get_project, self.user(),
                                  'p3')
        self.assertEqual(403, error.code)
        self.assertNotIn('internal', str(error))

    def test_a_project_id_leads_to_no_other_address(self):
        for project in ('../users/u1', '..', 'p1/tags', 'p1?x=y', 'p1#', 'p1\n', '', '%2e%2e'):
            self.assertRaises(exception.ProjectNotFound, keystone.get_project, self.user(),
                              project)
        self.assertEqual([], self.network.request_history)

    def test_octavia_is_enabled_when_the_catalog_has_it(self):
        self.assertTrue(keystone.is_octavia_enabled())
        keystone.forget_sessions()
        self.network.post(URL + '/auth/tokens', status_code=201,
                          headers={'X-Subject-Token': 't'},
                          json=fakes.token_info(catalog=catalog('compute')))
        self.assertFalse(keystone.is_octavia_enabled())
        keystone.forget_sessions()
        self.network.post(URL + '/auth/tokens', status_code=500)
        self.assertRaises(exception.ServicesListFailed, keystone.is_octavia_enabled)


class TestClients(KeystoneTestCase):
    def test_urls_come_from_the_catalog(self):
        cli = clients.OpenStackClients(self.user())
        self.assertEqual('http://internal.compute.two.test/v2.1', cli.url_for(
            service_type='compute', interface='internal', region_name='two'))
        self.config('magnum_client', endpoint_type='internalURL', region_name='two')
        self.assertEqual('http://internal.container-infra.two.test', cli.magnum_url())
        self.assertEqual('internalURL', cli._get_client_option('magnum', 'endpoint_type'))

    def test_all_clients_of_a_context_share_a_connection(self):
        context = self.user()
        first, second = clients.OpenStackClients(context), clients.OpenStackClients(context)
        self.assertIs(first.nova(), second.nova())
        self.assertIs(first.nova().session, first.neutron().session)
        self.assertIs(first.nova(), first.nova())

    def test_region_and_interface_are_configured_for_each_service(self):
        self.config('nova_client', endpoint_type='internalURL', region_name='two')
        self.network.get('http://internal.compute.two.test/v2.1/flavors/7', json={'flavor': {}})
        cli = clients.OpenStackClients(self.user())
        self.assertEqual(200, cli.nova().get('/flavors/7').status_code)
        cli = clients.OpenStackClients(self.user())
        self.assertEqual(200, cli.adapter('nova').get('/flavors/7').status_code)

    def test_what_endpoints_say_of_themselves_is_asked_once_for_a_process(self):
        versions = self.network.get('http://public.network.one.test', json={'versions': [
            {'id': 'v2.0', 'status': 'CURRENT',
             'links': [{'rel': 'self', 'href': 'http://public.network.one.test/v2.0/'}]}]})
        self.network.get('http://public.network.one.test/v2.0/networks', json={'networks': []})
        for _request in range(3):
            clients.OpenStackClients(self.user()).adapter('neutron').get('/networks')
        self.assertEqual(1, versions.call_count)

    def test_what_was_discovered_is_bounded_and_grows_old(self):
        cache = keystone._DiscoveryCache()
        for number in range(1000):
            cache[str(number)] = number
        self.assertLessEqual(len(cache), cache._SIZE)
        self.assertEqual(999, cache['999'])
        cache._LIFETIME = -1
        cache['old'] = 1
        self.assertIsNone(cache.get('old'))
        del cache['old']
        self.assertNotIn('old', list(cache))

    def test_a_region_of_cinder_has_to_be_known(self):
        self.assertRaises(exception.InvalidParameterValue,
                          clients.OpenStackClients(self.user()).cinder_region_name)

    def test_a_failed_log_in_is_an_authorization_failure(self):
        self.network.post(URL + '/auth/tokens', status_code=401, json={})
        self.assertRaises(exception.AuthorizationFailure,
                          self._list_regions)

    @exception.wrap_keystone_exception
    def _list_regions(self):
        return list(keystone.KeystoneClientV3(self.admin_context).client.regions())
