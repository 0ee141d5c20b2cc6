# SPDX-License-Identifier: Apache-2.0

from magnum_ng.api import k8s_syntax
from magnum_ng.api import labels
from magnum_ng.api import validation
from magnum_ng.common import counts
from magnum_ng.common import exception
from magnum_ng.tests import base


class TestRules(base.TestCase):

    def test_rules_run_in_order_within_their_versions(self):
        ran = []

        def rule(name):
            return lambda request: ran.append(name)

        rules = (validation.Rule(rule('always')), validation.Rule(rule('old'), until=9),
                 validation.Rule(rule('new'), since=10))
        for minor, expected in ((1, ['always', 'old']), (9, ['always', 'old']),
                                (10, ['always', 'new'])):
            ran.clear()
            validation.run(rules, validation.Request(None, minor))
            self.assertEqual(expected, ran)

    def test_the_first_rule_that_does_not_hold_ends_it(self):
        template = validation.Draft(coe='swarm', server_type='container')
        error = self.assertRaises(
            exception.InvalidParameterValue, validation.run, validation.TEMPLATE,
            validation.Request(None, template=template))
        self.assertEqual('Requested COE type swarm is not supported.', str(error))

    def test_frozen_properties_are_named_in_order(self):
        validation.validate_cluster_properties({'node_count', 'health_status'})
        error = self.assertRaises(exception.InvalidParameterValue,
                                  validation.validate_cluster_properties,
                                  {'name', 'labels', 'node_count'})
        self.assertEqual('cannot change cluster property(ies) labels, name.', str(error))

    def test_a_draft_gives_none_for_what_is_missing(self):
        draft = validation.Draft(a=1)
        draft.b = 2
        self.assertEqual((1, 2, None, {'a': 1, 'b': 2}),
                         (draft.a, draft.b, draft.c, dict(draft)))


class TestLabels(base.TestCase):

    def test_whole_numbers(self):
        for value, expected in (('5', 5), (5, 5), ('+7', 7), (' 3 ', 3), ('0', 0), (None, None),
                                (str(2 ** 31 - 1), 2 ** 31 - 1)):
            self.assertEqual(expected, counts.of_label({'x': value}, 'x'))
        self.assertIsNone(counts.of_label(None, 'x'))
        for value in ('', 'abc', '-1', '1.5', 1.5, True, '1e3', str(2 ** 31), '\u0663'):
            error = self.assertRaises(exception.InvalidParameterValue, counts.of_label,
                                      {'x': value}, 'x')
            self.assertIn('label x', str(error))

    def test_the_root_volume_has_a_default(self):
        self.assertEqual(0, labels.root_volume_size({}))
        self.config('cinder', default_boot_volume_size=8)
        self.assertEqual(8, labels.root_volume_size({}))
        self.assertEqual(0, labels.root_volume_size({'boot_volume_size': '0'}))

    def test_limits(self):
        labels.check({'k' * 255: 'x' * 16384})
        labels.check({str(number): 'x' for number in range(512)})
        labels.check(None)


class TestKubernetesSyntax(base.TestCase):

    def test_keys(self):
        for key in ('a', 'A.b-c_d', 'example.com/a', 'x' * 63, 'a.b.c/' + 'x' * 63):
            self.assertIsNone(k8s_syntax.qualified_key(key), key)
        for key in ('', '-a', 'a-', 'a b', '/a', 'a/', 'A.com/a', 'a..b/c', 'x' * 64,
                    'x' * 254 + '/a', 'a\n', 'a/b/c', '\u0663'):
            self.assertIsNotNone(k8s_syntax.qualified_key(key), key)

    def test_namespaces_that_the_kubelet_refuses(self):
        for key in ('kubernetes.io/x', 'k8s.io/x', 'a.kubernetes.io/x', 'a.b.k8s.io/x',
                    'a.node.kubernetes.io/x'):
            self.assertIsNotNone(k8s_syntax.restricted_label(key), key)
        for key in ('kubernetes.io/arch', 'node.kubernetes.io/x', 'kubelet.kubernetes.io/x',
                    'mykubernetes.io/x', 'kubernetes.io', 'x'):
            self.assertIsNone(k8s_syntax.restricted_label(key), key)
