# SPDX-License-Identifier: Apache-2.0

from keystoneauth1 import loading
from oslo_config import cfg

# How the service itself logs in; tokens of users are checked with [keystone_authtoken].
CFG_GROUP = 'keystone_auth'
GROUP = cfg.OptGroup(CFG_GROUP, title='Credentials of the service')


def register_opts(conf):
    conf.register_group(GROUP)
    loading.register_auth_conf_options(conf, CFG_GROUP)
    loading.register_session_conf_options(conf, CFG_GROUP)
    conf.set_default('auth_type', 'password', group=CFG_GROUP)


def list_opts():
    opts = {}
    for opt in (loading.get_auth_common_conf_options()
                + loading.get_auth_plugin_conf_options('password')
                + loading.get_session_conf_options()):
        opts.setdefault(opt.name, opt)
    return {GROUP: sorted(opts.values(), key=lambda opt: opt.name)}
