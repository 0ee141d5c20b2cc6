# SPDX-License-Identifier: Apache-2.0
"""``application``: the REST API, for any WSGI server.

Importing this module reads the configuration from the default places and sets up logging.
"""

import os
import sys

from magnum_ng.api import app


def _own_arguments(argv: list[str]) -> list[str]:
    """The arguments that are meant for us.

    uWSGI passes on what ``pyargv`` holds; other servers leave their own options in ``sys.argv``.
    """
    program = argv[0] if argv else 'magnum-api'
    return argv if os.path.basename(program).startswith('uwsgi') else [program]


_application = app.build_wsgi_app(argv=_own_arguments(sys.argv))


def application(environ, start_response):
    # A server may leave out what is empty; the composite of the paste file relies on it.
    environ.setdefault('SCRIPT_NAME', '')
    return _application(environ, start_response)
