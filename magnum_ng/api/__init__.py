# SPDX-License-Identifier: Apache-2.0
"""The REST API. What paste files name of this package is the composite application below."""

import paste.urlmap

from magnum_ng.common import imports

# Pecan loads every engine for templates that it finds, and a highlighter. The API answers JSON.
with imports.left_out('genshi', 'jinja2', 'kajiki', 'pygments'):
    import pecan  # noqa: F401


def root_app_factory(loader, global_conf, **local_conf):
    """The composite application of paste files: which pipeline serves which path."""
    return paste.urlmap.urlmap_factory(loader, global_conf, **local_conf)
