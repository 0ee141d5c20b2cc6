# SPDX-License-Identifier: Apache-2.0
"""``/``: which versions there are. An address without a version is one of v1."""

import pecan
from wsme import types as wtypes

from magnum_ng.api import expose
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers import link
from magnum_ng.api.controllers import v1
from magnum_ng.api.controllers import versions


class Version(base.APIBase):
    """One version of the API, as the root document lists it."""

    id = wtypes.text
    links = [link.Link]
    status = wtypes.text
    max_version = wtypes.text
    min_version = wtypes.text

    @staticmethod
    def convert(id, status, max, min):
        return Version(
            id=id, status=status, max_version=max, min_version=min,
            links=[link.Link.make_link('self', pecan.request.application_url, id, '',
                                       bookmark=True)])


class Root(base.APIBase):
    """What is served here."""

    name = wtypes.text
    description = wtypes.text
    versions = [Version]

    @staticmethod
    def convert():
        return Root(
            name='OpenStack Magnum API',
            description='Magnum is an OpenStack project which aims to provide container cluster '
                        'management.',
            versions=[Version.convert('v1', 'CURRENT', versions.CURRENT_MAX_VER,
                                      versions.BASE_VER)])


class RootController(base.Controller):
    _versions = ('v1',)
    _default_version = 'v1'

    v1 = v1.Controller()

    @expose.expose(Root)
    def get(self):
        """List the versions of the API."""
        return Root.convert()

    @pecan.expose()
    def _route(self, args, request=None):
        """A path without version is one of the default version; none at all is the root."""
        args = [part for part in args if part]
        if args and args[0] not in self._versions:
            args.insert(0, self._default_version)
        return super()._route(args, request)
