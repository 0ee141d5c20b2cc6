# SPDX-License-Identifier: Apache-2.0
"""Signing requests and certificates, as clients make and check them."""

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509 import oid

from magnum_clients import report


def request(name, unit=None, bits=2048, digest=None):
    """A signing request without extensions, in PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    words = [x509.NameAttribute(oid.NameOID.COMMON_NAME, name)]
    if unit:
        words.append(x509.NameAttribute(oid.NameOID.ORGANIZATIONAL_UNIT_NAME, unit))
    made = x509.CertificateSigningRequestBuilder().subject_name(x509.Name(words)).sign(
        key, digest or hashes.SHA256())
    return made.public_bytes(serialization.Encoding.PEM).decode()


def check_signed(pem, authority):
    """The certificate is the authority's."""
    certificate = x509.load_pem_x509_certificate(pem.encode())
    issuer = x509.load_pem_x509_certificate(authority.encode())
    certificate.verify_directly_issued_by(issuer)
    report.ensure(pem.rstrip().endswith('-----END CERTIFICATE-----'), 'not a whole PEM')
