# SPDX-License-Identifier: Apache-2.0
"""Which extensions of a signing request make it into the certificate."""

from cryptography import x509

import magnum_ng.conf
from magnum_ng.common import exception
from magnum_ng.common.x509 import extensions as names

CONF = magnum_ng.conf.CONF

_CA_KEY_USAGES = [names.KeyUsages.KEY_CERT_SIGN.value[0], names.KeyUsages.CRL_SIGN.value[0]]


def filter_extensions(extensions):
    """The allowed ones, without anything that makes a CA unless the configuration allows that.

    What is not allowed is left out; if it is critical the request is refused.

    :raises CertificateValidationError: a critical extension is not allowed
    """
    usages = list(CONF.x509.allowed_key_usage)
    if not CONF.x509.allow_ca:
        usages = _remove_ca_key_usage(usages)
    kept = []
    for extension in filter_allowed_extensions(extensions, CONF.x509.allowed_extensions):
        if isinstance(extension.value, x509.KeyUsage):
            extension = _merge_key_usage(extension, usages)
        elif isinstance(extension.value, x509.BasicConstraints) and not CONF.x509.allow_ca:
            extension = _disallow_ca_in_basic_constraints(extension)
        kept.append(extension)
    return kept


def filter_allowed_extensions(extensions, allowed_extensions=None):
    """Yield the extensions whose names are listed; an unlisted critical one is refused."""
    for extension in extensions:
        if name_of(extension.oid) in (allowed_extensions or ()):
            yield extension
        elif extension.critical:
            raise _refusal(extension)


def _merge_key_usage(extension, allowed_key_usage):
    asked = {usage: _bit(extension.value, usage.value[1]) for usage in names.KeyUsages}
    granted = {usage: bit and usage.value[0] in allowed_key_usage for usage, bit in asked.items()}
    if not granted[names.KeyUsages.KEY_AGREEMENT]:
        # these two say how an agreed key is used, and mean nothing without it
        granted[names.KeyUsages.ENCIPHER_ONLY] = granted[names.KeyUsages.DECIPHER_ONLY] = False
    if granted == asked:
        return extension
    if extension.critical:
        raise _refusal(extension)
    value = x509.KeyUsage(**{usage.value[1]: bit for usage, bit in granted.items()})
    return x509.Extension(extension.oid, extension.critical, value)


def _bit(key_usage, name):
    # the library knows no answer for these two when there is no key agreement
    if name in ('encipher_only', 'decipher_only') and not key_usage.key_agreement:
        return False
    return getattr(key_usage, name)


def _remove_ca_key_usage(allowed_key_usage):
    kept = [usage for usage in allowed_key_usage if usage not in _CA_KEY_USAGES]
    return type(allowed_key_usage)(kept)


def _disallow_ca_in_basic_constraints(extension):
    if not extension.value.ca:
        return extension
    if extension.critical:
        raise _refusal(extension)
    return x509.Extension(extension.oid, extension.critical,
                          x509.BasicConstraints(ca=False, path_length=None))


def name_of(oid):
    """The usual name of an extension, or the dotted number of one without a usual name."""
    known = oid._name
    return oid.dotted_string if known == 'Unknown OID' else known


def _refusal(extension):
    # Text only: an error that carries the extension itself cannot be sent over the message bus.
    return exception.CertificateValidationError(extension=name_of(extension.oid))
