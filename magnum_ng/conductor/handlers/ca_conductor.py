# SPDX-License-Identifier: Apache-2.0
"""Endpoint: the certificates of a cluster."""

from magnum_ng.common import utils
from magnum_ng.conductor import acceptance
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.conductor import intake
from magnum_ng.conductor import states
from magnum_ng import objects


class Handler:

    def sign_certificate(self, context, cluster, certificate):
        """For an original API; ours signs itself."""
        kind = getattr(certificate, 'ca_cert_type', None) if (
            certificate.obj_attr_is_set('ca_cert_type')) else None
        certificate.pem = utils.as_text(cert_manager.sign_node_certificate(
            cluster, certificate.csr, kind or 'kubernetes', context=context))
        return certificate

    def get_ca_certificate(self, context, cluster, ca_cert_type=None):
        """For an original API; ours reads it itself."""
        authority = cert_manager.get_cluster_ca_certificate(
            cluster, context=context, ca_cert_type=ca_cert_type)
        certificate = objects.Certificate.from_object_cluster(cluster)
        certificate.pem = utils.as_text(authority.get_certificate())
        return certificate

    def rotate_ca_certificate(self, context, cluster):
        def accept(owner):
            return acceptance.rotate(context, states.ROTATE_CA, cluster, owner)

        return intake.take(context, states.ROTATE_CA, accept, cluster,
                           ('rotate_ca_certificate', {'cluster': cluster}), wait=True)
