# SPDX-License-Identifier: Apache-2.0
"""OpenStack container infrastructure management: Kubernetes clusters over a REST API."""

from magnum_ng.common import imports

# Libraries load eventlet where it is installed: a tenth of the start-up, and a warning, for
# nothing.
with imports.left_out('eventlet'):
    from oslo_service import backend
    from oslo_utils import eventletutils  # noqa: F401

# Service launchers, periodic tasks and loops run on plain threads. The choice has to be made
# before anything else of oslo.service is imported, and only once in a process.
if backend.get_backend_type() is None:
    with imports.left_out('eventlet'):
        backend.init_backend(backend.BackendType.THREADING)
