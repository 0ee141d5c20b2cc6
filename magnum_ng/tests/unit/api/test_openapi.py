# SPDX-License-Identifier: Apache-2.0

import json
import pathlib
import unittest

import magnum_ng
from magnum_ng.api import openapi

FILE = (pathlib.Path(magnum_ng.__file__).parent.parent / 'api-ref' / 'source' / 'openapi.json')


class TestDocument(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = openapi.document()

    @unittest.skipUnless(FILE.parent.parent.exists(), 'not in a source tree')
    def test_the_file_is_not_stale(self):
        self.assertEqual(json.loads(json.dumps(self.document)), json.loads(FILE.read_text()),
                         'run tools/openapi')

    def references(self, part):
        if isinstance(part, dict):
            if '$ref' in part:
                yield part['$ref']
            for value in part.values():
                yield from self.references(value)
        elif isinstance(part, list):
            for value in part:
                yield from self.references(value)

    def test_every_reference_leads_somewhere(self):
        for reference in set(self.references(self.document)):
            part = self.document
            for name in reference.removeprefix('#/').split('/'):
                self.assertIn(name, part, reference)
                part = part[name]

    def test_names_of_operations_are_unique(self):
        names = [operation['operationId'] for path in self.document['paths'].values()
                 for operation in path.values()]
        self.assertEqual(len(names), len(set(names)))

    def test_every_operation_says_what_it_does(self):
        for path, operations in self.document['paths'].items():
            for method, operation in operations.items():
                self.assertTrue(operation['summary'], f'{method} {path}')

    def test_segments_of_paths_are_parameters(self):
        for path, operations in self.document['paths'].items():
            named = {name.partition('}')[0] for name in path.split('{')[1:]}
            for operation in operations.values():
                self.assertEqual(named, {entry['name'] for entry in operation['parameters']
                                         if entry.get('in') == 'path'}, path)
