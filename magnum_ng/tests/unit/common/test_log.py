# SPDX-License-Identifier: Apache-2.0

import unittest

from magnum_ng.common import log


class LoggerNameTestCase(unittest.TestCase):

    def test_modules_of_the_package_log_under_the_public_name(self):
        self.assertEqual('magnum.api.app', log.getLogger('magnum_ng.api.app').logger.name)

    def test_the_package_itself_logs_under_the_public_name(self):
        self.assertEqual('magnum', log.getLogger('magnum_ng').logger.name)

    def test_other_names_are_left_alone(self):
        for name in ('magnum.api', 'magnum_cluster_api.driver', '__main__'):
            self.assertEqual(name, log.getLogger(name).logger.name)
