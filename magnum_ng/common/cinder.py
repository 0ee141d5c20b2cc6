# SPDX-License-Identifier: Apache-2.0
"""Volume types: the configured defaults, or any that exists."""

import secrets

import magnum_ng.conf
from magnum_ng.common import clients
from magnum_ng.common import exception

CONF = magnum_ng.conf.CONF


def get_default_docker_volume_type(context):
    return CONF.cinder.default_docker_volume_type or _get_random_volume_type(context)


def get_default_etcd_volume_type(context):
    return CONF.cinder.default_etcd_volume_type or _get_random_volume_type(context)


def get_default_boot_volume_type(context):
    return CONF.cinder.default_boot_volume_type or _get_random_volume_type(context)


def _get_random_volume_type(context):
    """The name of one of the volume types.

    :raises VolumeTypeNotFound: there are none
    """
    names = [kind.name for kind in clients.OpenStackClients(context).cinder().types()]
    if not names:
        raise exception.VolumeTypeNotFound()
    return secrets.choice(names)
