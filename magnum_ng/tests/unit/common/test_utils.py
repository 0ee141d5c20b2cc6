# SPDX-License-Identifier: Apache-2.0

import pathlib

import fixtures
from oslo_concurrency import processutils

from magnum_ng.common import exception
from magnum_ng.common import utils
from magnum_ng.tests import base


class QuantityTest(base.TestCase):

    def test_quantities_of_kubernetes_are_understood(self):
        for text, number in (('1024Ki', 1048576), ('1Mi', 1048576), ('2Gi', 2 ** 31),
                             ('1Ti', 2 ** 40), ('1Pi', 2 ** 50), ('1Ei', 2 ** 60), ('7', 7),
                             ('1.5k', 1500), ('250m', 0.25), ('2M', 2e6), ('1G', 1e9),
                             ('1T', 1e12), ('1P', 1e15), ('1E', 1e18), ('1e3', 1000),
                             ('1.5E3', 1500), ('12e-1', 1.2), ('.5', 0.5), ('-3', -3), ('0', 0),
                             (4, 4)):
            self.assertAlmostEqual(number, utils.get_k8s_quantity(text), msg=text)

    def test_anything_else_is_refused(self):
        for text in ('', 'abc', '1KB', '1 Gi', '1e', '1e3Ki', 'Ki', '0x10', '1Ki\n', None, '٣'):
            self.assertRaises(exception.UnsupportedK8sQuantityFormat,
                              utils.get_k8s_quantity, text)


class OpenStackCATest(base.TestCase):

    def test_it_is_the_contents_of_the_configured_file(self):
        path = pathlib.Path(self.useFixture(fixtures.TempDir()).path) / 'ca.pem'
        path.write_text('-----BEGIN CERTIFICATE-----\n')
        self.config(group='drivers', openstack_ca_file=str(path))
        self.assertEqual('-----BEGIN CERTIFICATE-----\n', utils.get_openstack_ca())

    def test_without_a_file_it_is_empty(self):
        self.assertEqual('', utils.get_openstack_ca())

    def test_a_file_that_is_not_there_is_an_error(self):
        self.config(group='drivers', openstack_ca_file='/does/not/exist')
        self.assertRaises(OSError, utils.get_openstack_ca)


class DNSTest(base.TestCase):

    def test_addresses_and_lists_of_them_are_taken(self):
        for good in ('8.8.8.8', '8.8.8.8,1.1.1.1', '8.8.8.8, 2001:db8::1', '::1'):
            utils.validate_dns(good)

    def test_anything_else_is_refused(self):
        for wrong in ('', ',', '8.8.8', '8.8.8.8,', 'dns.example.org', '8.8.8.8 1.1.1.1',
                      '8.8.8.8\n', 'fe80::1%eth0', 'fe80::1%$(x)'):
            error = self.assertRaises(exception.InvalidDNS, utils.validate_dns, wrong)
            self.assertEqual(400, error.code)


class ExecuteTest(base.TestCase):

    def test_it_returns_what_the_command_writes(self):
        self.assertEqual(('given', ''), utils.execute('cat', process_input=b'given'))

    def test_a_command_that_fails_raises(self):
        error = self.assertRaises(processutils.ProcessExecutionError, utils.execute, 'false')
        self.assertEqual(1, error.exit_code)
