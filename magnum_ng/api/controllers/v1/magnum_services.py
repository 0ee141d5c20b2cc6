# SPDX-License-Identifier: Apache-2.0
"""``/v1/mservices``: the conductors. ``state`` is reckoned from the last report, not stored."""

import wsme
from wsme import types as wtypes

from magnum_ng import objects
from magnum_ng.api import expose
from magnum_ng.api import servicegroup as svcgrp_api
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers.v1 import collection
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import exception


class MagnumService(base.APIBase):
    """A conductor and whether it is alive."""

    host = types.StringType(min_length=1, max_length=255)
    binary = types.Enum(wtypes.text, 'magnum-conductor')
    state = types.Enum(wtypes.text, 'up', 'down')
    id = types.IntegerType(minimum=1)
    report_count = types.IntegerType(minimum=0)
    disabled = wsme.wsattr(types.boolean, default=False)
    disabled_reason = types.StringType(min_length=0, max_length=255)

    def __init__(self, state, **values):
        """``values`` are a stored record's; what is not for clients is left out."""
        super().__init__(state=state, **values)


class MagnumServiceCollection(collection.Collection):
    """A page of conductors."""

    _type = 'mservices'

    mservices = [MagnumService]


class MagnumServiceController(base.Controller):
    """The running conductors."""

    def __init__(self, **kwargs):
        super().__init__()
        self.servicegroup_api = svcgrp_api.ServiceGroup()

    def _view(self, service):
        state = 'up' if self.servicegroup_api.service_is_up(service) else 'down'
        return MagnumService(state, **service.as_dict())

    @staticmethod
    def _marker(context, marker):
        # There are few of them, and no look-up by number.
        if marker is None:
            return None
        for service in objects.MagnumService.list(context):
            if service.id == marker:
                return service
        raise exception.MagnumServiceNotFound(magnum_service_id=marker)

    @expose.expose(MagnumServiceCollection, int, int, wtypes.text, wtypes.text)
    def get_all(self, marker=None, limit=None, sort_key='id', sort_dir='asc'):
        """List the conductors.

        :param marker: the id of the last one of the page before.
        """
        context = self.authorize('magnum-service:get_all')
        limit = self.listing(limit, sort_dir)
        services = objects.MagnumService.list(
            context, limit=limit, marker=self._marker(context, marker), sort_key=sort_key,
            sort_dir=sort_dir)
        page = MagnumServiceCollection(mservices=[self._view(service) for service in services])
        if len(services) == limit:
            page.next = collection.next_page(
                'mservices', limit, services[-1].id, sort_key=sort_key, sort_dir=sort_dir)
        return page
