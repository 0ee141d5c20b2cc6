# SPDX-License-Identifier: Apache-2.0
"""Small things that drivers and more than one part of the service use."""

import ipaddress
import re

from oslo_concurrency import processutils

from magnum_ng.common import exception
import magnum_ng.conf

CONF = magnum_ng.conf.CONF

# Suffixes of Kubernetes quantities. 'p' has always been taken for 'P' here.
MEMORY_UNITS = {
    'Ki': 2 ** 10, 'Mi': 2 ** 20, 'Gi': 2 ** 30, 'Ti': 2 ** 40, 'Pi': 2 ** 50, 'Ei': 2 ** 60,
    'm': 10 ** -3, 'k': 10 ** 3, 'M': 10 ** 6, 'G': 10 ** 9, 'T': 10 ** 12, 'p': 10 ** 15,
    'P': 10 ** 15, 'E': 10 ** 18, '': 1,
}

_QUANTITY = re.compile(r'([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+))?([A-Za-z]*)', re.ASCII)


def execute(*cmd, **kwargs):
    """Run a command and return (stdout, stderr).

    Takes what oslo.concurrency's ``execute`` takes and raises its ProcessExecutionError.
    """
    return processutils.execute(*cmd, **kwargs)


def as_text(value):
    """Text from bytes of UTF-8; anything else stays as it is."""
    return value.decode('utf-8') if isinstance(value, bytes) else value


def get_openstack_ca():
    """The CA certificates that clusters are to trust OpenStack with; '' when there are none."""
    path = CONF.drivers.openstack_ca_file
    if not path:
        return ''
    with open(path) as certificates:
        return certificates.read()


def get_k8s_quantity(quantity):
    """The number that a Kubernetes quantity such as '100Mi', '250m' or '1e3' stands for."""
    match = _QUANTITY.fullmatch(str(quantity))
    if match is None or match.group(3) not in MEMORY_UNITS:
        raise exception.UnsupportedK8sQuantityFormat()
    number, exponent, suffix = match.groups()
    if exponent and suffix:
        raise exception.UnsupportedK8sQuantityFormat()
    return float(number) * 10 ** int(exponent or 0) * MEMORY_UNITS[suffix]


def validate_dns(dns_list):
    """Raise InvalidDNS unless this is an address or a comma separated list of them."""
    for address in dns_list.split(','):
        try:
            # Only the name of an interface ("fe80::1%eth0") could hold anything else.
            if not re.fullmatch('[0-9A-Fa-f.:]+', address.strip(' ')):
                raise ValueError(address)
            ipaddress.ip_address(address.strip(' '))
        except ValueError:
            raise exception.InvalidDNS(dns=dns_list) from None
