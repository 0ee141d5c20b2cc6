# SPDX-License-Identifier: Apache-2.0
"""OpenStack container infrastructure management: Kubernetes clusters over a REST API."""

import sys

# futurist and oslo.utils import eventlet where it is installed, for what nobody here uses: a tenth
# of the time it takes to start. Drivers that need eventlet import it themselves, later.
_hidden = sys.modules.setdefault('eventlet', None) is None

from oslo_service import backend  # noqa: E402
from oslo_utils import eventletutils  # noqa: E402, F401

# Service launchers, periodic tasks and loops run on plain threads. The choice has to be made
# before anything else of oslo.service is imported, and only once in a process.
if backend.get_backend_type() is None:
    backend.init_backend(backend.BackendType.THREADING)

if _hidden:
    del sys.modules['eventlet']
