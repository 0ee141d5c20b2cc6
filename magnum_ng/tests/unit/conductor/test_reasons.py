# SPDX-License-Identifier: Apache-2.0

from magnum_ng.conductor import reasons
from magnum_ng.tests import base


class TestReasons(base.TestCase):

    def test_length_is_bounded(self):
        self.assertEqual(reasons.MAX_LENGTH, len(reasons.of('x' * 100000)))

    def test_error_without_text_is_named(self):
        self.assertEqual('NotImplementedError', reasons.of(NotImplementedError()))

    def test_error_whose_text_cannot_be_made_is_named(self):
        class Broken(Exception):
            def __str__(self):
                raise ValueError('no text')

        self.assertEqual('Broken', reasons.of(Broken()))
