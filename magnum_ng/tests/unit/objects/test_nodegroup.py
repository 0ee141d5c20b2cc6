# SPDX-License-Identifier: Apache-2.0

from oslo_utils import uuidutils

from magnum_ng import objects
from magnum_ng.common import exception
from magnum_ng.tests.unit.db import base
from magnum_ng.tests.unit.objects import utils


class NodeGroupTest(base.DbTestCase):

    def setUp(self):
        super().setUp()
        self.cluster = utils.create_test_cluster(self.context)
        self.group = objects.NodeGroup.get_by_name(self.context, self.cluster.uuid, 'test-worker')

    def test_by_id_uuid_or_name_within_its_cluster(self):
        for ident in (self.group.id, str(self.group.id), self.group.uuid, self.group.name):
            found = objects.NodeGroup.get(self.context, self.cluster.uuid, ident)
            self.assertEqual(self.group.id, found.id)
            self.assertRaises(exception.NodeGroupNotFound, objects.NodeGroup.get, self.context,
                              uuidutils.generate_uuid(), ident)

    def test_list_takes_filters_and_an_order(self):
        groups = objects.NodeGroup.list(self.context, self.cluster.uuid, sort_key='name')
        self.assertEqual(['test-master', 'test-worker'], [group.name for group in groups])
        masters = objects.NodeGroup.list(self.context, self.cluster.uuid,
                                         filters={'role': 'master'})
        self.assertEqual(['test-master'], [group.name for group in masters])
        self.assertEqual(2, objects.NodeGroup.get_count_all(self.context, self.cluster.uuid))

    def test_save_stores_what_changed(self):
        self.group.node_labels['zone'] = 'a'
        self.group.node_taints = [{'key': 'k', 'value': None, 'effect': 'NoExecute'}]
        self.group.node_count = 9
        self.group.save()
        found = objects.NodeGroup.get_by_uuid(self.context, self.cluster.uuid, self.group.uuid)
        self.assertEqual(({'zone': 'a'}, self.group.node_taints, 9),
                         (found.node_labels, found.node_taints, found.node_count))

    def test_a_row_can_be_changed_unread(self):
        changed = objects.NodeGroup.update_nodegroup(
            self.context, self.cluster.uuid, self.group.uuid, {'node_count': 8})
        self.assertEqual(8, changed.node_count)
        self.group.refresh()
        self.assertEqual(8, self.group.node_count)

    def test_destroy_removes_the_row(self):
        self.group.destroy()
        self.assertRaises(exception.NodeGroupNotFound, self.group.refresh)
        self.assertEqual(1, objects.NodeGroup.get_count_all(self.context, self.cluster.uuid))

    def test_required_values_are_required(self):
        for name in ('name', 'cluster_id', 'project_id', 'role', 'uuid'):
            self.assertRaises(ValueError, setattr, self.group, name, None)

    def test_counts_that_are_not_given_are_the_defaults(self):
        self.group.node_count = None
        self.group.min_node_count = None
        self.assertEqual((1, 0), (self.group.node_count, self.group.min_node_count))
