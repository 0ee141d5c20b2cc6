# SPDX-License-Identifier: Apache-2.0
"""``application``: the REST API for any WSGI server.

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


application = app.build_wsgi_app(argv=_own_arguments(sys.argv))
