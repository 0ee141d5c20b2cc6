# SPDX-License-Identifier: Apache-2.0
"""What all objects have in common, above all what others see of them."""

import datetime
import json

import fixtures
import oslo_messaging as messaging
from oslo_serialization import jsonutils
from oslo_versionedobjects import exception as ovo_exception
from oslo_versionedobjects import fixture

from magnum_ng import objects
from magnum_ng.common import exception
from magnum_ng.conductor.handlers import indirection_api
from magnum_ng.objects import base
from magnum_ng.objects import fields
from magnum_ng.tests.unit import contract
from magnum_ng.tests.unit.db import base as db_base
from magnum_ng.tests.unit.objects import utils

RECORDED = contract.load('objects.json')


class RecordedObjectsTest(db_base.DbTestCase):

    def test_fingerprints_are_the_recorded_ones(self):
        ours = {name: classes for name, classes
                in base.MagnumObjectRegistry.obj_classes().items()
                if classes[0].__module__.startswith('magnum_ng.objects.')}
        hashes = fixture.ObjectVersionChecker(ours).get_hashes()
        self.assertEqual({name: facts['fingerprint']
                          for name, facts in RECORDED['objects'].items()}, hashes)

    def test_methods_and_properties_are_there(self):
        for name, facts in RECORDED['objects'].items():
            cls = getattr(objects, name)
            for method in [*facts['class_methods'], *facts['instance_methods']]:
                self.assertTrue(callable(getattr(cls, method)), f'{name}.{method}')
            for attribute in facts['properties']:
                self.assertIsInstance(getattr(cls, attribute), property)

    def test_words_are_the_recorded_ones(self):
        for name, facts in RECORDED['enums'].items():
            enum = getattr(fields, name)
            self.assertEqual(facts['ALL'], list(enum.ALL))
            if 'STATUS_FAILED' in facts:
                failed = enum.STATUS_FAILED
                self.assertEqual(facts['STATUS_FAILED'],
                                 list(failed) if isinstance(failed, tuple) else failed)

    def test_the_serializer_uses_the_recorded_namespaces(self):
        cls = base.MagnumObjectSerializer.OBJ_BASE_CLASS
        self.assertEqual(RECORDED['serializer'], {
            'OBJ_SERIAL_NAMESPACE': cls.OBJ_SERIAL_NAMESPACE,
            'OBJ_PROJECT_NAMESPACE': cls.OBJ_PROJECT_NAMESPACE,
            'OBJ_BASE_CLASS': cls.__name__})


def comparable(obj):
    """The fields; messages carry times in whole seconds."""
    return {name: value.replace(microsecond=0) if isinstance(value, datetime.datetime) else value
            for name, value in base.MagnumObject.as_dict(obj).items()}


class MessageTest(db_base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.serializer = base.MagnumObjectSerializer()

    def over_the_bus(self, obj):
        data = jsonutils.dumps(self.serializer.serialize_entity(self.context, obj))
        return self.serializer.deserialize_entity(self.context, jsonutils.loads(data))

    def saved(self):
        """One saved object of every class that has a table."""
        yield utils.create_test_cluster_template(self.context)
        yield utils.create_test_cluster(self.context, labels={'a': '1'},
                                        health_status_reason={'api': 'ok'})
        yield utils.create_test_nodegroup(
            self.context, name='other', node_labels={'zone': 'a'},
            node_taints=[{'key': 'k', 'value': 'v', 'effect': 'NoSchedule'}])
        yield utils.create_test_federation(self.context)
        yield utils.create_test_quota(self.context)
        yield utils.create_test_magnum_service(self.context)
        yield utils.create_test_x509keypair(self.context)

    def test_every_object_arrives_as_it_was_sent(self):
        for sent in self.saved():
            received = self.over_the_bus(sent)
            self.assertIs(type(sent), type(received))
            self.assertEqual(comparable(sent), comparable(received))
            self.assertEqual(set(), received.obj_what_changed())
            self.assertIs(self.context, received._context)

    def test_pending_changes_arrive(self):
        cluster = utils.create_test_cluster(self.context)
        cluster.name = 'other'
        cluster.labels['new'] = 'label'
        self.assertEqual({'name', 'labels'}, self.over_the_bus(cluster).obj_what_changed())

    def test_the_layout_is_the_recorded_one(self):
        quota = utils.create_test_quota(self.context)
        created = quota.created_at.replace(microsecond=0).strftime('%Y-%m-%dT%H:%M:%SZ')
        quota.hard_limit = 11
        layout = json.loads(jsonutils.dumps(
            self.serializer.serialize_entity(self.context, quota)))
        self.assertEqual({
            'magnum_object.name': 'Quota',
            'magnum_object.namespace': 'magnum',
            'magnum_object.version': '1.0',
            'magnum_object.data': {
                'id': quota.id, 'project_id': 'fake_project', 'resource': 'Cluster',
                'hard_limit': 11, 'created_at': created, 'updated_at': None},
            'magnum_object.changes': ['hard_limit'],
        }, layout)
        self.assertEqual(set(RECORDED['primitive_keys']), set(layout))

    def test_an_object_inside_an_object_has_the_same_layout(self):
        cluster = utils.create_test_cluster(self.context)
        cluster.cluster_template = utils.create_test_cluster_template(self.context)
        received = self.over_the_bus(cluster)
        self.assertEqual(comparable(cluster.cluster_template),
                         comparable(received.cluster_template))

    def test_lists_and_dicts_of_objects_arrive(self):
        cluster = utils.create_test_cluster(self.context)
        received = self.over_the_bus({'clusters': [cluster], 'count': 1})
        self.assertEqual(cluster.uuid, received['clusters'][0].uuid)

    def test_a_newer_object_is_converted_by_the_indirection_api(self):
        class Conductor:
            def object_backport_versions(self, context, objinst, versions):
                self.asked = objinst['magnum_object.version'], versions
                return 'converted'

        conductor = Conductor()
        self.addCleanup(setattr, base.MagnumObject, 'indirection_api', None)
        base.MagnumObject.indirection_api = conductor
        newer = objects.Stats(clusters=1, nodes=2).obj_to_primitive()
        newer['magnum_object.version'] = '1.9'
        self.assertEqual('converted', self.serializer.deserialize_entity(self.context, newer))
        self.assertEqual(('1.9', {'Stats': '1.0'}), conductor.asked)

    def test_a_newer_object_without_anybody_to_convert_it_is_refused(self):
        newer = objects.Stats(clusters=1, nodes=2).obj_to_primitive()
        newer['magnum_object.version'] = '1.9'
        self.assertRaises(ovo_exception.IncompatibleObjectVersion,
                          self.serializer.deserialize_entity, self.context, newer)


class OlderReleaseTest(db_base.DbTestCase):

    def test_fields_that_an_older_version_does_not_know_are_left_out(self):
        cluster = utils.create_test_cluster(self.context)
        cluster.master_lb_enabled = False
        older = cluster.obj_to_primitive(target_version='1.21')
        self.assertEqual('1.21', older['magnum_object.version'])
        data = older['magnum_object.data']
        self.assertEqual(set(), {'master_lb_enabled', 'etcd_ca_cert_ref',
                                 'front_proxy_ca_cert_ref'} & set(data))
        self.assertIn('fixed_network', data)
        self.assertNotIn('magnum_object.changes', older)

    def test_the_recorded_history_names_what_was_added(self):
        for name in RECORDED['objects']:
            cls = getattr(objects, name)
            for version, names in cls.FIELDS_SINCE.items():
                self.assertLessEqual([int(n) for n in version.split('.')],
                                     [int(n) for n in cls.VERSION.split('.')])
                self.assertEqual(set(), set(names) - set(cls.fields))

    def test_a_template_inside_is_converted_to_what_the_receiver_knows(self):
        cluster = utils.create_test_cluster(self.context)
        cluster.cluster_template = utils.create_test_cluster_template(self.context)
        older = cluster.obj_to_primitive(
            target_version='1.23', version_manifest={'Cluster': '1.23', 'ClusterTemplate': '1.20'})
        inside = older['magnum_object.data']['cluster_template']
        self.assertEqual('1.20', inside['magnum_object.version'])
        self.assertNotIn('driver', inside['magnum_object.data'])

    def test_a_template_inside_is_left_out_when_nobody_says_what_the_receiver_knows(self):
        cluster = utils.create_test_cluster(self.context)
        cluster.cluster_template = utils.create_test_cluster_template(self.context)
        older = cluster.obj_to_primitive(target_version='1.23')
        self.assertNotIn('cluster_template', older['magnum_object.data'])


class Conductor:
    """The conductor's endpoint behind a message bus, in this process."""

    def __init__(self, context):
        self.context = context
        self.handler = indirection_api.Handler()
        self.serializer = base.MagnumObjectSerializer()

    def over_the_bus(self, entity):
        data = jsonutils.dumps(self.serializer.serialize_entity(self.context, entity))
        return self.serializer.deserialize_entity(self.context, jsonutils.loads(data))

    def __getattr__(self, method):
        def call(context, *args):
            args = [self.over_the_bus(arg) for arg in args]
            client, base.MagnumObject.indirection_api = base.MagnumObject.indirection_api, None
            try:
                return self.over_the_bus(getattr(self.handler, method)(context, *args))
            finally:
                base.MagnumObject.indirection_api = client
        return call


class IndirectionTest(db_base.DbTestCase):
    """Remotable methods go through a conductor when an API without a database says so."""

    def setUp(self):
        super().setUp()
        self.cluster = utils.create_test_cluster(self.context)
        self.useFixture(fixtures.MonkeyPatch(
            'magnum_ng.objects.base.MagnumObject.indirection_api',
            base.MagnumObjectIndirectionAPI()))
        base.MagnumObject.indirection_api._conductor = Conductor(self.context)

    def test_class_methods(self):
        found = objects.Cluster.get_by_uuid(self.context, self.cluster.uuid)
        self.assertEqual(self.cluster.id, found.id)
        self.assertEqual([self.cluster.id],
                         [cluster.id for cluster in objects.Cluster.list(self.context)])

    def test_instance_methods(self):
        self.cluster.name = 'renamed'
        self.cluster.save()
        self.assertEqual(set(), self.cluster.obj_what_changed())
        self.cluster.refresh()
        self.assertEqual('renamed', self.cluster.name)

    def test_a_refusal_of_the_conductor_is_the_callers(self):
        self.cluster.destroy()
        # oslo.messaging takes the error out of this on the way back.
        error = self.assertRaises(messaging.ExpectedException, self.cluster.refresh)
        self.assertIs(exception.ClusterNotFound, error.exc_info[0])

    def test_an_object_is_converted_for_an_older_service(self):
        converted = base.MagnumObject.indirection_api.object_backport_versions(
            self.context, self.cluster, {'Cluster': '1.21', 'ClusterTemplate': '1.20'})
        self.assertEqual('1.21', converted.VERSION)
        self.assertFalse(converted.obj_attr_is_set('master_lb_enabled'))


class RowTest(db_base.DbTestCase):

    def test_nulls_become_defaults_and_times_get_their_zone(self):
        cluster = utils.create_test_cluster(self.context)
        with self.database.engine.begin() as connection:
            connection.exec_driver_sql(
                'UPDATE cluster SET floating_ip_enabled = NULL, master_lb_enabled = NULL, '
                'labels = NULL, health_status_reason = NULL')
            connection.exec_driver_sql(
                'UPDATE nodegroup SET node_count = NULL, min_node_count = NULL, '
                'is_default = NULL, node_addresses = NULL, node_taints = NULL')
        cluster.refresh()
        self.assertEqual([True, False, {}, {}],
                         [cluster.floating_ip_enabled, cluster.master_lb_enabled, cluster.labels,
                          cluster.health_status_reason])
        self.assertEqual(datetime.timedelta(0), cluster.created_at.utcoffset())
        group = cluster.nodegroups[0]
        self.assertEqual([1, 0, False, [], []],
                         [group.node_count, group.min_node_count, group.is_default,
                          group.node_addresses, group.node_taints])

    def test_what_the_database_holds_is_shown_even_if_it_could_not_be_stored_today(self):
        cluster = utils.create_test_cluster(self.context)
        with self.database.engine.begin() as connection:
            connection.exec_driver_sql(
                "UPDATE cluster SET status = 'ODD', name = NULL, "
                """labels = '{"a": 1, "b": null}'""")
        found = objects.Cluster.get_by_uuid(self.context, cluster.uuid)
        self.assertEqual(['ODD', None, {'a': '1'}], [found.status, found.name, found.labels])

    def test_a_dict_in_place_of_a_row_is_checked(self):
        values = {'id': '7', 'project_id': 'p', 'resource': 'Cluster', 'hard_limit': '3',
                  'created_at': None, 'updated_at': None}
        quota = objects.Quota._from_db_object(objects.Quota(self.context), values)
        self.assertEqual((7, 3, set()), (quota.id, quota.hard_limit, quota.obj_what_changed()))
        values['hard_limit'] = 'many'
        self.assertRaises(ValueError, objects.Quota._from_db_object, objects.Quota(), values)

    def test_a_field_that_is_not_one_is_an_error(self):
        self.assertRaises(AttributeError, objects.Quota().obj_attr_is_set, 'nonsense')
        self.assertFalse(objects.Quota().obj_attr_is_set('hard_limit'))

    def test_items_are_fields(self):
        quota = utils.create_test_quota(self.context)
        self.assertEqual(quota.hard_limit, quota['hard_limit'])
        quota['hard_limit'] = 12
        self.assertEqual(12, quota.as_dict()['hard_limit'])
