# SPDX-License-Identifier: Apache-2.0

import os
import time
from unittest import mock

from oslo_config import cfg
from oslo_config import fixture as config_fixture
from oslotest import base
import fixtures

from magnum_ng.common import context
from magnum_ng.common import exception
from magnum_ng.common import policy
import magnum_ng.conf

CONF = magnum_ng.conf.CONF


def user(*roles, user_id='alice', project_id='red', **kwargs):
    return context.RequestContext(user_id=user_id, project_id=project_id, roles=list(roles),
                                  overwrite=False, **kwargs)


class PolicyTestCase(base.BaseTestCase):

    def setUp(self):
        super().setUp()
        self.folder = self.useFixture(fixtures.TempDir()).path
        self.config = self.useFixture(config_fixture.Config(CONF))
        CONF([f'--config-dir={self.folder}'], project='magnum', default_config_files=[])
        policy.reset()
        self.addCleanup(policy.reset)

    def override(self, name, text):
        with open(os.path.join(self.folder, name), 'w') as file:
            file.write(text)


class EnforceTestCase(PolicyTestCase):

    def test_a_reader_may_read_and_not_change(self):
        reader = user('reader')
        self.assertTrue(policy.enforce(reader, 'cluster:get', do_raise=False))
        self.assertFalse(policy.enforce(reader, 'cluster:delete', do_raise=False))

    def test_a_member_alone_may_not_read(self):
        member = user('member')
        self.assertFalse(policy.enforce(member, 'cluster:get', do_raise=False))
        self.assertTrue(policy.enforce(member, 'cluster:delete', do_raise=False))

    def test_the_target_decides_when_one_is_given(self):
        other = {'project_id': 'blue', 'user_id': 'bob'}
        self.assertFalse(policy.enforce(user('reader'), 'cluster:get', other, do_raise=False))

    def test_a_certificate_is_for_the_user_who_made_the_cluster(self):
        target = {'project_id': 'red', 'user_id': 'bob'}
        alice, bob = user('reader'), user('reader', user_id='bob')
        self.assertFalse(policy.enforce(alice, 'certificate:get', target, do_raise=False))
        self.assertTrue(policy.enforce(bob, 'certificate:get', target, do_raise=False))

    def test_refusal_names_the_rule_and_is_a_403(self):
        error = self.assertRaises(exception.PolicyNotAuthorized, policy.enforce,
                                  user('reader'), 'cluster:delete')
        self.assertEqual("Policy doesn't allow cluster:delete to be performed.", str(error))
        self.assertEqual(403, error.code)

    def test_refusal_raises_the_class_that_was_asked_for(self):
        self.assertRaises(exception.ClusterNotFound, policy.enforce, user('reader'),
                          'cluster:delete', exc=exception.ClusterNotFound, cluster='c1')

    def test_a_rule_that_does_not_exist_is_refused(self):
        self.assertFalse(policy.enforce(user('admin'), 'cluster:nope', do_raise=False))

    def test_a_token_for_the_system_cannot_be_used_on_a_project(self):
        admin = user('admin', project_id=None, system_scope='all')
        self.assertFalse(policy.enforce(admin, 'cluster:get', do_raise=False))
        self.assertTrue(policy.enforce(admin, 'magnum-service:get_all', do_raise=False))

    def test_rules_of_all_projects_are_for_administrators(self):
        other = {'project_id': 'blue', 'user_id': 'bob'}
        for rule in ('cluster:resize_all_projects', 'nodegroup:create_all_projects',
                     'certificate:get_all_projects', 'cluster:force_delete'):
            self.assertTrue(policy.enforce(user('admin'), rule, other, do_raise=False))
            self.assertFalse(policy.enforce(user('member', 'reader'), rule, other,
                                            do_raise=False))


class AdminTestCase(PolicyTestCase):

    def test_the_role_admin_makes_an_administrator(self):
        self.assertIs(True, policy.check_is_admin(user('admin')))
        self.assertIs(False, policy.check_is_admin(user('member')))

    def test_the_context_asks_the_policy(self):
        self.assertTrue(user('admin').is_admin)
        self.assertFalse(user('reader').is_admin)

    def test_who_is_an_administrator_can_be_overridden(self):
        self.override('policy.yaml', '"context_is_admin": "role:boss"\n')
        self.assertTrue(user('boss').is_admin)
        self.assertFalse(user('admin').is_admin)


class OverrideTestCase(PolicyTestCase):

    def test_policy_yaml_of_the_configuration_directory_is_read(self):
        self.override('policy.yaml', '"cluster:get": "!"\n')
        self.assertFalse(policy.enforce(user('admin'), 'cluster:get', do_raise=False))

    def test_a_json_file_that_is_configured_is_read(self):
        self.config.config(policy_file='policy.json', group='oslo_policy')
        self.override('policy.json', '{"cluster:get": "role:visitor"}')
        self.assertTrue(policy.enforce(user('visitor'), 'cluster:get', do_raise=False))

    def test_a_change_of_the_file_takes_effect_without_a_restart(self):
        self.override('policy.yaml', '"cluster:get": "!"\n')
        self.assertFalse(policy.enforce(user('reader'), 'cluster:get', do_raise=False))
        self.override('policy.yaml', '"cluster:get": "role:reader"\n')
        path = os.path.join(self.folder, 'policy.yaml')
        later = os.path.getmtime(path) + 10
        os.utime(path, (later, later))
        # Files are looked at once a second.
        self.assertFalse(policy.enforce(user('reader'), 'cluster:get', do_raise=False))
        with mock.patch('time.monotonic', return_value=time.monotonic() + 1.1):
            self.assertTrue(policy.enforce(user('reader'), 'cluster:get', do_raise=False))

    def test_the_old_checks_count_when_the_new_defaults_are_switched_off(self):
        anybody = user('anything')
        self.assertFalse(policy.enforce(anybody, 'cluster:get', do_raise=False))
        policy.reset()
        self.config.config(enforce_new_defaults=False, group='oslo_policy')
        self.assertTrue(policy.enforce(anybody, 'cluster:get', do_raise=False))


class EnforcerTestCase(PolicyTestCase):

    def test_there_is_one_enforcer(self):
        self.assertIs(policy.init(), policy.get_enforcer())

    def test_the_tools_get_a_configured_enforcer(self):
        self.override('strict.conf', '[oslo_policy]\npolicy_file = strict.yaml\n')
        self.override('strict.yaml', '"cluster:get": "!"\n')
        CONF.reset()
        arguments = ['oslopolicy-list-redundant', '--namespace', 'magnum', '--config-file',
                     os.path.join(self.folder, 'strict.conf')]
        with mock.patch('sys.argv', arguments):
            enforcer = policy.get_enforcer()
        self.assertFalse(enforcer.enforce('cluster:get', {}, {'roles': ['admin']}))

    def test_the_configuration_of_a_running_service_is_left_alone(self):
        self.config.config(policy_file='other.yaml', group='oslo_policy')
        with mock.patch.object(cfg.ConfigOpts, '__call__') as parse:
            policy.get_enforcer()
        parse.assert_not_called()
