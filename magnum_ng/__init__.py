# SPDX-License-Identifier: Apache-2.0
"""OpenStack container infrastructure management: Kubernetes clusters over a REST API."""

from oslo_service import backend

# Service launchers, periodic tasks and loops run on plain threads. The choice has to be made
# before anything else of oslo.service is imported, and only once in a process.
if backend.get_backend_type() is None:
    backend.init_backend(backend.BackendType.THREADING)
