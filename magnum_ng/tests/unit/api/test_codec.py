# SPDX-License-Identifier: Apache-2.0

import datetime
import json

import wsme
from wsme import types as wtypes
from wsme.rest import json as wsme_json

from magnum_ng.api import codec
from magnum_ng.api.controllers import base as api_base
from magnum_ng.api.controllers import link
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import exception
from magnum_ng.tests import base

# Both are answered with 400.
ERRORS = (wsme.exc.ClientSideError, exception.Invalid)


class Part(api_base.APIBase):
    name = wtypes.text
    size = types.IntegerType(minimum=1)


class Whole(api_base.APIBase):
    def _get_double(self):
        return wtypes.Unset if self.count is wtypes.Unset else self.count * 2

    def _set_double(self, value):
        self.count = value // 2

    uuid = types.uuid
    double = wtypes.wsproperty(int, _get_double, _set_double)
    name = wsme.wsattr(types.StringType(1, 5, '^[a-z]+$'), mandatory=True)
    count = wsme.wsattr(types.IntegerType(minimum=0), default=1)
    kind = types.Enum(wtypes.text, 'vm', 'bm')
    flag = wsme.wsattr(types.boolean, default=False)
    labels = types.labels
    parts = [Part]
    words = [wtypes.text]
    ratio = float
    links = wsme.wsattr([link.Link], readonly=True)


class Nothing(api_base.APIBase):
    unset = wtypes.text


class TestWriting(base.TestCase):
    def check(self, datatype, value):
        """Our writer says the same as WSME's, in the same order."""
        self.assertEqual(wsme_json.encode_result(value, datatype), codec.dumps(datatype, value))

    def test_it_writes_what_wsme_writes(self):
        now = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
        self.check(Whole, Whole(name='abc'))
        self.check(Whole, Whole(
            name='abc', uuid='5d12f6fd-a196-4bf0-ae4c-1f639a523a52', count=0, kind='bm',
            flag=True, labels={'a': 1, 'b': 'x'}, words=['a', None], ratio=0.5,
            parts=[Part(name='p', size=1, created_at=now), Part(), None], created_at=now,
            updated_at=None, links=[link.Link(href='http://x', rel='self')]))
        self.check(Nothing, Nothing())
        self.check(wtypes.ArrayType(Whole), [Whole(name='abc'), Whole()])
        self.check(wtypes.text, 'ü')
        self.check(int, None)

    def test_attributes_keep_the_order_of_the_class_bodies(self):
        self.assertEqual(
            ['uuid', 'double', 'name', 'count', 'kind', 'flag', 'labels', 'parts', 'words',
             'ratio', 'links', 'created_at', 'updated_at'],
            [attribute.name for attribute in wtypes.list_attributes(Whole)])

    def test_a_finished_document_is_written_as_it_is(self):
        self.assertEqual('{"b": 1, "a": null}', codec.dumps(Whole, {'b': 1, 'a': None}))


class TestReading(base.TestCase):
    def read(self, **values):
        return codec.read(Whole, {'name': 'abc', **values}, 'whole')

    def refused(self, text, **values):
        error = self.assertRaises(wsme.exc.ClientSideError, self.read, **values)
        self.assertEqual(400, error.code)
        self.assertIn(text, error.faultstring)

    def test_values_arrive(self):
        whole = self.read(count='5', kind='vm', flag='yes', labels={'a': 1, 'b': True},
                          parts=[{'name': 'p', 'size': 2}], words=['x'], ratio='0.5', uuid=None)
        self.assertEqual((5, 'vm', True, {'a': 1, 'b': True}, 'p', ['x'], 0.5, None),
                         (whole.count, whole.kind, whole.flag, whole.labels, whole.parts[0].name,
                          whole.words, whole.ratio, whole.uuid))
        self.assertIs(wtypes.Unset, whole.created_at)

    def test_numbers_are_whole_and_fit_the_database(self):
        self.assertEqual(2147483647, self.read(count=2147483647).count)
        self.assertEqual(2, self.read(count=2.0).count)
        self.refused("attribute count. Value: '2147483648'. Value should be lower or equal to "
                     '2147483647', count=2147483648)
        self.refused('lower or equal', count=2 ** 70)
        self.refused("attribute count. Value: '1.9'. Value should be a whole number", count=1.9)
        self.refused("attribute count. Value: '-1'. Value should be greater or equal to 0",
                     count=-1)
        self.refused("attribute whole. Value: '{'name': 'abc', 'count': 'many'}'. invalid "
                     "literal for int() with base 10: 'many'", count='many')
        self.refused('attribute count', count=[1])
        self.refused('attribute count', count={})

    def test_texts_are_texts_of_the_right_length_and_form(self):
        self.refused("attribute name. Value: '5'. Value should be string", name=5)
        self.refused('minimum character requirement of 1', name='')
        self.refused('maximum character requirement of 5', name='abcdef')
        self.refused('should match the pattern ^[a-z]+$', name='ab\n')
        self.refused("attribute words. Value: '[1]'. Wrong type.", words=[1])

    def test_texts_have_no_line_breaks_unless_they_are_made_of_lines(self):
        for text in ('a\n', 'a\x01', '\x7f', 'a\u2028b'):
            self.assertRaises(ValueError, types.StringType().validate, text)
            self.assertEqual(text, types.StringType(multiline=True).validate(text))

    def test_null_is_refused_inside_dictionaries_and_lists(self):
        self.refused('attribute labels', labels={'a': None})
        self.refused('attribute words', words=['a', None])
        self.refused('Value not a valid dict: None', parts=[None])

    def test_wrong_shapes_are_refused(self):
        self.refused("attribute whole. Value: '{'name': 'abc', 'labels': ['a']}'. Value not a "
                     "valid dict: ['a']", labels=['a'])
        self.refused('Value not a valid list', parts={'name': 'p'})
        self.refused('attribute labels', labels={'a': {}})
        self.refused('attribute labels', labels={'a': []})
        self.refused('Value should be one of: vm, bm', kind='x')
        self.refused('Value should be one of: vm, bm', kind={})
        for body in (None, [], 'x', 5, True):
            self.assertRaises(wsme.exc.InvalidInput, codec.read, Whole, body, 'whole')
        for body in (None, {}, 'x', [None], ['x']):
            self.assertRaises(wsme.exc.InvalidInput, codec.read, wtypes.ArrayType(Whole), body,
                              'patch')

    def test_bad_booleans_and_uuids_are_refused(self):
        for value in ('maybe', 'yes please', '', [], {}, 5):
            error = self.assertRaises(ERRORS, self.read, flag=value)
            self.assertEqual(400, error.code)
        error = self.assertRaises(ERRORS, self.read, uuid='x')
        self.assertEqual(400, error.code)
        for value in (True, 'true', 'True', 'on', '1', 'y'):
            self.assertIs(True, self.read(flag=value).flag)

    def test_unknown_missing_and_read_only_attributes_are_refused(self):
        self.refused('Unknown attribute for argument whole: nope', nope=1)
        self.refused('Unknown attributes for argument whole: a, b', b=1, a=1)
        self.refused('Unknown attribute for argument whole.parts: x', parts=[{'x': 1}])
        self.refused("attribute links. Value: '[]'. Cannot set read only field.", links=[])
        error = self.assertRaises(wsme.exc.InvalidInput, codec.read, Whole, {}, 'whole')
        self.assertEqual("Invalid input for field/attribute name. Value: 'None'. Mandatory field "
                         'missing.', error.faultstring)

    def test_a_long_value_is_quoted_in_part(self):
        for values in ({'name': 'x' * 9000}, {'labels': {'a': ['x' * 9000]}}, {'count': '9' * 4000},
                       {'count': 'x' * 9000}):
            error = self.assertRaises(wsme.exc.ClientSideError, self.read, **values)
            self.assertLess(len(error.faultstring), 3000)


class TestDocuments(base.TestCase):
    def refused(self, body, text):
        error = self.assertRaises(wsme.exc.ClientSideError, codec.loads, body, 32)
        self.assertIn(text, error.faultstring)

    def test_json_is_read(self):
        self.assertEqual({'a': ['ü', 1.5, None]}, codec.loads('{"a": ["ü", 1.5, null]}'.encode(),
                                                              32))
        self.assertEqual('\U0001f600', codec.loads(b'"\\ud83d\\ude00"', 32))
        self.assertEqual('\\u0000', codec.loads(b'"\\\\u0000"', 32))

    def test_what_is_no_json_is_refused(self):
        for body in (b'', b'{', b'nope', b'{"a": NaN}', b'[Infinity]', b'[-Infinity]', b"{'a': 1}",
                     b'\xff\xfe', b'"\xc3"', b'[' + b'9' * 5000 + b']', b'{"a": 1} x'):
            self.refused(body, 'Request is not in valid JSON format')

    def test_characters_that_are_no_text_are_refused(self):
        self.refused(b'{"a": "\\u0000"}', 'NUL')
        self.refused(b'{"a\\u0000": 1}', 'NUL')
        self.refused(b'["\\ud800"]', 'surrogate')

    def test_deep_nesting_is_refused(self):
        for text in ('[' * 33 + ']' * 33, '{"a":' * 50 + '1' + '}' * 50,
                     '[' * 100000 + ']' * 100000):
            self.refused(text.encode(), 'deeper than 32 levels')
        self.assertEqual(json.loads('[' * 32 + ']' * 32), codec.loads(b'[' * 32 + b']' * 32, 32))

    def test_brackets_in_texts_and_many_flat_lists_are_no_nesting(self):
        self.assertEqual({'a': '[' * 100}, codec.loads(b'{"a": "' + b'[' * 100 + b'"}', 32))
        self.assertEqual(['"[{' * 40], codec.loads(json.dumps(['"[{' * 40]).encode(), 32))
        self.assertEqual([[]] * 100, codec.loads(json.dumps([[]] * 100).encode(), 32))
