# SPDX-License-Identifier: Apache-2.0
"""Links of answers: each resource has one to itself and one without a version, the bookmark."""

from wsme import types as wtypes

from magnum_ng.api.controllers import base


def build_url(resource, resource_args, bookmark=False, base_url=None):
    """The address of a resource; ``resource_args`` is an identifier or a query with its '?'."""
    resource = resource if bookmark else f'v1/{resource}'
    template = '%s/%s%s' if resource_args.startswith('?') else '%s/%s/%s'
    return template % (base_url or '', resource, resource_args)


class Link(base.APIBase):
    """One link of a document."""

    href = wtypes.text
    rel = wtypes.text
    type = wtypes.text

    @staticmethod
    def make_link(rel_name, url, resource, resource_args, bookmark=False, type=wtypes.Unset):
        return Link(href=build_url(resource, resource_args, bookmark, base_url=url),
                    rel=rel_name, type=type)

    @classmethod
    def sample(cls):
        return cls(href='http://localhost:9511/clusters/eaaca217-e7d8-47b4-bb41-3f99f20eed89',
                   rel='bookmark')
