# SPDX-License-Identifier: Apache-2.0
"""Keys, certificate authorities and signatures.

Certificates are made for strict verifiers (OpenSSL's and Python's strict flags, Go): key
identifiers of subject and issuer, critical basicConstraints and keyUsage, and no leaf that
outlives its authority. Private keys leave this module encrypted (PKCS8), except where a caller
asks for a plain one.
"""

import datetime
import hashlib

from cryptography import exceptions as crypto_exceptions
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric import ed448
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509 import oid

import magnum_ng.conf
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common.x509 import validator
from magnum_ng.i18n import _

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

_MINIMUM_RSA_BITS = 2048
_MINIMUM_CURVE_BITS = 256
# of common names, in X.520
_LONGEST_NAME = 64
# clocks of nodes may be behind ours
_CLOCK_SKEW = datetime.timedelta(days=1)


def generate_private_key():
    """A new RSA key object. Slow, and done without holding up other threads."""
    return rsa.generate_private_key(public_exponent=65537, key_size=CONF.x509.rsa_key_size)


def generate_ca_certificate(subject_name, encryption_password=None, private_key=None):
    """A new self-signed authority: dictionary of PEM bytes ``private_key`` and ``certificate``.

    ``private_key`` is a key object to use instead of a new one.
    """
    return _generate_certificate(subject_name, subject_name, _build_ca_extensions(),
                                 encryption_password=encryption_password,
                                 private_key=private_key)


def generate_client_certificate(issuer_name, subject_name, organization_name, ca_key,
                                encryption_password=None, ca_key_password=None,
                                ca_certificate=None, private_key=None):
    """A new key with a certificate for clients, signed by an authority of ours.

    With ``ca_certificate`` (PEM) the issuer's name, key identifier and end are taken from it.
    """
    return _generate_certificate(issuer_name, subject_name, _build_client_extensions(),
                                 organization_name, ca_key, encryption_password,
                                 ca_key_password, ca_certificate, private_key)


def bounded_common_name(name):
    """A common name for anything: at most 64 bytes, different for different names."""
    raw = _to_bytes(name)
    if len(raw) <= _LONGEST_NAME:
        return _to_text(name)
    digest = hashlib.sha256(raw).hexdigest()[:16]
    return raw[:_LONGEST_NAME - 17].decode('utf-8', 'ignore') + '-' + digest


def _build_client_extensions():
    usage = _key_usage(digital_signature=True, key_encipherment=True)
    return [
        x509.Extension(oid.ExtensionOID.KEY_USAGE, True, usage),
        x509.Extension(oid.ExtensionOID.EXTENDED_KEY_USAGE, False,
                       x509.ExtendedKeyUsage([oid.ExtendedKeyUsageOID.CLIENT_AUTH])),
        x509.Extension(oid.ExtensionOID.BASIC_CONSTRAINTS, True,
                       x509.BasicConstraints(ca=False, path_length=None)),
    ]


def _build_ca_extensions():
    return [
        x509.Extension(oid.ExtensionOID.BASIC_CONSTRAINTS, True,
                       x509.BasicConstraints(ca=True, path_length=0)),
        x509.Extension(oid.ExtensionOID.KEY_USAGE, True,
                       _key_usage(key_cert_sign=True)),
    ]


def _key_usage(**set_bits):
    bits = dict.fromkeys(('digital_signature', 'content_commitment', 'key_encipherment',
                          'data_encipherment', 'key_agreement', 'key_cert_sign', 'crl_sign',
                          'encipher_only', 'decipher_only'), False)
    return x509.KeyUsage(**(bits | set_bits))


def _generate_certificate(issuer_name, subject_name, extensions, organization_name=None,
                          ca_key=None, encryption_password=None, ca_key_password=None,
                          ca_certificate=None, private_key=None):
    private_key = private_key or generate_private_key()
    attributes = [x509.NameAttribute(oid.NameOID.COMMON_NAME, bounded_common_name(subject_name))]
    if organization_name:
        attributes.append(x509.NameAttribute(oid.NameOID.ORGANIZATION_NAME, organization_name))
    signer = _load_pem_private_key(ca_key, ca_key_password) if ca_key else private_key
    issuer = _Issuer(signer, issuer_name, ca_certificate)
    certificate = issuer.issue(x509.Name(attributes), private_key.public_key(), extensions)
    return {
        'private_key': private_key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            _encryption(encryption_password)),
        'certificate': certificate,
    }


class _Issuer:
    """An authority's key, with its certificate if that is at hand."""

    def __init__(self, key, name, certificate=None):
        self.key = key
        self.certificate = None
        if certificate is not None:
            self.certificate = x509.load_pem_x509_certificate(_to_bytes(certificate))
        if self.certificate is not None:
            self.name = self.certificate.subject
        else:
            self.name = x509.Name([x509.NameAttribute(
                oid.NameOID.COMMON_NAME, bounded_common_name(name))])

    def issue(self, subject, public_key, extensions, issuer_key_identifier=True):
        """PEM bytes of a certificate; key identifiers are added to the extensions."""
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        builder = (x509.CertificateBuilder()
                   .subject_name(subject)
                   .issuer_name(self.name)
                   .public_key(public_key)
                   .serial_number(x509.random_serial_number())
                   .not_valid_before(now - _CLOCK_SKEW)
                   .not_valid_after(self._end(now)))
        for extension in extensions:
            builder = builder.add_extension(extension.value, critical=extension.critical)
        builder = builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        if issuer_key_identifier:
            builder = builder.add_extension(self._key_identifier(), critical=False)
        algorithm = None
        if not isinstance(self.key, (ed25519.Ed25519PrivateKey, ed448.Ed448PrivateKey)):
            algorithm = hashes.SHA256()
        return builder.sign(self.key, algorithm).public_bytes(serialization.Encoding.PEM)

    def _end(self, now):
        end = now - _CLOCK_SKEW + datetime.timedelta(days=CONF.x509.term_of_validity)
        if self.certificate is None:
            return end
        last = self.certificate.not_valid_after_utc
        if last <= now:
            raise exception.Conflict(_(
                'The certificate authority of this cluster ended on %s. Rotate it first.')
                % last.date().isoformat())
        return min(end, last)

    def _key_identifier(self):
        if self.certificate is not None:
            try:
                own = self.certificate.extensions.get_extension_for_class(
                    x509.SubjectKeyIdentifier)
                return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(own.value)
            except x509.ExtensionNotFound:
                # made long ago; the identifier that verifiers compute themselves
                pass
        return x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())


def sign(csr, issuer_name, ca_key, ca_key_password=None, skip_validation=False,
         ca_certificate=None):
    """Sign a request (PEM) with an authority's key; PEM bytes.

    With ``ca_certificate`` (PEM) the issuer's name, key identifier and end are taken from it.
    ``skip_validation`` takes the request's extensions as they are, and if there is no
    ``ca_certificate`` either, adds to them only the identifier of the request's key. Its signature
    and the strength of its key are checked in any case.

    :raises InvalidCsr: not a request, its signature is wrong, or its key is weak
    :raises CertificateValidationError: a critical extension is not allowed
    :raises Conflict: the authority is past its end
    """
    request = _load_request(csr)
    extensions = list(request.extensions)
    as_it_is = skip_validation and ca_certificate is None
    if not skip_validation:
        extensions = validator.filter_extensions(extensions)
    if as_it_is:
        extensions = _without_key_identifiers(extensions)
    else:
        extensions = _complete_leaf_extensions(request, extensions)
    key = _load_pem_private_key(ca_key, ca_key_password)
    issuer = _Issuer(key, issuer_name, ca_certificate)
    return issuer.issue(request.subject, request.public_key(), extensions,
                        issuer_key_identifier=not as_it_is).strip()


def _load_request(csr):
    try:
        request = x509.load_pem_x509_csr(_to_bytes(csr))
    except (ValueError, TypeError, crypto_exceptions.UnsupportedAlgorithm):
        raise _invalid_request(_('it is not a PEM encoded certificate request')) from None
    try:
        signed = request.is_signature_valid
        key = request.public_key()
        named = bool(list(request.subject))
        alternatives = [extension for extension in request.extensions
                        if isinstance(extension.value, x509.SubjectAlternativeName)]
    except (ValueError, TypeError, x509.DuplicateExtension,
            crypto_exceptions.UnsupportedAlgorithm):
        raise _invalid_request(_('its contents cannot be read')) from None
    if not signed:
        raise _invalid_request(_('its signature is wrong'))
    if not (named or alternatives):
        raise _invalid_request(_('it names no subject'))
    _check_strength(key)
    return request


def _check_strength(key):
    if isinstance(key, rsa.RSAPublicKey):
        if key.key_size < _MINIMUM_RSA_BITS:
            raise _invalid_request(_('its RSA key is shorter than %d bits') % _MINIMUM_RSA_BITS)
    elif isinstance(key, ec.EllipticCurvePublicKey):
        if key.curve.key_size < _MINIMUM_CURVE_BITS:
            raise _invalid_request(_('its key is on a curve of less than %d bits')
                                   % _MINIMUM_CURVE_BITS)
    elif not isinstance(key, (ed25519.Ed25519PublicKey, ed448.Ed448PublicKey)):
        raise _invalid_request(_('keys of its kind are not supported'))


def _invalid_request(why):
    # The text says what is wrong; the request itself does not belong into logs.
    return exception.InvalidCsr(csr=f'({why})')


def _without_key_identifiers(extensions):
    # They are ours to set, and a certificate has only one of each.
    ours = (x509.SubjectKeyIdentifier, x509.AuthorityKeyIdentifier)
    return [extension for extension in extensions if not isinstance(extension.value, ours)]


def _complete_leaf_extensions(request, extensions):
    """What the request leaves open, so that no verifier takes the leaf for something else."""
    kept = [extension for extension in _without_key_identifiers(extensions)
            if not _grants_nothing(extension)]
    if not list(request.subject):
        kept = [x509.Extension(extension.oid, True, extension.value)
                if isinstance(extension.value, x509.SubjectAlternativeName) else extension
                for extension in kept]
    present = {type(extension.value) for extension in kept}
    for extension in _leaf_defaults(request.public_key()):
        if type(extension.value) not in present:
            kept.append(extension)
    return kept


def _leaf_defaults(public_key):
    rsa_key = isinstance(public_key, rsa.RSAPublicKey)
    return (
        x509.Extension(oid.ExtensionOID.BASIC_CONSTRAINTS, True,
                       x509.BasicConstraints(ca=False, path_length=None)),
        x509.Extension(oid.ExtensionOID.KEY_USAGE, True,
                       _key_usage(digital_signature=True, key_encipherment=rsa_key)),
        x509.Extension(oid.ExtensionOID.EXTENDED_KEY_USAGE, False,
                       x509.ExtendedKeyUsage([oid.ExtendedKeyUsageOID.CLIENT_AUTH,
                                              oid.ExtendedKeyUsageOID.SERVER_AUTH])),
    )


def _grants_nothing(extension):
    """Whether filtering left a key usage without a single use, which is not well-formed."""
    usage = extension.value
    if not isinstance(usage, x509.KeyUsage):
        return False
    return not any((usage.digital_signature, usage.content_commitment, usage.key_encipherment,
                    usage.data_encipherment, usage.key_agreement, usage.key_cert_sign,
                    usage.crl_sign))


def generate_csr_and_key(common_name):
    """A new plain key and a request for it: text ``csr``, ``private_key`` and ``public_key``."""
    key = generate_private_key()
    name = x509.NameAttribute(oid.NameOID.COMMON_NAME, bounded_common_name(common_name))
    request = (x509.CertificateSigningRequestBuilder()
               .subject_name(x509.Name([name]))
               .sign(key, hashes.SHA256()))
    return {
        'csr': request.public_bytes(serialization.Encoding.PEM).decode('ascii'),
        'private_key': key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption()).decode('ascii'),
        'public_key': key.public_key().public_bytes(
            serialization.Encoding.PEM,
            serialization.PublicFormat.SubjectPublicKeyInfo).decode('ascii'),
    }


def decrypt_key(encrypted_key, password):
    """PEM bytes (PKCS8) of a key without its encryption."""
    return _load_pem_private_key(encrypted_key, password).private_bytes(
        encoding=serialization.Encoding.PEM, format=serialization.PrivateFormat.PKCS8,
        encryption_algorithm=serialization.NoEncryption())


def _load_pem_private_key(ca_key, ca_key_password=None):
    """A key object from PEM; keys that are objects already pass."""
    if not isinstance(ca_key, (str, bytes)):
        return ca_key
    password = _to_bytes(ca_key_password) if ca_key_password is not None else None
    return serialization.load_pem_private_key(_to_bytes(ca_key), password=password)


def _encryption(password):
    if password:
        return serialization.BestAvailableEncryption(_to_bytes(password))
    return serialization.NoEncryption()


def _to_bytes(value):
    return value.encode('utf-8') if isinstance(value, str) else value


def _to_text(value):
    return value.decode('utf-8') if isinstance(value, bytes) else value
