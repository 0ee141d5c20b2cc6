# SPDX-License-Identifier: Apache-2.0
"""Version 1 of the API: its document, its resources, and the check of the microversion."""

import pecan
from wsme import types as wtypes

from magnum_ng.api import expose
from magnum_ng.api import http_error
from magnum_ng.api.controllers import base as controllers_base
from magnum_ng.api.controllers import link
from magnum_ng.api.controllers import versions
from magnum_ng.api.controllers.v1 import certificate
from magnum_ng.api.controllers.v1 import cluster
from magnum_ng.api.controllers.v1 import cluster_template
from magnum_ng.api.controllers.v1 import credential
from magnum_ng.api.controllers.v1 import federation
from magnum_ng.api.controllers.v1 import magnum_services
from magnum_ng.api.controllers.v1 import quota
from magnum_ng.api.controllers.v1 import stats
from magnum_ng.i18n import _

BASE_VERSION = versions.MINIMUM.major

MIN_VER_STR = versions.MIN_VER
MAX_VER_STR = versions.MAX_VER
MIN_VER = versions.MINIMUM
MAX_VER = versions.MAXIMUM

_SPECIFICATION = 'http://docs.openstack.org/developer/magnum/dev/api-spec-v1.html'
_VERSION_HEADERS = (
    (versions.Version.min_string, MIN_VER_STR),
    (versions.Version.max_string, MAX_VER_STR),
    ('Vary', versions.Version.string),
)


class MediaType(controllers_base.APIBase):
    base = wtypes.text
    type = wtypes.text


class V1(controllers_base.APIBase):
    """The document of this version."""

    id = wtypes.text
    media_types = [MediaType]
    links = [link.Link]
    clustertemplates = [link.Link]
    clusters = [link.Link]
    quotas = [link.Link]
    certificates = [link.Link]
    mservices = [link.Link]
    stats = [link.Link]
    federations = [link.Link]
    nodegroups = [link.Link]
    credentials = [link.Link]

    @staticmethod
    def convert():
        url = pecan.request.application_url

        def both(collection, rest=''):
            return [link.Link.make_link('self', url, collection, rest),
                    link.Link.make_link('bookmark', url, collection, rest, bookmark=True)]

        document = V1(
            id='v1',
            links=[link.Link.make_link('self', url, 'v1', '', bookmark=True),
                   link.Link(href=_SPECIFICATION, rel='describedby', type='text/html')],
            media_types=[MediaType(base='application/json',
                                   type='application/vnd.openstack.magnum.v1+json')],
            nodegroups=both('clusters/{cluster_id}', 'nodegroups'))
        for collection in ('clustertemplates', 'clusters', 'quotas', 'certificates', 'mservices',
                           'stats', 'federations', 'credentials'):
            setattr(document, collection, both(collection))
        return document


class Controller(controllers_base.Controller):
    clusters = cluster.ClustersController()
    clustertemplates = cluster_template.ClusterTemplatesController()
    quotas = quota.QuotaController()
    certificates = certificate.CertificateController()
    mservices = magnum_services.MagnumServiceController()
    stats = stats.StatsController()
    federations = federation.FederationsController()
    credentials = credential.CredentialsController()

    @expose.expose(V1)
    def get(self):
        """List the resources of version 1."""
        return V1.convert()

    def _check_version(self, version, headers=None):
        """Refuse a version that this service does not have.

        :raises: HTTPNotAcceptableAPIVersion.
        """
        limits = {'ver': version, 'min': MIN_VER_STR, 'max': MAX_VER_STR}
        if version.major != BASE_VERSION:
            text = _('Mutually exclusive versions requested. Version %(ver)s requested but not '
                     'supported by this service.The supported version range is: '
                     '[%(min)s, %(max)s].') % limits
        elif not MIN_VER.minor <= version.minor <= MAX_VER.minor:
            text = _('Version %(ver)s was requested but the minor version is not supported by '
                     'this service. The supported version range is: [%(min)s, %(max)s].') % limits
        else:
            return
        raise http_error.HTTPNotAcceptableAPIVersion(
            text, headers=headers, max_version=str(MAX_VER), min_version=str(MIN_VER))

    @pecan.expose()
    def _route(self, args, request=None):
        request = request or pecan.request
        version = versions.Version(request.headers, MIN_VER_STR, MAX_VER_STR)
        headers = [*_VERSION_HEADERS, (versions.Version.string, f'{versions.SERVICE} {version}')]
        pecan.response.headers.update(headers)
        self._check_version(version, headers)
        request.version = version
        return super()._route(args, request)
