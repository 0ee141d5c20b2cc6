# SPDX-License-Identifier: Apache-2.0

from magnum_ng.api.middleware import auth_token
from magnum_ng.api.middleware import parsable_error

AuthTokenMiddleware = auth_token.AuthTokenMiddleware
ParsableErrorMiddleware = parsable_error.ParsableErrorMiddleware

__all__ = ('AuthTokenMiddleware', 'ParsableErrorMiddleware')
