# SPDX-License-Identifier: Apache-2.0
"""OpenStack container infrastructure management: Kubernetes clusters over a REST API."""

from oslo_service import backend

from magnum_ng.common import imports

# Service launchers, periodic tasks and loops run on plain threads. The choice has to be made
# before anything else of oslo.service is imported, and only once in a process.
#
# futurist, which they stand on, loads eventlet where that is installed: a tenth of the start-up,
# and a warning, for nothing.
if backend.get_backend_type() is None:
    with imports.left_out('eventlet'):
        backend.init_backend(backend.BackendType.THREADING)
