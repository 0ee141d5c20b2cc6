# SPDX-License-Identifier: Apache-2.0
"""What a certificate back end offers."""

import abc

from magnum_ng.common.x509 import operations


class Cert(metaclass=abc.ABCMeta):
    """A stored certificate with its key, both PEM."""

    @abc.abstractmethod
    def get_certificate(self):
        """The certificate."""

    @abc.abstractmethod
    def get_intermediates(self):
        """The certificates between it and a root, or None."""

    @abc.abstractmethod
    def get_private_key(self):
        """The private key, encrypted if there is a passphrase."""

    def get_decrypted_private_key(self):
        """The private key as plain PKCS8."""
        return operations.decrypt_key(self.get_private_key(), self.get_private_key_passphrase())

    @abc.abstractmethod
    def get_private_key_passphrase(self):
        """The passphrase of the private key, or None."""


class KeptCert(Cert):
    """One whose parts are all at hand."""

    def __init__(self, certificate, private_key, intermediates=None,
                 private_key_passphrase=None):
        self.certificate = certificate
        self.intermediates = intermediates
        self.private_key = private_key
        self.private_key_passphrase = private_key_passphrase

    def get_certificate(self):
        return self.certificate

    def get_intermediates(self):
        return self.intermediates

    def get_private_key(self):
        return self.private_key

    def get_private_key_passphrase(self):
        return self.private_key_passphrase


class CertManager(metaclass=abc.ABCMeta):
    """Stores, reads and deletes. ``context`` among the keyword arguments says on whose behalf."""

    @abc.abstractmethod
    def store_cert(self, certificate, private_key, intermediates=None,
                   private_key_passphrase=None, expiration=None, name='Magnum TLS Cert',
                   **kwargs):
        """Store all parts or none; the reference."""

    @abc.abstractmethod
    def get_cert(self, cert_uuid, check_only=False, **kwargs):
        """The Cert behind a reference."""

    @abc.abstractmethod
    def delete_cert(self, cert_uuid, **kwargs):
        """Delete all parts. One that is gone already is no error."""
