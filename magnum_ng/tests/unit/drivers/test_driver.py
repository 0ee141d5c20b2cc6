# SPDX-License-Identifier: Apache-2.0
import types
from importlib import metadata
from unittest import mock

import fixtures

from magnum_ng.common import exception
from magnum_ng.conductor import monitors
from magnum_ng.drivers.common import driver
from magnum_ng.tests import base


class Plain(driver.Driver):
    """Does what a driver must, and nothing else."""

    kinds = (('vm', 'ubuntu', 'kubernetes'),)

    @property
    def provides(self):
        return [dict(zip(('server_type', 'os', 'coe'), kind)) for kind in self.kinds]

    def create_cluster(self, context, cluster, cluster_create_timeout):
        pass

    def update_cluster(self, context, cluster, scale_manager=None, rollback=False):
        pass

    def upgrade_cluster(self, context, cluster, cluster_template, max_batch_size, nodegroup,
                        scale_manager=None, rollback=False):
        pass

    def delete_cluster(self, context, cluster):
        pass

    def resize_cluster(self, context, cluster, resize_manager, node_count, nodes_to_remove,
                       nodegroup=None):
        pass

    def create_nodegroup(self, context, cluster, nodegroup):
        pass

    update_nodegroup = delete_nodegroup = create_nodegroup

    def create_federation(self, context, federation):
        pass

    update_federation = delete_federation = create_federation


class Other(Plain):
    kinds = (('vm', 'ubuntu', 'kubernetes'), ('vm', 'flatcar', 'kubernetes'))

    def get_monitor(self, context, cluster):
        return 'the monitor'


class Beta(Plain):
    beta = True
    kinds = (('bm', 'ubuntu', 'kubernetes'),)


class Fussy(Plain):
    """Wants a file that is not there."""

    def __init__(self):
        raise RuntimeError('no kubeconfig')


def template(server_type='vm', os='ubuntu', name=None):
    return types.SimpleNamespace(server_type=server_type, cluster_distro=os, coe='kubernetes',
                                 driver=name)


class DriverTestCase(base.TestCase):
    """Drivers installed for a test only."""

    def setUp(self):
        super().setUp()
        self.addCleanup(driver.forget_entry_points)

    def install(self, *drivers, broken=()):
        def manager(namespace, on_load_failure_callback):
            self.assertEqual('magnum.drivers', namespace)
            for name in broken:
                entry_point = metadata.EntryPoint(name, f'gone:{name}', namespace)
                on_load_failure_callback(None, entry_point, ImportError('no module gone'))
            found = [mock.Mock(entry_point=metadata.EntryPoint(name, f'here:{name}', namespace),
                               plugin=plugin) for name, plugin in drivers]
            return mock.Mock(extensions=found)

        self.scans = mock.Mock(side_effect=manager)
        patched = mock.patch.object(driver, 'extension', mock.Mock(ExtensionManager=self.scans))
        patched.start()
        self.addCleanup(patched.stop)
        driver.forget_entry_points()


class TestFinding(DriverTestCase):
    def test_the_driver_listed_last_wins(self):
        self.install(('a', Plain), ('b', Other))
        found = driver.Driver.get_driver('vm', 'ubuntu', 'kubernetes')
        self.assertIsInstance(found, Other)
        self.assertEqual('b', driver.Driver.get_drivers()[
            ('vm', 'ubuntu', 'kubernetes')]['entry_point_name'])

    def test_a_name_goes_before_what_is_provided(self):
        self.install(('a', Plain), ('b', Other))
        self.assertIs(Plain, type(driver.Driver.get_driver('x', 'y', 'z', 'a')))

    def test_each_look_up_makes_a_new_driver_and_none_scans_again(self):
        self.install(('a', Plain))
        first, second = (driver.Driver.get_driver('vm', 'ubuntu', 'kubernetes')
                         for _index in range(2))
        self.assertIsNot(first, second)
        self.assertEqual(1, self.scans.call_count)

    def test_an_unknown_type_lists_the_known_ones(self):
        self.install(('b', Other))
        error = self.assertRaises(exception.ClusterTypeNotSupported, driver.Driver.get_driver,
                                  'vm', 'coreos', 'kubernetes')
        self.assertEqual(
            'Cluster type (vm, coreos, kubernetes) is not supported by any loaded cluster driver. '
            'Loaded drivers support: (vm, flatcar, kubernetes), (vm, ubuntu, kubernetes).',
            str(error))

    def test_without_drivers_the_text_says_so(self):
        self.install()
        error = self.assertRaises(exception.ClusterTypeNotSupported, driver.Driver.get_driver,
                                  'vm', 'ubuntu', 'kubernetes')
        self.assertIn('none (no cluster drivers are loaded)', str(error))
        self.assertIsNone(driver.Driver.get_default_driver())

    def test_a_driver_that_cannot_be_constructed_does_not_take_others_down(self):
        self.install(('a', Plain), ('z', Fussy), broken=['y'])
        found = driver.Driver.get_driver('vm', 'ubuntu', 'kubernetes')
        self.assertIs(Plain, type(found))
        for name in ('y', 'z', 'unheard of'):
            error = self.assertRaises(exception.ClusterDriverNotSupported,
                                      driver.Driver.get_driver, 'vm', 'ubuntu', 'kubernetes',
                                      name)
            self.assertEqual(f'Cluster driver ({name}) not supported.', str(error))

    def test_what_cannot_be_used_is_in_the_log_by_name_with_the_reason(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.install(('a', Plain), ('z', Fussy), broken=['y'])
        driver.Driver.get_driver('vm', 'ubuntu', 'kubernetes')
        lines = log.output.splitlines()
        for name, reason in (('y', 'ImportError: no module gone'),
                             ('z', 'RuntimeError: no kubeconfig')):
            self.assertEqual(1, len([line for line in lines
                                     if f'Cluster driver {name} ' in line and reason in line]),
                             log.output)

    def test_disabled_drivers_are_not_matched_but_found_by_name(self):
        self.install(('a', Plain), ('b', Other))
        self.config('drivers', disabled_drivers=['b'])
        self.assertIs(Plain, type(driver.Driver.get_driver('vm', 'ubuntu', 'kubernetes')))
        self.assertIs(Other, type(driver.Driver.get_driver('vm', 'ubuntu', 'kubernetes', 'b')))

    def test_a_beta_driver_needs_to_be_enabled(self):
        self.install(('b', Beta))
        error = self.assertRaises(exception.ClusterTypeBetaNotEnabled, driver.Driver.get_driver,
                                  'bm', 'ubuntu', 'kubernetes')
        self.assertIn("'b'", str(error))
        self.config('drivers', enabled_beta_drivers=['b'])
        self.assertIsInstance(driver.Driver.get_driver('bm', 'ubuntu', 'kubernetes'), Beta)

    def test_the_default_is_configured_or_the_first_in_the_alphabet(self):
        self.install(('b', Other), ('a', Plain))
        self.assertEqual('a', driver.Driver.get_default_driver())
        self.config('drivers', disabled_drivers=['a'])
        self.assertEqual('b', driver.Driver.get_default_driver())
        self.config('drivers', default_driver='gone')
        self.assertRaises(exception.ClusterDriverNotSupported,
                          driver.Driver.get_default_driver)

    def test_the_template_of_a_cluster_says_which(self):
        self.install(('a', Plain), ('b', Other))
        cluster = types.SimpleNamespace(cluster_template=template(name='a'))
        found = driver.Driver.get_driver_for_cluster(self.context, cluster)
        self.assertIs(Plain, type(found))
        self.assertIsNone(monitors.create_monitor(self.context, cluster))

    def test_a_template_that_is_gone_is_said_to_be(self):
        cluster = types.SimpleNamespace(cluster_template=None, cluster_template_id='t1')
        error = self.assertRaises(exception.ClusterTemplateNotFound,
                                  driver.Driver.get_driver_for_cluster, self.context, cluster)
        self.assertIn('t1', str(error))


class TestResolve(DriverTestCase):
    """The choice that API and conductor make alike."""

    def test_the_stored_name_goes_first(self):
        self.install(('a', Plain), ('b', Other))
        self.assertIs(Plain, type(driver.resolve(template(name='a'))))
        self.assertIs(Other, type(driver.resolve(template())))

    def test_disabled_and_beta_drivers_are_refused_by_name_too(self):
        self.install(('a', Plain), ('b', Beta))
        self.config('drivers', disabled_drivers=['a'])
        self.assertRaises(exception.ClusterDriverNotSupported, driver.resolve,
                          template(name='a'))
        self.assertRaises(exception.ClusterTypeBetaNotEnabled, driver.resolve,
                          template('bm', name='b'))

    def test_what_exists_already_is_not_cut_off(self):
        self.install(('a', Plain), ('b', Beta))
        self.config('drivers', disabled_drivers=['a'])
        self.assertIs(Plain, type(driver.resolve(template(name='a'), existing=True)))
        self.assertIs(Beta, type(driver.resolve(template('bm', name='b'), existing=True)))


class TestReport(DriverTestCase):
    def test_every_driver_is_reported_with_what_is_wrong(self):
        self.install(('b', Other), ('a', Plain), ('z', Fussy), broken=['c'])
        self.config('drivers', disabled_drivers=['a'])
        found = {info.name: info for info in driver.report()}
        self.assertEqual(['a', 'b', 'c', 'z'], list(found))
        self.assertTrue(found['a'].disabled)
        self.assertEqual((('vm', 'ubuntu', 'kubernetes'), ('vm', 'flatcar', 'kubernetes')),
                         found['b'].provides)
        self.assertEqual(('get_monitor',), found['b'].optional)
        self.assertEqual('ImportError: no module gone', found['c'].error)
        self.assertEqual('RuntimeError: no kubeconfig', found['z'].error)
        self.assertIsNone(found['b'].error)

    def test_implements_tells_own_methods_from_inherited_ones(self):
        self.assertTrue(driver.implements(Other(), 'get_monitor'))
        self.assertFalse(driver.implements(Other(), 'rotate_ca_certificate'))


class TestBaseBehaviour(base.TestCase):
    """What drivers inherit."""

    def test_masters_are_odd_in_number(self):
        Plain().validate_master_size(1)
        Plain().validate_master_size(3)
        for count in (0, 2, -1, None):
            self.assertRaises(exception.MasterNGSizeInvalid, Plain().validate_master_size, count)

    def test_optional_operations_refuse_or_do_nothing(self):
        plain = Plain()
        self.assertRaises(exception.MasterNGResizeNotSupported, plain.validate_master_resize, 3)
        error = self.assertRaises(exception.NotSupported, plain.rotate_ca_certificate, None, None)
        self.assertEqual("'rotate_ca_certificate' is not supported by this driver.", str(error))
        self.assertRaises(NotImplementedError, plain.rotate_credential, None, None)
        for nothing in (plain.update_cluster_status(None, None), plain.get_monitor(None, None),
                        plain.get_scale_manager(None, None, None),
                        plain.pre_delete_cluster(None, None)):
            self.assertIsNone(nothing)

    def test_a_driver_with_a_method_missing_cannot_be_made(self):
        class Half(driver.Driver):
            provides = ()

        self.assertRaises(TypeError, Half)
