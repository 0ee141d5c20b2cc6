# SPDX-License-Identifier: Apache-2.0
"""Reading the configuration, and the defaults that libraries get from this service."""

import magnum_ng.conf
from magnum_ng import version

CONF = magnum_ng.conf.CONF


def parse_args(argv, default_config_files=None, serving=True):
    """Read the command line and the configuration files.

    :param argv: the program's name and its arguments.
    :param serving: whether the process serves requests or sends messages. For others the
        libraries that do so need no defaults; importing them takes as long as all the rest.
    """
    if serving:
        from magnum_ng.common import rpc

        rpc.set_defaults(control_exchange='magnum')
        set_config_defaults()
    CONF(argv[1:], project='magnum', version=version.version_string(),
         default_config_files=default_config_files)


def set_config_defaults():
    """Set defaults of libraries; the sample generator calls this too."""
    from oslo_middleware import cors

    cors.set_defaults(
        allow_headers=['X-Auth-Token', 'X-Identity-Status', 'X-Roles', 'X-Service-Catalog',
                       'X-User-Id', 'X-Tenant-Id', 'X-OpenStack-Request-ID',
                       'X-Server-Management-Url'],
        expose_headers=['X-Auth-Token', 'X-Subject-Token', 'X-Service-Token',
                        'X-OpenStack-Request-ID', 'X-Server-Management-Url'],
        allow_methods=['GET', 'PUT', 'POST', 'DELETE', 'PATCH'])
