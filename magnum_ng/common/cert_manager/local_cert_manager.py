# SPDX-License-Identifier: Apache-2.0
"""Certificates in files of one directory. For development: one host, no backup, no sharing."""

import os
import uuid

import magnum_ng.conf
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common.cert_manager import cert_manager

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

# part of a certificate -> suffix of its file
_SUFFIXES = {'certificate': '.crt', 'private_key': '.key', 'intermediates': '.int',
             'private_key_passphrase': '.pass'}  # of a file's name  # nosec B105
_REQUIRED = ('certificate', 'private_key')


class Cert(cert_manager.KeptCert):
    """What was read from the files."""


class CertManager(cert_manager.CertManager):
    """References are UUIDs: the names of the files without their suffix."""

    @staticmethod
    def store_cert(certificate, private_key, intermediates=None, private_key_passphrase=None,
                   **kwargs):
        _warn()
        parts = {'certificate': certificate, 'private_key': private_key,
                 'intermediates': intermediates,
                 'private_key_passphrase': private_key_passphrase}
        cert_ref = str(uuid.uuid4())
        try:
            for part, value in parts.items():
                if value is not None:
                    _write(_path(cert_ref, part), value)
        except OSError as error:
            _remove(cert_ref)
            LOG.error('Certificate %s could not be stored: %s', cert_ref, error.strerror)
            raise exception.CertificateStorageException(msg=error.strerror) from error
        return cert_ref

    @staticmethod
    def get_cert(cert_ref, **kwargs):
        _warn()
        found = {}
        for part in _SUFFIXES:
            try:
                with open(_path(cert_ref, part), encoding='utf-8') as source:
                    found[part] = source.read()
            except OSError as error:
                if part in _REQUIRED:
                    LOG.error('The %s of %s cannot be read: %s', part.replace('_', ' '),
                              cert_ref, error.strerror)
                    raise exception.CertificateStorageException(
                        msg=f"{part.replace('_', ' ').capitalize()} could not be read."
                    ) from error
        return Cert(**found)

    @staticmethod
    def delete_cert(cert_ref, **kwargs):
        _warn()
        try:
            _remove(cert_ref)
        except OSError as error:
            LOG.error('Certificate %s cannot be deleted: %s', cert_ref, error.strerror)
            raise exception.CertificateStorageException(msg=error.strerror) from error


def _warn():
    LOG.warning('Certificates are kept in local files ([certificates] cert_manager_type = local): '
                'for development only.')


def _path(cert_ref, part):
    return os.path.join(CONF.certificates.storage_path, cert_ref + _SUFFIXES[part])


def _write(path, value):
    data = value.encode('utf-8') if isinstance(value, str) else value
    # created with its final mode: it is never readable for others, not even while empty
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 'wb') as target:
        target.write(data)


def _remove(cert_ref):
    for part in _SUFFIXES:
        try:
            os.remove(_path(cert_ref, part))
        except FileNotFoundError:
            pass
