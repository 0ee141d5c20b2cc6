# SPDX-License-Identifier: Apache-2.0
"""The links of answers that are built with WSME's types."""

import pecan

from magnum_ng.api import cluster_views
from magnum_ng.api.controllers import link


def links(collection, identifier):
    """The two links of a resource: to itself, and the one without a version."""
    found = cluster_views.links(pecan.request.application_url, f'{collection}/{identifier}')
    return [link.Link(**one) for one in found]
