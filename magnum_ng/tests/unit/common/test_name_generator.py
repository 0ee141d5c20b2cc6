# SPDX-License-Identifier: Apache-2.0

from magnum_ng.common import name_generator
from magnum_ng.tests import base


class NameGeneratorTest(base.TestCase):

    def test_a_name_is_a_greek_letter_and_a_number(self):
        letters = set()
        for _unused in range(300):
            letter, number = name_generator.NameGenerator().generate().split('-')
            self.assertIn(letter, name_generator.NameGenerator.letters)
            self.assertTrue(1 <= int(number) <= 24)
            letters.add(letter)
        self.assertGreater(len(letters), 12)
