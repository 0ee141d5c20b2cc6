# SPDX-License-Identifier: Apache-2.0
"""What lists have in common: the link to the next page."""

from urllib import parse

import pecan
from wsme import types as wtypes

from magnum_ng.api.controllers import base
from magnum_ng.api.controllers import link


def next_page(address, limit, marker, **query):
    """The address of the page after a full one.

    :param query: the other parameters of the request; those that are None are left out.
    """
    kept = [(name, value) for name, value in query.items() if value is not None]
    return link.Link.make_link(
        'next', pecan.request.application_url, address,
        '?' + parse.urlencode([*kept, ('limit', limit), ('marker', marker)])).href


class Collection(base.APIBase):
    """The base of list answers; ``_type`` of a subclass is the name of its list."""

    next = wtypes.text
    """The address of the next page; absent on the last one."""

    @property
    def collection(self):
        return getattr(self, self._type)

    def has_next(self, limit):
        return bool(self.collection) and len(self.collection) == limit

    def get_next(self, limit, url=None, marker_attribute='uuid', **kwargs):
        """The address of the next page, or Unset.

        :param kwargs: further parameters of the query; those that are None are left out.
        """
        if not self.has_next(limit):
            return wtypes.Unset
        return next_page(url or self._type, limit,
                         getattr(self.collection[-1], marker_attribute), **kwargs)
