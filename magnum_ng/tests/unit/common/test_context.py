# SPDX-License-Identifier: Apache-2.0

from unittest import mock

from oslo_context import context as oslo_context

from magnum_ng.common import context
from magnum_ng.common import policy
from magnum_ng.common import rpc
from magnum_ng.tests import base

# What a conductor of the original finds in a message, but for the information on the token.
ON_THE_WIRE = {'auth_token', 'auth_url', 'user_domain_id', 'user_domain_name', 'user_name',
               'user_id', 'project_name', 'project_id', 'is_admin', 'read_only', 'roles',
               'show_deleted', 'request_id', 'all_tenants'}


class RequestContextTest(base.TestCase):

    def full(self):
        return context.RequestContext(
            auth_token='t', auth_url='http://k/v3', auth_token_info={'token': {}}, user_id='u',
            user_name='un', user_domain_id='ud', user_domain_name='udn', project_id='p',
            project_name='pn', project_domain_id='pd', project_domain_name='pdn', domain_id='d',
            domain_name='dn', roles=['member'], is_admin=False, read_only=True,
            show_deleted=True, request_id='req-1', global_request_id='req-2', all_tenants=True,
            system_scope='all', operation='op-1', is_admin_project=False, overwrite=False)

    def test_a_message_carries_everything_but_what_was_found_out_about_the_token(self):
        sent = self.full()
        received = context.RequestContext.from_dict(sent.to_dict())
        self.assertEqual(sent.to_dict(), received.to_dict())
        for name in ('auth_token', 'auth_url', 'user_id', 'user_name', 'user_domain_id',
                     'user_domain_name', 'project_id', 'project_name', 'project_domain_id',
                     'project_domain_name', 'domain_id', 'domain_name', 'roles', 'is_admin',
                     'read_only', 'show_deleted', 'request_id', 'global_request_id',
                     'all_tenants', 'system_scope', 'operation', 'is_admin_project'):
            self.assertEqual(getattr(sent, name), getattr(received, name), name)
        self.assertIsNone(received.auth_token_info)
        self.assertEqual({'token': {}}, sent.auth_token_info)

    def test_a_message_has_the_keys_that_the_original_reads(self):
        self.assertEqual(set(), ON_THE_WIRE - set(self.full().to_dict()))

    def test_a_message_of_the_original_is_understood(self):
        values = dict.fromkeys(ON_THE_WIRE)
        values.update(user_id='u', project_id='p', is_admin=True, roles=['admin'],
                      auth_token_info={'token': {}}, user='u', tenant='p', unknown='ignored',
                      user_identity='u p - - -', request_id='req-1')
        received = context.RequestContext.from_dict(values)
        self.assertEqual(('u', 'p', True, 'req-1', {'token': {}}),
                         (received.user_id, received.project_id, received.is_admin,
                          received.request_id, received.auth_token_info))
        self.assertEqual('u', context.make_context(**values).user_id)

    def test_the_rpc_serializer_carries_it(self):
        serializer = rpc.RequestContextSerializer(None)
        sent = self.full()
        received = serializer.deserialize_context(serializer.serialize_context(sent))
        self.assertEqual(sent.to_dict(), received.to_dict())

    def test_the_token_is_not_logged(self):
        values = self.full().get_logging_values()
        self.assertEqual('***', values['auth_token'])
        self.assertNotIn('auth_token_info', values)


class IsAdminTest(base.TestCase):

    def test_policy_decides_when_asked_and_only_once(self):
        with mock.patch.object(policy, 'check_is_admin', return_value=True) as check:
            subject = context.RequestContext(roles=['admin'])
            self.assertEqual(0, check.call_count)
            self.assertTrue(subject.is_admin)
            self.assertTrue(subject.is_admin)
        check.assert_called_once_with(subject)

    def test_an_admin_role_makes_an_admin(self):
        self.assertTrue(context.RequestContext(roles=['admin']).is_admin)
        self.assertFalse(context.RequestContext(roles=['member']).is_admin)

    def test_the_rule_does_not_ask_for_its_own_answer(self):
        self.policy.set_rules({'context_is_admin': 'is_admin:True'})
        self.assertFalse(context.RequestContext(roles=['admin']).is_admin)

    def test_policies_see_it(self):
        self.assertIs(True, context.RequestContext(roles=['admin']).to_policy_values()['is_admin'])

    def test_a_message_is_believed(self):
        with mock.patch.object(policy, 'check_is_admin') as check:
            self.assertTrue(context.RequestContext.from_dict({'is_admin': True}).is_admin)
            self.assertFalse(context.RequestContext.from_dict({'roles': ['admin']}).is_admin)
        check.assert_not_called()


class AdminContextTest(base.TestCase):

    def test_it_is_an_admin_without_user_project_and_token(self):
        for make in (context.make_admin_context, context.get_admin_context):
            admin = make()
            self.assertIs(True, admin.is_admin)
            self.assertEqual([None, None, None, False, False],
                             [admin.user_id, admin.project_id, admin.auth_token,
                              admin.all_tenants, admin.show_deleted])

    def test_it_can_see_all_projects_and_deleted_rows(self):
        admin = context.make_admin_context(show_deleted=True, all_tenants=True)
        self.assertTrue(admin.show_deleted and admin.all_tenants)

    def test_it_does_not_take_the_place_of_the_requests_context(self):
        mine = context.RequestContext(user_id='u', is_admin=False)
        context.make_admin_context()
        self.assertIs(mine, oslo_context.get_current())
