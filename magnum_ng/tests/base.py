# SPDX-License-Identifier: Apache-2.0
"""The base class of the tests."""

from oslo_config import cfg
from oslotest import base

from magnum_ng.common import context as magnum_context
from magnum_ng.tests import conf_fixture
from magnum_ng.tests import fakes
from magnum_ng.tests import policy_fixture

CONF = cfg.CONF


class TestCase(base.BaseTestCase):
    """A configuration, policy, message bus and temporary directory of one's own.

    ``self.context`` is a member's of ``fake_project``; ``self.admin_context`` is the service's.
    """

    def setUp(self):
        super().setUp()
        self.useFixture(conf_fixture.ConfFixture())
        # A text that its arguments do not fit is an error of ours; drivers' tests have theirs.
        self.config(group='oslo_versionedobjects',
                    fatal_exception_format_errors=type(self).__module__.startswith('magnum_ng.'))
        self.useFixture(conf_fixture.RPCFixture())
        self.policy = self.useFixture(policy_fixture.PolicyFixture())
        self.context = self.make_context()
        self.admin_context = magnum_context.make_admin_context(all_tenants=True)

    def config(self, group=None, **values):
        """Override options until the test ends."""
        for name, value in values.items():
            CONF.set_override(name, value, group)

    @staticmethod
    def make_context(**values):
        """The context of a member of ``fake_project``, or whatever the arguments say."""
        values = {'auth_token': fakes.TOKEN, 'auth_token_info': fakes.token_info(),
                  'user_id': fakes.USER_ID, 'project_id': fakes.PROJECT_ID,
                  'roles': ['member', 'reader'], 'is_admin': False, 'overwrite': False, **values}
        return magnum_context.RequestContext(**values)
