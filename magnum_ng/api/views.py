# SPDX-License-Identifier: Apache-2.0
"""What answers are put together from: fields by version, links."""

from typing import NamedTuple

import pecan

from magnum_ng.api.controllers import link


class Field(NamedTuple):
    """A field of an answer, and the versions (as pairs of numbers) that have it."""

    name: str
    since: tuple = (1, 1)
    until: tuple = (1, 999)


def visible(fields, version):
    """The names among fields (a name or a :class:`Field` each) that a version's answers have."""
    pair = (version.major, version.minor)
    return [field if isinstance(field, str) else field.name for field in fields
            if isinstance(field, str) or field.since <= pair <= field.until]


def links(collection, identifier, url=None):
    """The two links of a resource: to itself, and the one without a version."""
    url = url or pecan.request.application_url
    return [link.Link.make_link('self', url, collection, identifier),
            link.Link.make_link('bookmark', url, collection, identifier, bookmark=True)]
