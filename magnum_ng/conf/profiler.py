# SPDX-License-Identifier: Apache-2.0

from oslo_utils import importutils

profiler_opts = importutils.try_import('osprofiler.opts')


def register_opts(conf):
    # Without osprofiler the [profiler] group does not exist, and is ignored in files.
    if profiler_opts:
        profiler_opts.set_defaults(conf)


def list_opts():
    return dict(profiler_opts.list_opts()) if profiler_opts else {}
