# SPDX-License-Identifier: Apache-2.0
"""The default policy, or what a test makes of it."""

import fixtures
from oslo_config import cfg
from oslo_policy import policy as oslo_policy

from magnum_ng.common import policy

CONF = cfg.CONF


class PolicyFixture(fixtures.Fixture):
    """Without ``set_rules`` the defaults hold, and no file is read."""

    def _setUp(self):
        directory = self.useFixture(fixtures.TempDir()).path
        CONF.set_override('policy_file', f'{directory}/policy.yaml', 'oslo_policy')
        CONF.set_override('policy_dirs', [], 'oslo_policy')
        policy.reset()
        self.addCleanup(policy.reset)

    def set_rules(self, rules, overwrite=False):
        """Let these rules hold, in place of all others or of those of the same names."""
        policy.init().set_rules(oslo_policy.Rules.from_dict(rules), overwrite=overwrite)
