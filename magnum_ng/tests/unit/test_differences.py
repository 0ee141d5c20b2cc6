# SPDX-License-Identifier: Apache-2.0
"""The list of differences names tests that exist."""

import ast
import pathlib
import re

from magnum_ng.tests import base

TESTS = pathlib.Path(__file__).parents[1]
LEDGER = TESTS.parents[1] / 'doc' / 'source' / 'admin' / 'differences.rst'

NAME = re.compile('``((?:unit|functional)[.][A-Za-z0-9_.]+)``')


def exists(name):
    """Whether there is such a package, module, or class in a module, below the tests."""
    path = TESTS.joinpath(*name.split('.'))
    if path.is_dir() or path.with_suffix('.py').is_file():
        return True
    module, word = path.parent.with_suffix('.py'), path.name
    return module.is_file() and word in {
        node.name for node in ast.parse(module.read_text()).body
        if isinstance(node, ast.ClassDef)}


class TestDifferences(base.TestCase):
    def setUp(self):
        super().setUp()
        if not LEDGER.is_file():
            self.skipTest('there is no doc/source/admin/differences.rst: this is no checkout')

    def test_the_tests_named_there_exist(self):
        named = set(NAME.findall(LEDGER.read_text()))
        self.assertGreater(len(named), 50)
        self.assertEqual([], sorted(name for name in named if not exists(name)))

    def test_a_name_that_does_not_exist_is_found(self):
        self.assertTrue(exists('unit.test_differences.TestDifferences'))
        self.assertFalse(exists('unit.test_differences.TestNothing'))
        self.assertFalse(exists('unit.test_nothing'))
