# SPDX-License-Identifier: Apache-2.0
"""The roles that the rules of the resources are made of."""

from oslo_policy import policy

ADMIN = 'rule:context_is_admin'
ADMIN_OR_READER = 'rule:admin_or_project_reader'
ADMIN_OR_MEMBER = 'rule:admin_or_project_member'

# The rules named "deny_cluster_user" and "cluster_user" date from the time when clusters had
# Keystone users of their own. Override files name them, so they stay.
ADMIN_OR_READER_NOT_CLUSTER = 'rule:admin_or_project_reader_deny_cluster_user'
ADMIN_OR_MEMBER_NOT_CLUSTER = 'rule:admin_or_project_member_deny_cluster_user'
MEMBER_NOT_CLUSTER = 'rule:project_member_deny_cluster_user'

# The owner of a cluster is the user who created it, not their whole project.
ADMIN_OR_OWNING_READER = 'rule:admin_or_project_reader_user'
ADMIN_OR_OWNING_MEMBER = 'rule:admin_or_project_member_user'
ADMIN_OR_OWNING_MEMBER_OR_CLUSTER = 'rule:admin_or_project_member_user_or_cluster_user'

_OWNER_CHECK = 'is_admin:True or project_id:%(project_id)s'
_USER_CHECK = '((rule:context_is_admin) or (rule:is_user))'


def _formerly(name, check_str):
    return policy.DeprecatedRule(
        name=name, check_str=check_str,
        deprecated_reason='Reading needs the role reader and changing needs the role member '
                          'now; before, any role in the project was enough.',
        deprecated_since='OpenStack 2023.2(Magnum 17.0.0)')


# A DeprecatedRule belongs to one rule: oslo.policy writes into it.
def _formerly_owner():
    return _formerly('rule:admin_or_owner', _OWNER_CHECK)


def _formerly_user():
    return _formerly('rule:admin_or_user', _USER_CHECK)


def documented(name, check_str, description, *operations, scope_types=('project',)):
    """A rule of one or more API operations, each written as ``'METHOD /path'``."""
    split = [operation.split(' ') for operation in operations]
    return policy.DocumentedRuleDefault(
        name=name, check_str=check_str, description=description,
        scope_types=list(scope_types) if scope_types else None,
        operations=[{'method': method, 'path': path} for method, path in split])


def admin_only(name, description, *operations):
    """A rule for administrators, whatever the scope of their token."""
    return documented(name, ADMIN, description, *operations, scope_types=None)


RULES = [
    policy.RuleDefault('context_is_admin', 'role:admin',
                       description='Who is an administrator.'),
    policy.RuleDefault('admin_or_owner', _OWNER_CHECK,
                       description='Any role in the project. No rule uses it any more.'),
    policy.RuleDefault('admin_or_user', 'is_admin:True or user_id:%(user_id)s',
                       description='The user who created the resource. No rule uses it any more.'),
    policy.RuleDefault('is_user', 'user_id:%(user_id)s',
                       description='The user who created the resource.'),
    policy.RuleDefault('project_member', 'role:member and project_id:%(project_id)s',
                       description='Who may change things in the project.'),
    policy.RuleDefault('project_reader', 'role:reader and project_id:%(project_id)s',
                       description='Who may read things in the project.'),
    policy.RuleDefault('admin_or_project_reader',
                       '(rule:context_is_admin) or (rule:project_reader)',
                       description='Who may read, and administrators.',
                       deprecated_rule=_formerly_owner()),
    policy.RuleDefault('admin_or_project_member',
                       '(rule:context_is_admin) or (rule:project_member)',
                       description='Who may change, and administrators.',
                       deprecated_rule=_formerly_owner()),
    policy.RuleDefault('admin_or_project_member_user',
                       '(rule:context_is_admin) or ((rule:project_member) and (rule:is_user))',
                       description='The user who created the cluster, if '
                                   'they may change things, and administrators.',
                       deprecated_rule=_formerly_user()),
    policy.RuleDefault('admin_or_project_member_user_or_cluster_user',
                       '(rule:context_is_admin) or ((rule:project_member) and (rule:is_user))',
                       description='The same as admin_or_project_member_user.',
                       deprecated_rule=_formerly_user()),
    policy.RuleDefault('project_member_deny_cluster_user', '(rule:project_member)',
                       description='The same as project_member.',
                       deprecated_rule=_formerly_owner()),
    policy.RuleDefault('admin_or_project_member_deny_cluster_user',
                       '(rule:context_is_admin) or (rule:project_member)',
                       description='The same as admin_or_project_member.',
                       deprecated_rule=_formerly_owner()),
    policy.RuleDefault('project_reader_deny_cluster_user', '(rule:project_reader)',
                       description='The same as project_reader.',
                       deprecated_rule=_formerly_owner()),
    policy.RuleDefault('admin_or_project_reader_deny_cluster_user',
                       '(rule:context_is_admin) or (rule:project_reader)',
                       description='The same as admin_or_project_reader.',
                       deprecated_rule=_formerly_owner()),
    policy.RuleDefault('admin_or_project_reader_user',
                       '(rule:context_is_admin) or ((rule:project_reader) and (rule:is_user))',
                       description='The user who created the cluster, if '
                                   'they may read, and administrators.',
                       deprecated_rule=_formerly_user()),
]


def list_rules():
    return RULES
