# SPDX-License-Identifier: Apache-2.0
"""``magnum-api-wsgi``: a script with ``application`` in it, for servers that are given a path.

The script that the installer writes imports the name below at its top level, which is all that
``wsgi-file`` of uWSGI and ``WSGIScriptAlias`` of Apache need.
"""

import sys

from magnum_ng.wsgi import api


def application(environ=None, start_response=None):
    """The WSGI application; started from a shell, it says what to start instead."""
    if environ is None:
        print('magnum-api-wsgi is loaded by a WSGI server (uWSGI wsgi-file, Apache '
              'WSGIScriptAlias). To start the API from a shell use magnum-api.', file=sys.stderr)
        return 2
    return api.application(environ, start_response)
