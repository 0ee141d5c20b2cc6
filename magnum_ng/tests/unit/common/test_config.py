# SPDX-License-Identifier: Apache-2.0

import os
from unittest import mock

from oslo_config import fixture as config_fixture
from oslotest import base
import fixtures

from magnum_ng.common import config
from magnum_ng.common import rpc
import magnum_ng.conf

CONF = magnum_ng.conf.CONF


class ParseArgsTestCase(base.BaseTestCase):

    def setUp(self):
        super().setUp()
        self.home = self.useFixture(fixtures.TempDir()).path
        self.useFixture(fixtures.EnvironmentVariable('HOME', self.home))
        self.useFixture(config_fixture.Config(CONF))
        self.addCleanup(CONF.reset)

    def write(self, *path, text):
        path = os.path.join(self.home, *path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def test_the_configuration_of_the_project_magnum_is_found_without_arguments(self):
        self.write('.magnum', 'magnum.conf', text='[api]\nmax_limit = 7\n')
        config.parse_args(['magnum-api'])
        self.assertEqual(7, CONF.api.max_limit)

    def test_several_files_may_be_named_and_the_last_one_wins(self):
        first = self.write('first.conf', text='[api]\nmax_limit = 1\nport = 1001\n')
        second = self.write('second.conf', text='[api]\nmax_limit = 2\n')
        config.parse_args(['magnum-api', '--config-file', first, f'--config-file={second}'])
        self.assertEqual((2, 1001), (CONF.api.max_limit, CONF.api.port))

    def test_the_environment_is_read(self):
        self.useFixture(fixtures.EnvironmentVariable('OS_API__MAX_LIMIT', '5'))
        config.parse_args(['magnum-api'])
        self.assertEqual(5, CONF.api.max_limit)

    def test_messages_go_over_the_exchange_magnum(self):
        with mock.patch.object(rpc.messaging, 'set_transport_defaults') as defaults:
            config.parse_args(['magnum-api'])
        defaults.assert_called_once_with('magnum')
