# SPDX-License-Identifier: Apache-2.0
"""A configuration and a message bus that a test has for itself."""

import fixtures
from keystoneauth1 import loading
from oslo_config import cfg
from oslo_messaging import conffixture as messaging_conffixture

import magnum_ng.conf  # noqa: F401 (registers the options)

CONF = cfg.CONF


class ConfFixture(fixtures.Fixture):
    """Nothing is read from files or the command line, and overrides end with the test."""

    def _setUp(self):
        self.conf = CONF
        CONF.reset()
        self._forget_logins()
        CONF([], project='magnum', default_config_files=[], default_config_dirs=[])
        # After the values that individual fixtures set.
        self.addCleanup(CONF.reset)
        self.addCleanup(CONF.clear)
        CONF.set_override('host', 'fake-host')
        CONF.set_override('connection', 'sqlite://', 'database')
        CONF.set_override('cert_manager_type', 'x509keypair', 'certificates')

    @staticmethod
    def _forget_logins():
        # A login registers the options of its plugin, mandatory ones among them, for good.
        for group in ('keystone_auth', 'keystone_authtoken'):
            # The group of the token check comes with its library.
            options = loading.get_auth_plugin_conf_options('password') if group in CONF else ()
            for option in options:
                CONF.unregister_opt(option, group=group)


class RPCFixture(fixtures.Fixture):
    """Messages stay in the process. The transports are made when they are first needed."""

    def _setUp(self):
        self.useFixture(messaging_conffixture.ConfFixture(CONF, transport_url='fake:/'))
        CONF.set_override('rpc_response_timeout', 5)
        self.addCleanup(self._forget)

    @staticmethod
    def _forget():
        from magnum_ng.common import rpc

        rpc.cleanup()
        rpc.clear_extra_exmods()
