# SPDX-License-Identifier: Apache-2.0

from unittest import mock

from magnum_ng.drivers.common import driver
from magnum_ng.tests.unit.cmd.upgrade_checks import base

Code = base.Code
REMOVED = 'k8s_fedora_coreos_v1'


class DriversTestCase(base.ChecksTestCase):
    TITLE = 'Cluster Drivers'

    def report(self, *drivers):
        with mock.patch.object(driver, 'report', return_value=list(drivers)):
            return self.check()

    def test_a_usable_driver_is_fine_and_named(self):
        result = self.report(driver.DriverInfo(name='a', entry_point='a:A'))
        self.assertEqual(Code.SUCCESS, result.code)
        self.assertIn('(a)', result.details)

    def test_no_driver_is_a_warning(self):
        self.assertEqual(Code.WARNING, self.report().code)

    def test_only_disabled_drivers_are_a_warning(self):
        result = self.report(driver.DriverInfo(name='a', entry_point='a:A', disabled=True))
        self.assertEqual(Code.WARNING, result.code)

    def test_a_broken_driver_is_named_with_its_reason(self):
        result = self.report(
            driver.DriverInfo(name='a', entry_point='a:A'),
            driver.DriverInfo(name='b', entry_point='b:B', error='KeyError: kubeconfig'))
        self.assertEqual(Code.WARNING, result.code)
        self.assertIn('b: KeyError: kubeconfig', result.details)


class WithoutDriver(base.ChecksTestCase):

    def setUp(self):
        super().setUp()
        patch = base.installed('lab')
        patch.start()
        self.addCleanup(patch.stop)


class ClustersTestCase(WithoutDriver):
    TITLE = 'Clusters Without Driver'

    def test_clusters_of_installed_drivers_are_fine(self):
        self.cluster(self.template('lab'))
        self.cluster(self.template())
        self.assertEqual((), self.check().findings)

    def test_clusters_of_the_removed_driver_are_counted_with_examples_and_the_way_out(self):
        template = self.template(REMOVED, 'fedora-coreos')
        uuids = sorted(self.cluster(template) for _number in range(7))
        found = self.only()
        self.assertEqual((Code.WARNING, 7, tuple(uuids[:5])),
                         (found.code, found.count, found.examples))
        self.assertIn(REMOVED, found.what)
        self.assertIn('Heat', found.advice)
        self.assertIn('force=true', found.advice)

    def test_most_of_those_have_no_driver_in_their_template(self):
        self.cluster(self.template(distro='fedora-coreos'))
        self.assertIn('Heat', self.only().advice)

    def test_a_driver_that_is_not_installed_may_come_back(self):
        cluster = self.cluster(self.template('elsewhere'))
        found = self.only()
        self.assertEqual((1, (cluster,)), (found.count, found.examples))
        self.assertIn('Install the driver', found.advice)

    def test_a_template_without_clusters_is_not_this_check_s_business(self):
        self.template(REMOVED)
        self.assertEqual((), self.check().findings)


class TemplatesTestCase(WithoutDriver):
    TITLE = 'Cluster Templates Without Driver'

    def test_templates_are_told_apart_by_kind(self):
        self.template('lab')
        first = self.template(REMOVED, 'fedora-coreos')
        second = self.template('elsewhere')
        found = {finding.examples for finding in self.check().findings}
        self.assertEqual({(first,), (second,)}, found)
