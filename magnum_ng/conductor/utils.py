# SPDX-License-Identifier: Apache-2.0
"""Names that other code expects here."""

from magnum_ng.conductor.notifications import notify_about_cluster_operation

__all__ = ('notify_about_cluster_operation',)
