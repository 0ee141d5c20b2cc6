# SPDX-License-Identifier: Apache-2.0
"""``/v1/certificates``: the authorities of clusters, and signing by them.

Whether a cluster exists is told only to those who may see it. Signing needs no conductor: the
process of the API reads the authority's key from the certificate backend itself.
"""

import pecan
import wsme
from wsme import types as wtypes

from magnum_ng.api import expose
from magnum_ng.api import scope
from magnum_ng.api import utils as api_utils
from magnum_ng.api import views
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers import link
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import exception
from magnum_ng.common import utils
from magnum_ng.conductor import decisions
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.i18n import _
from magnum_ng.objects import fields


class Certificate(base.APIBase):
    """A certificate of a cluster, or the request for one."""

    cluster_uuid = wtypes.text
    """UUID or name in requests, UUID in answers."""

    links = wsme.wsattr([link.Link], readonly=True)
    csr = types.StringType(min_length=1, multiline=True)
    pem = types.StringType(multiline=True)
    ca_cert_type = types.StringType()
    """The authority that signs: kubernetes, etcd or front-proxy."""

    @classmethod
    def of(cls, cluster, pem, **attributes):
        return cls(cluster_uuid=cluster.uuid, links=views.links('certificates', cluster.uuid),
                   pem=pem, **attributes)


class CertificateController(base.Controller):
    """The certificates of clusters: authorities, signing, rotation."""

    _custom_actions = {'detail': ['GET']}

    def _cluster(self, rule, ident):
        """The cluster, if the caller may do what the rule says with it."""
        scope.reach(f'{rule}_all_projects')
        cluster = api_utils.get_resource('Cluster', ident)
        self.authorize(rule, cluster)
        return cluster

    def _own_cluster(self, rule, ident):
        """As above, for rules that by default know only the user who made the cluster."""
        try:
            return self._cluster(rule, ident)
        except exception.PolicyNotAuthorized as error:
            raise exception.PolicyNotAuthorized(
                _("%(refusal)s By default only the user who created the cluster, and "
                  "administrators, may do this.") % {'refusal': error.message}) from None

    @expose.expose(Certificate, types.uuid_or_name, wtypes.text)
    def get_one(self, cluster_ident, ca_cert_type=None):
        """Show the certificate of one of the cluster's authorities.

        :param cluster_ident: UUID or name of a cluster.
        :param ca_cert_type: kubernetes (the default), etcd or front-proxy.
        """
        cluster = self._own_cluster('certificate:get', cluster_ident)
        cert_manager.check_ca_cert_type(ca_cert_type)
        authority = cert_manager.get_cluster_ca_certificate(
            cluster, context=pecan.request.context, ca_cert_type=ca_cert_type)
        return Certificate.of(cluster, utils.as_text(authority.get_certificate()))

    @expose.expose(Certificate, body=Certificate, status_code=201)
    def post(self, certificate):
        """Sign a request.

        :param certificate: names the cluster, and has the request.
        """
        for name in ('cluster_uuid', 'csr'):
            if not getattr(certificate, name):
                raise wsme.exc.InvalidInput(name, None, 'Mandatory field missing.')
        try:
            cluster = self._own_cluster('certificate:create', certificate.cluster_uuid)
        except exception.ClusterNotFound as error:
            # In a body, a cluster that does not exist is a bad value, not a bad address.
            raise exception.ClusterNotFound(error.message, code=400) from None
        ca_cert_type = certificate.ca_cert_type or None
        cert_manager.check_ca_cert_type(ca_cert_type)
        if cluster.status == fields.ClusterStatus.DELETE_IN_PROGRESS:
            raise exception.OperationNotAllowed(operation=_('Signing a certificate'),
                                                status=cluster.status)
        pem = cert_manager.sign_node_certificate(
            cluster, certificate.csr, ca_cert_type, context=pecan.request.context)
        given = {'ca_cert_type': ca_cert_type} if ca_cert_type else {}
        return Certificate.of(cluster, utils.as_text(pem), csr=certificate.csr, **given)

    @expose.expose(types.ClusterID, types.uuid_or_name, status_code=202)
    def patch(self, cluster_ident):
        """Replace the authorities of a cluster; answers before it is done.

        :param cluster_ident: UUID or name of a cluster.
        """
        cluster = self._cluster('certificate:rotate_ca', cluster_ident)
        if _has_no_tls(cluster):
            raise exception.NotSupported(
                _('Rotating the CA certificate on a non-TLS cluster is not supported'))
        with decisions.rotate_ca_certificate(pecan.request.context, cluster):
            pecan.request.rpcapi.rotate_ca_certificate(cluster)
        return types.ClusterID(cluster.uuid)


def _has_no_tls(cluster):
    try:
        return cluster.cluster_template.tls_disabled
    except exception.ClusterTemplateNotFound:
        return False
