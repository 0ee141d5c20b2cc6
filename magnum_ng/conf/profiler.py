# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg
from oslo_utils import importutils

profiler_opts = importutils.try_import('osprofiler.opts')


def register_opts(conf):
    # Without osprofiler the [profiler] group does not exist, and is ignored in files.
    if profiler_opts:
        profiler_opts.set_defaults(conf)


def list_opts():
    if not profiler_opts:
        return {}
    return {cfg.OptGroup(name): opts for name, opts in profiler_opts.list_opts()}
