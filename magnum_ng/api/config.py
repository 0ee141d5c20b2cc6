# SPDX-License-Identifier: Apache-2.0
"""Pecan's configuration of the application."""

from magnum_ng.api import hooks

app = {
    'root': 'magnum_ng.api.controllers.root.RootController',
    'modules': ['magnum_ng.api'],
    'debug': False,
    'hooks': [
        hooks.ContextHook(),
        hooks.RPCHook(),
        hooks.NoExceptionTracebackHook(),
    ],
    'acl_public_routes': [
        '/',
    ],
}
