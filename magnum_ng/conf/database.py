# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg
from oslo_db import options as db_options

from magnum_ng.conf import paths

GROUP = cfg.OptGroup('database', title='Database')

OPTS = [
    cfg.StrOpt('mysql_engine', default='InnoDB', help='Storage engine of new tables in MySQL.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)
    # Registers the options of oslo.db as a side effect.
    db_options.set_defaults(conf, connection='sqlite:///' + paths.state_path_def('magnum.sqlite'))


def list_opts():
    return {GROUP: OPTS}
