# SPDX-License-Identifier: Apache-2.0
"""Client and server over the in-process transport, with everything serialised for real."""

import inspect
import json
import pathlib
import time

import oslo_messaging as messaging
from oslo_messaging import conffixture as messaging_conffixture
from oslo_messaging.rpc import dispatcher as rpc_dispatcher
from oslo_service import opts as service_opts

from magnum_ng.common import exception
from magnum_ng.common import rpc
from magnum_ng.conductor import api
from magnum_ng.conductor import decisions
from magnum_ng.conductor import server
from magnum_ng.conductor import states
from magnum_ng.db.sqlalchemy import operations
import magnum_ng.conf
from magnum_ng import objects
from magnum_ng.tests.unit.conductor import base

CONF = magnum_ng.conf.CONF
S = states.S

#: Over a real bus, or within one process.
NO_METHOD = (messaging.RemoteError, rpc_dispatcher.NoSuchMethod)


class ServerTestCase(base.ConductorTestCase):
    DATABASE_IN_FILE = True

    def setUp(self):
        super().setUp()
        service_opts.register_service_opts(CONF)
        self.useFixture(messaging_conffixture.ConfFixture(CONF, transport_url='fake:/'))
        self.config(rpc_response_timeout=5, graceful_shutdown_timeout=5)
        rpc.init(CONF)
        self.service = server.ConductorService('test')
        self.service.start()
        self.addCleanup(self._stop)
        self.api = api.API(context=self.context)

    def _stop(self):
        if self.service is not None:
            self.service.stop()
            self.service = None


class TestMessages(ServerTestCase):

    def test_ping(self):
        self.assertTrue(api.ListenerAPI(context=self.context, server='test').ping_conductor())

    def test_creation_over_the_bus(self):
        new = self.new_cluster()
        with decisions.create_cluster(self.context, new, 1, 2, 60):
            self.api.cluster_create_async(new, 1, 2, 60)
        base.wait_until(lambda: not self.operations())
        self.assertEqual(['create_cluster'], self.called())
        _context, cluster, timeout = self.driver.calls[0][1]
        self.assertEqual((new.uuid, 60), (cluster.uuid, timeout))

    def test_token_reaches_the_driver_and_the_operation_does_not_outlive_the_request(self):
        self.context.auth_token = 'the-token'
        cluster = self.make_cluster()
        with decisions.delete_cluster(self.context, cluster):
            self.api.cluster_delete_async(cluster.uuid)
        base.wait_until(lambda: not self.operations())
        self.assertEqual('the-token', self.driver.calls[0][1][0].auth_token)
        self.assertIsNone(self.context.operation)

    def test_errors_keep_class_and_code(self):
        cluster = self.make_cluster()
        self.driver.behaviour['rotate_credential'] = NotImplementedError

        def rotate():
            with decisions.rotate_credential(self.context, cluster):
                self.api.credential_rotate(cluster)

        error = self.assertRaises(exception.NotSupported, rotate)
        self.assertEqual(400, error.code)

    def test_error_with_arguments_that_cannot_be_sent_reaches_the_caller(self):
        class Odd(Exception):
            def __init__(self, what):
                super().__init__(object(), what)

        cluster = self.make_cluster()
        self.driver.behaviour['rotate_ca_certificate'] = Odd(lambda: None)
        began = time.monotonic()

        def rotate():
            with decisions.rotate_ca_certificate(self.context, cluster):
                self.api.rotate_ca_certificate(cluster)

        self.assertRaises(exception.MagnumException, rotate)
        self.assertLess(time.monotonic() - began, 4)
        self.assertEqual(S.UPDATE_FAILED, self.reload(cluster).status)

    def test_federations_are_refused(self):
        federation = objects.Federation(self.context, name='f')
        self.assertRaises(exception.NotSupported, self.api.federation_create, federation, 15)

    def test_method_that_nobody_has(self):
        self.assertRaises(NO_METHOD, self.api._call, 'no_such_method')

    def test_slow_driver_does_not_fail_the_request(self):
        gate = base.Gate()
        self.driver.behaviour['rotate_credential'] = gate
        cluster = self.make_cluster()
        with decisions.rotate_credential(self.context, cluster):
            api.API(context=self.context, timeout=1).credential_rotate(cluster)
        self.assertEqual(1, len(self.operations()))
        gate.open()
        base.wait_until(lambda: not self.operations())

    def test_objects_of_a_service_without_a_database(self):
        cluster = self.make_cluster()
        from magnum_ng.objects import base as objects_base

        remote = objects_base.MagnumObjectIndirectionAPI()
        versions = {'Cluster': '1.24', 'ClusterTemplate': '1.21'}
        found = remote.object_class_action_versions(
            self.context, 'Cluster', 'get_by_uuid', versions, (cluster.uuid,), {})
        self.assertEqual(cluster.uuid, found.uuid)
        found.name = 'renamed'
        updates, result = remote.object_action(self.context, found, 'save', (), {})
        self.assertEqual([], list(updates['obj_what_changed']))
        self.assertEqual('renamed', self.reload(cluster).name)
        self.assertRaises(
            exception.ClusterNotFound, remote.object_class_action_versions, self.context,
            'Cluster', 'get_by_uuid', versions, ('0aec6d6d-40b4-4c47-8b75-9b4f5a1f1ec3',), {})

    def test_only_remotable_methods_can_be_called(self):
        from magnum_ng.objects import base as objects_base

        remote = objects_base.MagnumObjectIndirectionAPI()
        self.assertRaises(
            NO_METHOD, remote.object_class_action_versions, self.context,
            'Cluster', 'prefetch', {'Cluster': '1.24'}, ([],), {})


class TestStop(ServerTestCase):

    def _resize(self, cluster, count):
        group = self.worker(cluster)
        with decisions.resize_cluster(self.context, cluster, count, [], group):
            self.api.cluster_resize_async(cluster, count, [], group)

    def test_what_has_not_begun_is_handed_back_and_what_hangs_has_failed(self):
        cluster = self.make_cluster(workers=1)
        gate = base.Gate()
        self.addCleanup(gate.open)
        self.driver.behaviour['resize_cluster'] = gate
        self._resize(cluster, 2)
        gate.entered.wait(5)
        self._resize(cluster, 3)
        base.wait_until(lambda: all(operation.owner for operation in self.operations()))
        began = time.monotonic()
        self._stop()
        self.assertLess(time.monotonic() - began, 5)
        left, = self.operations()
        self.assertEqual((operations.QUEUED, None), (left.state, left.owner))
        # The size before the first one is what a failure of the second one goes back to.
        before = json.loads(left.before)['nodegroups'][left.nodegroup_uuid]
        self.assertEqual(1, before['node_count'])
        gate.open()
        self.driver.behaviour.clear()
        self.service = server.ConductorService('next')
        self.service.start()
        base.wait_until(lambda: not self.operations())
        self.assertEqual([2, 3], [args[3] for _name, args in self.driver.calls])
        self.assertEqual((3, S.UPDATE_IN_PROGRESS), (self.worker(cluster).node_count,
                                                     self.reload(cluster).status))

    def test_what_an_original_api_has_asked_for_and_has_not_begun_has_failed(self):
        cluster = self.make_cluster(workers=1)
        gate = base.Gate()
        self.addCleanup(gate.open)
        self.driver.behaviour['resize_cluster'] = gate
        group = self.worker(cluster)
        # As the original does: no operation is recorded before the message is sent.
        for count in (2, 3):
            self.api.cluster_resize_async(cluster, count, [], group)
            base.wait_until(lambda count=count: len(self.operations()) == count - 1)
        gate.entered.wait(5)
        self._stop()
        self.assertEqual([], self.operations())
        stored = self.reload(cluster)
        self.assertEqual((S.UPDATE_FAILED, server.STOPPED),
                         (stored.status, stored.status_reason))
        self.assertEqual(1, self.worker(cluster).node_count)

    def test_message_that_comes_too_late_is_left_to_another_conductor(self):
        from magnum_ng.conductor.handlers import cluster_conductor

        cluster = self.make_cluster()
        with decisions.delete_cluster(self.context, cluster) as operation:
            self._stop()
            cluster_conductor.Handler().cluster_delete(self.message_context(operation),
                                                       cluster.uuid)
        self.assertEqual([], self.called())
        self.service = server.ConductorService('next')
        self.service.start()
        base.wait_until(lambda: not self.operations())
        self.assertEqual(['delete_cluster'], self.called())

    def test_what_ends_in_time_is_not_cut_off(self):
        cluster = self.make_cluster()
        self.driver.behaviour['resize_cluster'] = lambda *args: time.sleep(0.3)
        self._resize(cluster, 2)
        base.wait_until(lambda: self.driver.calls)
        self._stop()
        self.assertEqual([], self.operations())
        self.assertEqual(S.UPDATE_IN_PROGRESS, self.reload(cluster).status)


class TestContract(base.ConductorTestCase):
    """Methods and arguments are those that the original sends and understands."""

    SERVER = {
        'cluster_create': 'cluster master_count node_count create_timeout',
        'cluster_update': 'cluster node_count health_status health_status_reason rollback',
        'cluster_delete': 'uuid',
        'cluster_resize': 'cluster node_count nodes_to_remove nodegroup',
        'cluster_upgrade': 'cluster cluster_template max_batch_size nodegroup rollback',
        'nodegroup_create': 'cluster nodegroup',
        'nodegroup_update': 'cluster nodegroup',
        'nodegroup_delete': 'cluster nodegroup',
        'sign_certificate': 'cluster certificate',
        'get_ca_certificate': 'cluster ca_cert_type',
        'rotate_ca_certificate': 'cluster',
        'credential_rotate': 'cluster',
        'federation_create': 'federation create_timeout',
        'federation_update': 'federation rollback',
        'federation_delete': 'uuid',
        'ping_conductor': '',
        'object_action': 'objinst objmethod args kwargs',
        'object_class_action_versions': 'objname objmethod object_versions args kwargs',
        'object_backport_versions': 'objinst object_versions',
    }

    def test_endpoints(self):
        found = {}
        for endpoint in server.endpoints():
            for name, method in vars(endpoint).items():
                found[name] = [argument for argument in inspect.signature(method).parameters
                               if argument != 'context']
        self.assertEqual({name: arguments.split() for name, arguments in self.SERVER.items()},
                         found)

    def test_client_sends_what_the_endpoints_take(self):
        client = api.API(context=self.context)
        sent = {}
        client._call = client._cast = lambda method, **kwargs: sent.update({method: set(kwargs)})
        for name in dir(api.API):
            if name.startswith(('_', 'object_')) or name == 'echo':
                continue
            method = getattr(client, name)
            method(*[None for parameter in inspect.signature(method).parameters.values()
                     if parameter.default is parameter.empty])
        for method, arguments in sent.items():
            self.assertLessEqual(arguments, set(self.SERVER[method].split()), method)
        self.assertNotIn('rollback', sent['cluster_resize'])

    def test_handlers_are_where_they_are_expected(self):
        folder = pathlib.Path(inspect.getfile(server)).parent / 'handlers'
        self.assertEqual(
            {'ca_conductor', 'cluster_conductor', 'conductor_listener', 'credential_conductor',
             'federation_conductor', 'indirection_api', 'nodegroup_conductor', '__init__'},
            {path.stem for path in folder.glob('*.py')})
