# SPDX-License-Identifier: Apache-2.0
"""The links of answers."""

import pecan

from magnum_ng.api.controllers import link


def links(collection, identifier):
    """The two links of a resource: to itself, and the one without a version."""
    url = pecan.request.application_url
    return [link.Link.make_link('self', url, collection, identifier),
            link.Link.make_link('bookmark', url, collection, identifier, bookmark=True)]
