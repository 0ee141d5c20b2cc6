# SPDX-License-Identifier: Apache-2.0
"""The WSGI application, for servers that are given a file.

Packages look for this file, and some copy it elsewhere and run the copy.
"""

from magnum_ng.wsgi.api import application

__all__ = ('application',)
