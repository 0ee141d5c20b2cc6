# SPDX-License-Identifier: Apache-2.0
"""Who may do what: the rules of ``magnum_ng.common.policies`` and the operator's overrides."""

import argparse
import sys
import threading
import time

from oslo_policy import opts
from oslo_policy import policy

from magnum_ng.common import exception
from magnum_ng.common import policies
import magnum_ng.conf

CONF = magnum_ng.conf.CONF

_ENFORCER = None
_LOCK = threading.Lock()

# The library's own default has changed with its releases.
opts.set_defaults(CONF, policy_file='policy.yaml')


class _Enforcer(policy.Enforcer):
    """Looks for changed files once a second, not at every check.

    The library would look for each of them several times in a request, and go through all rules.
    """

    INTERVAL = 1.0

    _looked = None

    def load_rules(self, force_reload=False):
        now = time.monotonic()
        if not force_reload and self._looked is not None and now - self._looked < self.INTERVAL:
            return
        super().load_rules(force_reload)
        self._looked = now

    def clear(self):
        self._looked = None
        super().clear()


def init(policy_file=None, rules=None, default_rule=None, use_conf=True):
    """The one enforcer of the process; made at the first call.

    The arguments only matter to that call, and are meant for tests.
    """
    global _ENFORCER
    if _ENFORCER is None:
        with _LOCK:
            if _ENFORCER is None:
                enforcer = _Enforcer(CONF, policy_file=policy_file, rules=rules,
                                     default_rule=default_rule, use_conf=use_conf)
                enforcer.register_defaults(policies.list_rules())
                _ENFORCER = enforcer
    return _ENFORCER


def reset():
    """Forget the enforcer, so that the next check reads configuration and files again."""
    global _ENFORCER
    with _LOCK:
        if _ENFORCER is not None:
            _ENFORCER.clear()
        _ENFORCER = None


def get_enforcer():
    """The enforcer for the ``oslopolicy-*`` tools, which leave the configuration to us."""
    if 'config_file' not in CONF:
        # Their own options, such as --namespace, are unknown to the service.
        parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        parser.add_argument('--config-file', action='append', default=[])
        parser.add_argument('--config-dir', action='append', default=[])
        known, _ = parser.parse_known_args(sys.argv[1:])
        CONF([f'--config-file={name}' for name in known.config_file]
             + [f'--config-dir={name}' for name in known.config_dir], project='magnum')
    return init()


def enforce(context, rule=None, target=None, do_raise=True, exc=None, *args, **kwargs):
    """Whether the user of a context may do what the rule is about.

    :param target: the attributes of the object in question, above all ``project_id`` and
        ``user_id``; without it, the rule is checked against the user's own ones.
    :param exc: the class raised on refusal, :class:`PolicyNotAuthorized` if not given. It gets
        the further arguments.
    :returns: a true value if allowed; a false one if not and ``do_raise`` is false.
    """
    if target is None:
        target = {'project_id': context.project_id, 'user_id': context.user_id}
    if exc is None:
        exc = exception.PolicyNotAuthorized
        kwargs['action'] = rule
    return init().enforce(rule, target, context.to_policy_values(), do_raise, exc,
                          *args, **kwargs)


def check_is_admin(context):
    """Whether the roles of a context make its user an administrator."""
    return bool(init().enforce('context_is_admin', {}, context.to_policy_values(),
                               do_raise=False))
