# SPDX-License-Identifier: Apache-2.0

import paste.urlmap


def root_app_factory(loader, global_conf, **local_conf):
    """The composite application of paste files: which pipeline serves which path."""
    return paste.urlmap.urlmap_factory(loader, global_conf, **local_conf)
