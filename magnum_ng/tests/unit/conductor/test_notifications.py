# SPDX-License-Identifier: Apache-2.0

from oslo_messaging import conffixture as messaging_conffixture
from oslo_messaging.notify import _impl_test

from magnum_ng.common import rpc
from magnum_ng.conductor import notifications
from magnum_ng.conductor import utils
import magnum_ng.conf
from magnum_ng.tests.unit.db import base
from magnum_ng.tests.unit.objects import utils as object_utils

CONF = magnum_ng.conf.CONF


class TestNotifications(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.useFixture(messaging_conffixture.ConfFixture(CONF, transport_url='fake:/'))
        CONF.set_override('driver', ['test'], 'oslo_messaging_notifications')
        self.addCleanup(CONF.clear_override, 'driver', 'oslo_messaging_notifications')
        _impl_test.reset()
        self.addCleanup(_impl_test.reset)
        rpc.init(CONF)
        object_utils.create_test_cluster_template(self.context)
        self.cluster = object_utils.create_test_cluster(
            self.context, labels={'registry_password': 's3cret', 'kube_tag': 'v1'},
            docker_volume_size=5)

    def _sent(self):
        return _impl_test.NOTIFICATIONS

    def test_event_is_as_recorded(self):
        utils.notify_about_cluster_operation(self.context, 'create', 'pending', self.cluster)
        (context, message, priority, _retry), = self._sent()
        self.assertEqual(('magnum.cluster.create', 'info', 'container-infra.fake-host'),
                         (message['event_type'], priority.lower(), message['publisher_id']))
        event = message['payload']
        self.assertEqual({'typeURI', 'eventType', 'id', 'eventTime', 'action', 'outcome',
                          'observer', 'initiator', 'target'}, set(event))
        self.assertEqual(('activity', 'create', 'pending'),
                         (event['eventType'], event['action'], event['outcome']))
        self.assertEqual(self.context.user_id, event['initiator']['user_id'])
        self.assertEqual(self.context.project_id, event['initiator']['project_id'])
        self.assertEqual((self.cluster.uuid, self.cluster.name, 'service/magnum/cluster'),
                         (event['target']['id'], event['target']['name'],
                          event['target']['typeURI']))
        attachment, = event['target']['attachments']
        self.assertEqual('cluster_data', attachment['name'])
        self.assertEqual({
            'status', 'status_reason', 'project_id', 'created_at', 'updated_at',
            'cluster_template_id', 'keypair', 'docker_volume_size:', 'docker_volume_size',
            'labels', 'master_flavor_id', 'flavor_id', 'stack_id', 'health_status',
            'create_timeout', 'api_address', 'discovery_url', 'node_addresses',
            'master_addresses', 'node_count', 'master_count'}, set(attachment['content']))
        self.assertEqual(5, attachment['content']['docker_volume_size:'])

    def test_failure_is_an_error(self):
        notifications.notify_about_cluster_operation(self.context, 'delete', 'failure',
                                                     self.cluster)
        self.assertEqual('error', self._sent()[0][2].lower())

    def test_secrets_in_labels_are_masked(self):
        notifications.notify_about_cluster_operation(self.context, 'update', 'success',
                                                     self.cluster)
        content = self._sent()[0][1]['payload']['target']['attachments'][0]['content']
        self.assertEqual({'registry_password': '***', 'kube_tag': 'v1'}, content['labels'])

    def test_nodegroups_are_read_once(self):
        _none, statements = self.database.count_statements(
            notifications.notify_about_cluster_operation, self.context, 'update', 'success',
            self.cluster)
        self.assertEqual(1, len(statements))

    def test_nothing_is_read_when_nobody_listens(self):
        CONF.set_override('driver', [], 'oslo_messaging_notifications')
        _none, statements = self.database.count_statements(
            notifications.notify_about_cluster_operation, self.context, 'update', 'success',
            self.cluster)
        self.assertEqual(([], []), (statements, self._sent()))

    def test_trouble_is_kept_from_the_caller(self):
        self.cluster._context = None
        notifications.notify_about_cluster_operation(self.context, 'update', 'success',
                                                     self.cluster)
        self.assertEqual([], self._sent())
