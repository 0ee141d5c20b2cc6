# SPDX-License-Identifier: Apache-2.0
"""Certificates in Barbican: a container of secrets each, owned by the service's own user."""

from openstack import exceptions as sdk_exceptions

from magnum_ng.common import clients
from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common.cert_manager import cert_manager

LOG = logging.getLogger(__name__)

# name in the container -> name of the secret
_SECRETS = {
    'certificate': 'Certificate',
    'private_key': 'Private Key',
    'intermediates': 'Intermediates',
    'private_key_passphrase': 'Private Key Passphrase',  # the name of one  # nosec B105
}


def get_admin_clients():
    """The key manager's SDK proxy with the service's credentials; a process has one session."""
    return clients.OpenStackClients(magnum_context.make_admin_context()).barbican()


class Cert(cert_manager.Cert):
    """A container; its secrets are read when they are asked for, each once."""

    def __init__(self, cert_container, connection=None):
        self._container = cert_container
        self._connection = connection
        self._payloads = {}

    def _get_payload(self, name):
        """The text of one secret, or None when the container has none of that name."""
        if name not in self._payloads:
            reference = _references(self._container).get(name)
            self._payloads[name] = self._read(reference) if reference else None
        return self._payloads[name]

    def _read(self, reference):
        connection = self._connection or get_admin_clients()
        try:
            payload = connection.get_secret(_identifier(reference)).payload
        except Exception as error:
            raise exception.from_backend('key-manager', error) from error
        if not payload or not isinstance(payload, str):
            raise exception.BackendError(service='key-manager')
        return payload

    def get_certificate(self):
        return self._get_payload('certificate')

    def get_intermediates(self):
        return self._get_payload('intermediates')

    def get_private_key(self):
        return self._get_payload('private_key')

    def get_private_key_passphrase(self):
        return self._get_payload('private_key_passphrase')


class CertManager(cert_manager.CertManager):
    """References are URLs of containers. The context is not looked at."""

    # several stores may run side by side: each is a row of requests
    concurrent = True

    @staticmethod
    def store_cert(certificate, private_key, intermediates=None, private_key_passphrase=None,
                   expiration=None, name='Magnum TLS Cert', **kwargs):
        connection = get_admin_clients()
        parts = {'certificate': certificate, 'private_key': private_key,
                 'intermediates': intermediates,
                 'private_key_passphrase': private_key_passphrase}
        stored = {}
        try:
            for part, payload in parts.items():
                if payload is not None:
                    stored[part] = _create_secret(connection, payload, expiration,
                                                  _SECRETS[part])
            container = connection.create_container(
                name=name, type='certificate',
                secret_refs=[{'name': part, 'secret_ref': secret.secret_ref}
                             for part, secret in stored.items()])
            return container.container_ref
        except Exception as error:
            for secret in stored.values():
                _delete_quietly(connection.delete_secret, _identifier(secret.secret_ref))
            raise exception.from_backend('key-manager', error) from error

    @staticmethod
    def get_cert(cert_ref, service_name='Magnum', resource_ref=None, check_only=False, **kwargs):
        connection = get_admin_clients()
        try:
            container = connection.get_container(_identifier(cert_ref))
            if 'certificate' not in _references(container):
                raise exception.BackendError(service='key-manager')
            return Cert(container, connection)
        except sdk_exceptions.NotFoundException as error:
            raise exception.ResourceNotFound(name='certificate',
                                             id=_identifier(cert_ref)) from error
        except Exception as error:
            raise exception.from_backend('key-manager', error) from error

    @staticmethod
    def delete_cert(cert_ref, service_name='Magnum', resource_ref=None, **kwargs):
        connection = get_admin_clients()
        try:
            container = connection.get_container(_identifier(cert_ref))
        except sdk_exceptions.NotFoundException:
            return
        except Exception as error:
            raise exception.from_backend('key-manager', error) from error
        try:
            # the container last: it is the only way to find the secrets again.
            # What is gone already is no error to the SDK.
            for reference in _references(container).values():
                connection.delete_secret(_identifier(reference))
            connection.delete_container(_identifier(cert_ref))
        except Exception as error:
            raise exception.from_backend('key-manager', error) from error


def _create_secret(connection, payload, expiration, name):
    if isinstance(payload, bytes):
        payload = payload.decode('utf-8')
    optional = {'expiration': expiration} if expiration else {}
    return connection.create_secret(name=name, payload=payload,
                                    payload_content_type='text/plain', **optional)


def _delete_quietly(delete, identifier):
    try:
        delete(identifier)
    except Exception as error:
        LOG.warning('Secret %s is left behind in the key manager: %s', identifier,
                    type(error).__name__)


def _references(container):
    """Name of a secret -> its URL."""
    return {entry['name']: entry['secret_ref'] for entry in container.secret_refs or ()}


def _identifier(reference):
    return reference.rstrip('/').rsplit('/', 1)[-1]
