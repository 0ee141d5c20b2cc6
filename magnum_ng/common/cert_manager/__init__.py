# SPDX-License-Identifier: Apache-2.0
"""Where certificates and keys are kept: one back end, chosen by configuration."""

from stevedore import driver
from stevedore import exception as stevedore_exceptions

import magnum_ng.conf
from magnum_ng.common import exception
from magnum_ng.i18n import _

CONF = magnum_ng.conf.CONF

NAMESPACE = 'magnum.cert_manager.backend'

# (configured name, module), so that a change of the option is noticed
_CERT_MANAGER_PLUGIN = None


def get_backend():
    """The module of the configured back end, with its classes CertManager and Cert.

    :raises ConfigInvalid: no such back end
    """
    global _CERT_MANAGER_PLUGIN
    name = CONF.certificates.cert_manager_type
    if _CERT_MANAGER_PLUGIN is None or _CERT_MANAGER_PLUGIN[0] != name:
        try:
            found = driver.DriverManager(NAMESPACE, name).driver
        except (stevedore_exceptions.NoMatches, ImportError) as error:
            raise exception.ConfigInvalid(error_msg=_(
                '[certificates] cert_manager_type is "%(name)s", which cannot be loaded '
                '(%(why)s). Known are barbican, x509keypair and local.')
                % {'name': name, 'why': type(error).__name__}, code=500) from error
        _CERT_MANAGER_PLUGIN = (name, found)
    return _CERT_MANAGER_PLUGIN[1]
