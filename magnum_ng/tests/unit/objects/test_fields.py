# SPDX-License-Identifier: Apache-2.0

import copy
import gc
import json
import pickle
import weakref

from oslo_versionedobjects import base as ovo_base

from magnum_ng.objects import fields
from magnum_ng.tests import base


@ovo_base.VersionedObjectRegistry.objectify
class Thing(ovo_base.VersionedObject):
    fields = {
        'labels': fields.DictOfStringsField(nullable=True),
        'taints': fields.ListOfDictsField(nullable=True),
        'status': fields.ClusterStatusField(nullable=True),
    }


class LabelsTest(base.TestCase):

    def setUp(self):
        super().setUp()
        self.thing = Thing(labels={'a': '1', 'b': 2})
        self.thing.obj_reset_changes()

    def changed(self):
        return self.thing.obj_what_changed() == {'labels'}

    def test_values_become_strings(self):
        self.assertEqual({'a': '1', 'b': '2'}, self.thing.labels)
        self.thing.labels['c'] = 3.5
        self.assertEqual('3.5', self.thing.labels['c'])
        self.assertTrue(all(type(value) is str for value in self.thing.labels.values()))

    def test_null_values_and_other_keys_are_refused(self):
        self.assertRaises(ValueError, Thing, labels={'a': None})
        self.assertRaises(ValueError, self.thing.labels.__setitem__, 'a', None)
        self.assertRaises(TypeError, self.thing.labels.__setitem__, 1, 'a')
        self.assertRaises(ValueError, Thing, labels=['a'])

    def test_reading_is_no_change(self):
        self.thing.labels.get('a')
        self.assertRaises(KeyError, lambda: self.thing.labels['x'])
        self.assertEqual('1', self.thing.labels.setdefault('a', 'z'))
        self.assertFalse(self.changed())

    def test_every_change_in_place_is_noticed(self):
        def merge(labels):
            labels |= {'z': '1'}

        for change in (lambda labels: labels.__setitem__('z', '1'),
                       lambda labels: labels.__delitem__('a'),
                       lambda labels: labels.pop('a'),
                       lambda labels: labels.popitem(),
                       lambda labels: labels.clear(),
                       lambda labels: labels.setdefault('z', '1'),
                       lambda labels: labels.update({'z': 1}, y=2),
                       merge):
            self.thing = Thing(labels={'a': '1'})
            self.thing.obj_reset_changes()
            change(self.thing.labels)
            self.assertTrue(self.changed())
            self.assertNotEqual({'a': '1'}, self.thing.labels)
            self.assertTrue(all(type(value) is str for value in self.thing.labels.values()))

    def test_a_copy_of_the_object_notices_its_own_changes_only(self):
        other = self.thing.obj_clone()
        other.labels['z'] = '1'
        self.assertFalse(self.changed())
        self.assertEqual({'labels'}, other.obj_what_changed())

    def test_a_copy_of_the_dict_is_plain(self):
        def pickled(labels):
            return pickle.loads(pickle.dumps(labels))  # noqa: S301

        for make in (copy.copy, copy.deepcopy, pickled):
            other = make(self.thing.labels)
            self.assertIs(dict, type(other))
            other['z'] = '1'
            self.assertFalse(self.changed())
            self.assertNotIn('z', self.thing.labels)

    def test_it_outlives_its_object(self):
        labels = self.thing.labels
        del self.thing
        labels['z'] = '1'
        self.assertEqual('1', labels['z'])

    def test_it_does_not_keep_its_object_alive(self):
        gc.disable()
        self.addCleanup(gc.enable)
        gone = weakref.ref(self.thing)
        del self.thing
        self.assertIsNone(gone())

    def test_a_value_of_no_object_is_one_as_well(self):
        labels = Thing.fields['labels'].coerce(None, 'labels', {'a': 1})
        labels['b'] = 2
        self.assertEqual({'a': '1', 'b': '2'}, labels)

    def test_it_is_json(self):
        self.assertEqual('{"a": "1", "b": "2"}', json.dumps(self.thing.labels))


class TaintsTest(base.TestCase):

    def test_values_may_be_anything_that_json_knows(self):
        taints = [{'key': 'k', 'value': None, 'effect': 'NoSchedule'}]
        self.assertEqual(taints, Thing(taints=taints).taints)

    def test_anything_but_a_list_of_dicts_is_refused(self):
        for wrong in ('abc', {'key': 'k'}, ['abc'], 5):
            self.assertRaises(ValueError, Thing, taints=wrong)


class WordsTest(base.TestCase):

    def test_only_the_words_are_taken(self):
        self.assertEqual('CREATE_COMPLETE', Thing(status='CREATE_COMPLETE').status)
        self.assertIsNone(Thing(status=None).status)
        self.assertRaises(ValueError, Thing, status='DONE')

    def test_words_are_plain_strings(self):
        for word in fields.ClusterStatus.ALL + fields.ClusterHealthStatus.ALL:
            self.assertIs(str, type(word))

    def test_quirks_that_others_know(self):
        self.assertEqual('UNHEALTHY', fields.ClusterHealthStatus.STATUS_FAILED)
        self.assertEqual(('magnum-conductor',), fields.MagnumServiceBinary.magnum_conductor)
