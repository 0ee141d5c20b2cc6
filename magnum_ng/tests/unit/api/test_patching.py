# SPDX-License-Identifier: Apache-2.0

from magnum_ng.api import patching
from magnum_ng.common import exception
from magnum_ng.tests import base
import wsme


def change(op, path, value=None):
    operation = {'op': op, 'path': path}
    if op != 'remove':
        operation['value'] = value
    return operation


class TestApply(base.TestCase):
    def setUp(self):
        super().setUp()
        self.document = {'name': 'a', 'keypair': None, 'node_count': 0, 'labels': {'k': 'v'},
                         'node_taints': []}

    def apply(self, *operations):
        return patching.apply(self.document, operations)

    def refused(self, error, text, *operations):
        raised = self.assertRaises(error, self.apply, *operations)
        self.assertIn(text, str(raised))

    def test_nothing_changes_nothing(self):
        self.assertEqual(self.document, self.apply())

    def test_the_document_given_stays_as_it_is(self):
        self.apply(change('add', '/labels/new', 'x'))
        self.assertEqual({'k': 'v'}, self.document['labels'])

    def test_an_attribute_is_replaced_or_removed(self):
        result = self.apply(change('replace', '/name', 'b'), change('remove', '/keypair'))
        self.assertEqual('b', result['name'])
        self.assertNotIn('keypair', result)

    def test_adding_at_the_root_is_for_what_is_null(self):
        self.assertEqual('x', self.apply(change('add', '/keypair', 'x'))['keypair'])
        self.refused(wsme.exc.ClientSideError,
                     "The attribute /name has existed, please use 'replace' operation instead.",
                     change('add', '/name', 'x'))
        for path in ('/node_count', '/labels', '/node_taints'):
            self.refused(wsme.exc.ClientSideError, 'has existed', change('add', path, '{}'))
        self.refused(wsme.exc.ClientSideError,
                     'Adding a new attribute /nope to the root of the resource is not allowed.',
                     change('add', '/nope', 'x'))

    def test_keys_of_dictionaries_are_added_over_old_ones(self):
        result = self.apply(change('add', '/labels/k', 'w'), change('add', '/labels/n', 1))
        self.assertEqual({'k': 'w', 'n': 1}, result['labels'])

    def test_keys_may_have_dots_slashes_and_tildes(self):
        result = self.apply(change('add', '/labels/foo.bar', '1'),
                            change('add', '/labels/example.com~1x', '2'),
                            change('add', '/labels/a~0b', '3'))
        self.assertEqual({'k': 'v', 'foo.bar': '1', 'example.com/x': '2', 'a~b': '3'},
                         result['labels'])

    def test_what_does_not_exist_is_neither_replaced_nor_removed(self):
        self.refused(exception.PatchError,
                     "Couldn't apply patch '[{'op': 'replace', 'path': '/foo', 'value': 'q'}]'. "
                     "Reason: can't replace a non-existent object 'foo'",
                     change('replace', '/foo', 'q'))
        self.refused(exception.PatchError, "can't remove", change('remove', '/labels/nope'))

    def test_a_pointer_that_does_not_fit_is_refused(self):
        for path in ('/name/x', '/name/x/y', '/node_count/1', '/node_taints/x', '/keypair/x',
                     '/node_taints/9', '/labels/k/z'):
            for op in ('add', 'replace', 'remove'):
                self.assertRaises((exception.PatchError, wsme.exc.ClientSideError), self.apply,
                                  change(op, path, 'v'))

    def test_a_structured_attribute_takes_an_object_and_texts_that_say_one(self):
        for value in ({'a': True}, '{"a": true}', "{'a': True}", " {'a': True} "):
            result = self.apply(change('replace', '/labels', value))
            self.assertEqual({'a': True}, result['labels'])
        for value in ([{'key': 'a'}], '[{"key": "a"}]', "[{'key': 'a'}]"):
            result = self.apply(change('replace', '/node_taints', value))
            self.assertEqual([{'key': 'a'}], result['node_taints'])

    def test_a_structured_attribute_takes_nothing_else(self):
        for value in ('5', 5, True, '[1]', '{[]:1}', '{{}}', '', 'os.getcwd()', '{', "'a'",
                      '+'.join(['1'] * 30000), '-' * 60000 + '1', '(' * 20000, '{"a": NaN}',
                      '[' * 100000, "{'a': 1 + 1}", "{'a': -'x'}", 'x' * 70000, '\0', '1j',
                      "{**{}}", "{'a': __import__('os')}", "f'{1}'", 'lambda: 0'):
            self.assertRaises(exception.PatchError, self.apply,
                              change('replace', '/labels', value))
        self.assertRaises(exception.PatchError, self.apply,
                          change('replace', '/node_taints', '{"a": 1}'))

    def test_a_long_patch_is_quoted_in_part(self):
        raised = self.assertRaises(exception.PatchError, self.apply,
                                   change('replace', '/nope', 'x' * 5000))
        self.assertLess(len(str(raised)), 1500)

    def test_a_literal_with_signs_and_quotes_is_read(self):
        self.assertEqual({'a': -1, 'b': "it's", 'c': '+x-', 'd': 1.5, 'e': 'q"q'},
                         patching.literal("""{'a': -1, 'b': "it's", 'c': '+x-', 'd': 1.5, """
                                          """'e': 'q"q'}"""))
        self.assertEqual({'health': '(((((((((((['},
                         patching.literal("{'health': '(((((((((((['}"))


class TestRules(base.TestCase):
    def test_a_change_of_what_is_not_mutable_is_refused_with_its_names(self):
        rules = patching.PatchRules(mutable=frozenset(('size',)), refusal='cannot change %s.')
        before = {'size': 1, 'name': 'a', 'other': 2, 'gone': 3}
        rules.check_changes(before, dict(before, size=2))
        raised = self.assertRaises(
            exception.InvalidParameterValue, rules.check_changes, before,
            {'size': 1, 'name': 'b', 'other': 2, 'new': 1})
        self.assertEqual('cannot change gone, name, new.', str(raised))

    def test_without_a_list_everything_may_change(self):
        patching.PatchRules().check_changes({'a': 1}, {'b': 2})

    def test_values_are_texts_or_whole_numbers_unless_the_attribute_is_structured(self):
        for path, value in (('/name', 'x'), ('/name', 1), ('/name', True), ('/labels', {}),
                            ('/labels', 'x'), ('/node_taints', [])):
            patching.check_value(path, value)
        for path, value in (('/name', {}), ('/name', []), ('/name', 1.5), ('/labels', []),
                            ('/node_taints', {}), ('/labels/k', {})):
            raised = self.assertRaises(wsme.exc.InvalidInput, patching.check_value, path, value)
            self.assertIn("Wrong type. Expected '(<class 'str'>, <class 'int'>)', got",
                          raised.faultstring)
