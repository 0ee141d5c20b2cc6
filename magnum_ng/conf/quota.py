# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('quotas', title='Quotas')

OPTS = [
    cfg.IntOpt('max_clusters_per_project', default=20,
               help='Number of clusters that a project without its own quota may have.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
