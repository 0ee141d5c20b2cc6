# SPDX-License-Identifier: Apache-2.0
"""The policy rules, compared with what release 23.0.0 has."""

import os
import unittest

import yaml

from magnum_ng.common import policies

with open(os.path.join(os.path.dirname(__file__), 'data', 'policies.yaml')) as _file:
    RECORDED = {rule['name']: rule for rule in yaml.safe_load(_file)['rules']}

# What we have and the original does not: all for administrators only.
ADDED = {
    'certificate:create_all_projects',
    'certificate:get_all_projects',
    'certificate:rotate_ca_all_projects',
    'cluster:force_delete',
    'cluster:resize_all_projects',
    'credential:rotate_all_projects',
    'nodegroup:create_all_projects',
    'nodegroup:delete_all_projects',
    'nodegroup:update_all_projects',
}


def describe(rule):
    facts = {'name': rule.name, 'check_str': rule.check_str, 'kind': type(rule).__name__}
    if rule.scope_types is not None:
        facts['scope_types'] = rule.scope_types
    if getattr(rule, 'operations', None):
        facts['operations'] = [{'path': operation['path'], 'method': operation['method']}
                               for operation in rule.operations]
    old = rule.deprecated_rule
    if old:
        facts['deprecated_rule'] = {'name': old.name, 'check_str': old.check_str,
                                    'deprecated_since': old.deprecated_since}
    return facts


class PoliciesTestCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.rules = {rule.name: rule for rule in policies.list_rules()}

    def test_every_recorded_rule_is_there_unchanged(self):
        for name, recorded in RECORDED.items():
            with self.subTest(name=name):
                self.assertEqual(recorded, describe(self.rules[name]))

    def test_nothing_is_there_beyond_the_listed_additions(self):
        self.assertEqual(ADDED, set(self.rules) - set(RECORDED))

    def test_additions_are_for_administrators(self):
        for name in ADDED:
            self.assertEqual('rule:context_is_admin', self.rules[name].check_str)
            self.assertIsNone(self.rules[name].scope_types)

    def test_every_rule_is_described(self):
        for rule in self.rules.values():
            self.assertTrue(rule.description, rule.name)

    def test_no_name_is_used_twice(self):
        self.assertEqual(len(self.rules), len(policies.list_rules()))
