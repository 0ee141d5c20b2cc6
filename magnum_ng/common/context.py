# SPDX-License-Identifier: Apache-2.0
"""Who asks, and on whose behalf: the context of a request."""

import inspect

from oslo_context import context

# oslo.context's own arguments. Whatever else a message carries is not for us.
_KNOWN = frozenset(inspect.signature(context.RequestContext.__init__).parameters) - {'self'}


class RequestContext(context.RequestContext):
    """The context of a request of the API, a message of the bus or a periodic task.

    ``auth_token_info`` is what keystonemiddleware found out about the token. It stays in the
    process: it is large, and whoever gets the token can find it out again.

    ``operation`` is the uuid of the recorded operation that a message belongs to.

    ``is_admin`` is computed by policy, once, when somebody asks for it; a context rebuilt from a
    message has what the message says.
    """

    FROM_DICT_EXTRA_KEYS = ['auth_url', 'all_tenants', 'operation', 'auth_token_info']

    def __init__(self, auth_token=None, auth_url=None, auth_token_info=None, all_tenants=False,
                 operation=None, **kwargs):
        self.auth_url = auth_url
        self.auth_token_info = auth_token_info
        self.all_tenants = all_tenants
        self.operation = operation
        super().__init__(auth_token=auth_token,
                         **{key: kwargs[key] for key in _KNOWN.intersection(kwargs)})
        if 'is_admin' not in kwargs:
            self.is_admin = None

    def check_is_admin(self):
        # Late: policy loads the rules of every resource.
        from magnum_ng.common import policy

        # The rule is checked against the values of this very context.
        self._is_admin = False
        return policy.check_is_admin(self)

    def to_policy_values(self):
        values = super().to_policy_values()
        values['is_admin'] = self.is_admin
        return values

    def to_dict(self):
        """What is sent along with a message; names and meaning are the original's."""
        values = super().to_dict()
        values.update(
            auth_url=self.auth_url,
            user_id=self.user_id,
            user_name=self.user_name,
            user_domain_id=self.user_domain_id,
            user_domain_name=self.user_domain_name,
            project_name=self.project_name,
            project_domain_id=self.project_domain_id,
            project_domain_name=self.project_domain_name,
            domain_id=self.domain_id,
            domain_name=self.domain_name,
            all_tenants=self.all_tenants,
            operation=self.operation)
        return values

    @classmethod
    def from_dict(cls, values, **kwargs):
        if 'user_id' in values:
            kwargs.setdefault('user_id', values['user_id'])
        for key in ('user_domain_id', 'project_domain_id', 'domain_id'):
            if values.get(key) is not None:
                kwargs.setdefault(key, values[key])
        return super().from_dict(values, **kwargs)


def make_context(*args, **kwargs):
    return RequestContext(*args, **kwargs)


def make_admin_context(show_deleted=False, all_tenants=False):
    """A context of the service itself: an administrator without user, project and token.

    It does not take the place of the thread's current context, which log lines refer to.
    """
    return RequestContext(user_id=None, project_id=None, is_admin=True, overwrite=False,
                          show_deleted=show_deleted, all_tenants=all_tenants)


get_admin_context = make_admin_context
