# SPDX-License-Identifier: Apache-2.0

import uuid

from magnum_ng.common import short_id
from magnum_ng.tests import base


class ShortIdTest(base.TestCase):

    def test_it_is_twelve_characters_that_any_name_takes(self):
        for _unused in range(100):
            self.assertRegex(short_id.generate_id(), '^[a-z2-7]{12}$')

    def test_ids_differ(self):
        self.assertEqual(1000, len({short_id.generate_id() for _unused in range(1000)}))

    def test_it_shows_the_random_bits_of_the_uuid(self):
        self.assertEqual('a' * 12, short_id.get_id('00000000-0000-4000-8000-000000000000'))
        self.assertEqual('777777777777', short_id.get_id('ffffffff-ffff-4fff-8000-000000000000'))
        source = uuid.uuid4()
        self.assertEqual(short_id.get_id(source), short_id.get_id(str(source)))

    def test_only_random_uuids_are_taken(self):
        for wrong in ('nonsense', '00000000-0000-1000-8000-000000000000', uuid.uuid1()):
            self.assertRaises(ValueError, short_id.get_id, wrong)
