# SPDX-License-Identifier: Apache-2.0
"""Certificates in the service's own database, keys encrypted with a passphrase beside them."""

import sqlalchemy as sa
from oslo_utils import uuidutils

from magnum_ng import objects
from magnum_ng.common import context as magnum_context
from magnum_ng.common import exception
from magnum_ng.common import utils
from magnum_ng.common.cert_manager import cert_manager
from magnum_ng.db.sqlalchemy import models, session


class Cert(cert_manager.KeptCert):
    """A row of the table of key pairs."""


class CertManager(cert_manager.CertManager):
    """References are UUIDs of rows.

    A row belongs to whoever made it. Who may use a cluster's certificates was decided when the
    cluster was looked up, so a reference is followed whoever asks.
    """

    @staticmethod
    def store_cert(certificate, private_key, intermediates=None, private_key_passphrase=None,
                   context=None, **kwargs):
        pair = objects.X509KeyPair(
            context,
            certificate=utils.as_text(certificate), private_key=utils.as_text(private_key),
            intermediates=utils.as_text(intermediates),
            private_key_passphrase=utils.as_text(private_key_passphrase),
            project_id=context.project_id, user_id=context.user_id)
        pair.create()
        return pair.uuid

    @staticmethod
    def store_certs(certificates, context=None):
        """Store several, given as the arguments of store_cert, with one statement."""
        rows = [{
            'uuid': uuidutils.generate_uuid(),
            'certificate': utils.as_text(given['certificate']),
            'private_key': utils.as_text(given['private_key']),
            'private_key_passphrase': utils.as_text(given['private_key_passphrase']),
            'project_id': context.project_id, 'user_id': context.user_id}
            for given in certificates]
        with session.writer() as db:
            db.execute(sa.insert(models.X509KeyPair), rows)
        return [row['uuid'] for row in rows]

    @staticmethod
    def get_cert(cert_ref, context=None, **kwargs):
        pair = _find(cert_ref, context)
        return Cert(certificate=pair.certificate, private_key=pair.private_key,
                    intermediates=pair.intermediates,
                    private_key_passphrase=pair.private_key_passphrase)

    @staticmethod
    def delete_cert(cert_ref, context=None, **kwargs):
        try:
            _find(cert_ref, context).destroy()
        except exception.X509KeyPairNotFound:
            pass


def _find(cert_ref, context):
    try:
        return objects.X509KeyPair.get_by_uuid(context, cert_ref)
    except exception.X509KeyPairNotFound:
        # of another project, for an administrator who works on its cluster
        everywhere = magnum_context.make_admin_context(all_tenants=True)
        return objects.X509KeyPair.get_by_uuid(everywhere, cert_ref)
