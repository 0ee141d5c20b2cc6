# SPDX-License-Identifier: Apache-2.0
"""Every error that clients, drivers or another service may see.

A class has one text (``message``, with named placeholders) and one HTTP status (``code``). All of
them claim to live in ``magnum.common.exception``: that is where the other end of the message bus,
of this project or of the original, looks for the class when it rebuilds an error.
"""

import functools
import sys

import oslo_versionedobjects.exception  # noqa: F401  (registers its configuration group)

from magnum_ng.common import log as logging
from magnum_ng.common import masking
import magnum_ng.conf
from magnum_ng.i18n import _

LOG = logging.getLogger(__name__)

CONF = magnum_ng.conf.CONF

# Characters of another service's error that are logged; some of them send whole pages.
_LOGGED = 2000


class MagnumException(Exception):
    """The base of all of them.

    ``message`` replaces the class's text. Keyword arguments fill the placeholders of whichever
    text is used; a text that they do not fit stays as it is and the failure is logged, or raised
    with ``[oslo_versionedobjects]fatal_exception_format_errors``. A text given without any
    argument for it is complete and is never formatted.
    """

    message = _('An unknown exception occurred.')
    code = 500

    def __init__(self, message=None, **kwargs):
        self.code = kwargs.pop('code', self.code)
        # What travels over the message bus beside the finished text: nothing that an argument
        # could make impossible to serialise, and nothing that would be formatted again.
        self.kwargs = {'code': self.code}
        if message is None:
            text = self._fill(self.message, kwargs)
        elif kwargs:
            text = self._fill(message, kwargs)
        else:
            text = message
        self.message = text if isinstance(text, str) else str(text)
        super().__init__(self.message)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__module__ == __name__:
            cls.__module__ = MagnumException.__module__

    def _fill(self, template, kwargs):
        try:
            return template % kwargs
        except Exception:
            if CONF.oslo_versionedobjects.fatal_exception_format_errors:
                raise
            # Names only: a value may be a secret.
            LOG.error('The text of %(name)s does not fit its arguments: %(arguments)s',
                      {'name': type(self).__name__, 'arguments': sorted(kwargs)})
            return template

    def format_message(self):
        """The text alone; ``str()`` of an error rebuilt from a message has the traceback too."""
        return self.message


MagnumException.__module__ = 'magnum.common.exception'


class ObjectNotFound(MagnumException):
    code = 404
    message = _('The %(name)s %(id)s could not be found.')


class ProjectNotFound(ObjectNotFound):
    message = _('The %(name)s %(id)s could not be found.')


class ResourceNotFound(ObjectNotFound):
    message = _('The %(name)s resource %(id)s could not be found.')


class AuthorizationFailure(MagnumException):
    code = 403
    message = _('%(client)s connection failed. %(message)s')


class Invalid(MagnumException):
    code = 400
    message = _('Unacceptable parameters.')


class InvalidUUID(Invalid):
    message = _('Expected a uuid but received %(uuid)s.')


class InvalidName(Invalid):
    message = _('Expected a name but received %(name)s.')


class InvalidDiscoveryURL(Invalid):
    message = _(
        "Received invalid discovery URL '%(discovery_url)s' for discovery endpoint "
        "'%(discovery_endpoint)s'.")


class GetDiscoveryUrlFailed(MagnumException):
    message = _("Failed to get discovery url from '%(discovery_endpoint)s'.")


class InvalidClusterDiscoveryURL(Invalid):
    message = _("Invalid discovery URL '%(discovery_url)s'.")


class InvalidClusterSize(Invalid):
    message = _(
        "Expected cluster size %(expect_size)d but get cluster size %(size)d from "
        "'%(discovery_url)s'.")


class GetClusterSizeFailed(MagnumException):
    message = _("Failed to get the size of cluster from '%(discovery_url)s'.")


class InvalidIdentity(Invalid):
    message = _('Expected an uuid or int but received %(identity)s.')


class InvalidCsr(Invalid):
    message = _('Received invalid csr %(csr)s.')


class InvalidSubnet(Invalid):
    message = _('Received invalid subnet %(subnet)s.')


class InvalidVersion(Invalid):
    message = _('Received invalid tag for %(tag)s.')


class HTTPNotFound(ResourceNotFound):
    pass


class Conflict(MagnumException):
    code = 409
    message = _('Conflict.')


class ApiVersionsIntersect(Invalid):
    message = _('Version of %(name)s %(min_ver)s %(max_ver)s intersects with another versions.')


class InvalidParameterValue(Invalid):
    message = _('%(err)s')


class PatchError(Invalid):
    message = _("Couldn't apply patch '%(patch)s'. Reason: %(reason)s")


class NotAuthorized(MagnumException):
    code = 403
    message = _('Not authorized.')


class PolicyNotAuthorized(NotAuthorized):
    message = _("Policy doesn't allow %(action)s to be performed.")


class InvalidMAC(Invalid):
    message = _('Expected a MAC address but received %(mac)s.')


class InvalidDNS(Invalid):
    message = _('Expected a single dns address or comma separated dns list, but received %(dns)s.')


class ConfigInvalid(Invalid):
    message = _('Invalid configuration file. %(error_msg)s')


class ClusterTemplateNotFound(ResourceNotFound):
    message = _('ClusterTemplate %(clustertemplate)s could not be found.')


class ClusterTemplateAlreadyExists(Conflict):
    message = _('A ClusterTemplate with UUID %(uuid)s already exists.')


class ClusterTemplateReferenced(Invalid):
    message = _('ClusterTemplate %(clustertemplate)s is referenced by one or multiple clusters.')


class ClusterTemplatePublishDenied(NotAuthorized):
    message = _('Not authorized to set public or hidden flag for cluster template.')


class ClusterNotFound(ResourceNotFound):
    message = _('Cluster %(cluster)s could not be found.')


class ClusterAlreadyExists(Conflict):
    message = _('A cluster with UUID %(uuid)s already exists.')


class NotSupported(MagnumException):
    code = 400
    message = _('%(operation)s is not supported.')


class ClusterTypeNotSupported(NotSupported):
    message = _(
        'Cluster type (%(server_type)s, %(os)s, %(coe)s) is not supported by any loaded '
        'cluster driver. Loaded drivers support: %(supported_cluster_types)s.')


class ClusterTypeBetaNotEnabled(NotSupported):
    message = _(
        "Cluster type (%(server_type)s, %(os)s, %(coe)s) is provided by the "
        "'%(driver_name)s' driver, which is a beta driver and is not enabled. Add "
        "'%(driver_name)s' to the [drivers]/enabled_beta_drivers configuration option to "
        "use it.")


class ClusterDriverNotSupported(NotSupported):
    message = _('Cluster driver (%(driver_name)s) not supported.')


class RequiredParameterNotProvided(Invalid):
    message = _('Required parameter %(heat_param)s not provided.')


class OperationInProgress(Invalid):
    message = _('Cluster %(cluster_name)s already has an operation in progress.')


class VolumeTypeNotFound(ResourceNotFound):
    code = 400
    message = _('Valid volume type could not be found.')


class ImageNotFound(ResourceNotFound):
    code = 400
    message = _('Image %(image_id)s could not be found.')


class ImageNotAuthorized(NotAuthorized):
    message = _('Not authorized for image %(image_id)s.')


class OSDistroFieldNotFound(ResourceNotFound):
    code = 400
    message = _("Image %(image_id)s doesn't contain os_distro field.")


class X509KeyPairNotFound(ResourceNotFound):
    message = _('A key pair %(x509keypair)s could not be found.')


class X509KeyPairAlreadyExists(Conflict):
    message = _('A key pair with UUID %(uuid)s already exists.')


class CertificateStorageException(MagnumException):
    message = _('Could not store certificate: %(msg)s')


class CertificateValidationError(Invalid):
    message = _("Extension '%(extension)s' not allowed")


class KeyPairNotFound(ResourceNotFound):
    message = _('Unable to find keypair %(keypair)s.')


class MagnumServiceNotFound(ResourceNotFound):
    message = _('A magnum service %(magnum_service_id)s could not be found.')


class MagnumServiceAlreadyExists(Conflict):
    message = _('A magnum service with ID %(id)s already exists.')


class UnsupportedK8sQuantityFormat(Invalid):
    message = _('Unsupported quantity format for k8s cluster.')


class FlavorNotFound(ResourceNotFound):
    code = 400
    message = _('Unable to find flavor %(flavor)s.')


class FixedNetworkNotFound(ResourceNotFound):
    code = 400
    message = _('Unable to find fixed network %(network)s.')


class FixedSubnetNotFound(ResourceNotFound):
    code = 400
    message = _('Unable to find fixed subnet %(subnet)s.')


class ExternalNetworkNotFound(ResourceNotFound):
    code = 400
    message = _('Unable to find external network %(network)s.')


class QuotaAlreadyExists(Conflict):
    message = _('Quota for project %(project_id)s already exists for resource %(resource)s.')


class QuotaNotFound(ResourceNotFound):
    message = _('Quota could not be found: %(msg)s')


class ResourceLimitExceeded(NotAuthorized):
    message = _('Resource limit exceeded: %(msg)s')


class RegionsListFailed(MagnumException):
    message = _('Failed to list regions.')


class ServicesListFailed(MagnumException):
    message = _('Failed to list services.')


class CertificatesToClusterFailed(MagnumException):
    message = _('Failed to create certificates for Cluster: %(cluster_uuid)s')


class FederationNotFound(ResourceNotFound):
    message = _('Federation %(federation)s could not be found.')


class FederationAlreadyExists(Conflict):
    message = _('A federation with UUID %(uuid)s already exists.')


class MemberAlreadyExists(Conflict):
    message = _(
        'A cluster with UUID %(uuid)s is already a member of the federation '
        '%(federation_name)s.')


class PreDeletionFailed(Conflict):
    message = _('Failed to pre-delete resources for cluster %(cluster_uuid)s, error: %(msg)s.')


class NodeGroupAlreadyExists(Conflict):
    message = _('A node group with name %(name)s already exists in the cluster %(cluster_id)s.')


class NodeGroupNotFound(ResourceNotFound):
    message = _('Nodegroup %(nodegroup)s could not be found.')


class MasterNGSizeInvalid(InvalidParameterValue):
    message = _(
        'master nodegroup size of %(requested_size)s is invalid, size cannot be an even '
        'number.')


class MasterNGResizeNotSupported(NotSupported):
    message = _('Resizing the master nodegroup is not supported by this driver.')


class ZeroNodeCountNotSupported(NotSupported):
    message = _('Resizing a nodegroup to zero is not supported in the provided microversion.')


class FlavorZeroRootVolumeNotSupported(NotSupported):
    message = _('Flavor with zero root volume size is not supported when boot_volume_size is zero.')


class ClusterUpgradeNotSupported(NotSupported):
    message = _('Cluster upgrade is not supported in the provided microversion.')


class NGResizeOutBounds(Invalid):
    message = _(
        'Resizing %(nodegroup)s outside the allowed range: min_node_count = %(min_nc)s, '
        'max_node_count = %(max_nc)s')


class DeletingDefaultNGNotSupported(NotSupported):
    message = _('Deleting a default nodegroup is not supported.')


class NodeGroupInvalidInput(Conflict):
    message = _('%(attr)s for %(nodegroup)s is invalid (%(expl)s).')


class CreateMasterNodeGroup(NotSupported):
    message = _('Creating master nodegroups is currently not supported.')


class NgOperationInProgress(Invalid):
    message = _('Nodegroup %(nodegroup)s already has an operation in progress.')


class InvalidClusterTemplateForUpgrade(Conflict):
    message = _('Cluster Template is not valid for upgrade: %(reason)s')


class ClusterAPIAddressUnavailable(Conflict):
    message = _('Cluster API address is not available yet')


class ObjectError(MagnumException):
    message = _(
        'Failed to perform action %(action)s on %(obj_name)s with uuid %(obj_id)s: '
        '%(reason)s')


# Errors that the original does not know.


class OperationNotAllowed(NotSupported):
    """The guard table refuses the operation in the present status."""

    code = 409
    message = _('%(operation)s when status is "%(status)s" is not supported.')


class ConductorUnavailable(MagnumException):
    """The request could not be handed over, and nothing was changed."""

    code = 503
    message = _('The request could not be handed over to the service that carries it out, and '
                'nothing was changed. Please try again later.')


class ForeignConductor(ConductorUnavailable):
    """A conductor of the original could take the request, and would not carry it out."""

    message = _('A magnum-conductor of another release is running and could take the request, so '
                'nothing was changed. Please try again later.')


class BackendError(MagnumException):
    """Another service of the cloud failed. The texts name the service and nothing else."""

    code = 502
    message = _('The %(service)s service failed to answer a request.')


class BackendUnavailable(BackendError):
    code = 503
    message = _('The %(service)s service is not available. Please try again later.')


class BackendTimeout(BackendError):
    code = 504
    message = _('The %(service)s service did not answer in time. Please try again later.')


class BackendForbidden(BackendError):
    code = 403
    message = _('The %(service)s service refused a request made with these credentials.')


class IdentityUnavailable(BackendUnavailable, AuthorizationFailure):
    """Keystone cannot be reached; still what callers catch who expect a failed log-in."""

    code = 503
    message = BackendUnavailable.message


def _backend_class(error):
    """The class of ours for an error of keystoneauth, the SDK, requests or the system."""
    from keystoneauth1 import exceptions as ksa

    if isinstance(error, (ksa.ConnectTimeout, ksa.RequestTimeout, TimeoutError)):
        return BackendTimeout
    if isinstance(error, (ksa.ConnectionError, ksa.CatalogException, ksa.DiscoveryFailure,
                          ConnectionError)):
        return BackendUnavailable
    status = getattr(error, 'http_status', None) or getattr(error, 'status_code', None)
    by_status = {401: BackendForbidden, 403: BackendForbidden, 408: BackendTimeout,
                 429: BackendUnavailable, 503: BackendUnavailable, 504: BackendTimeout}
    if status in by_status:
        return by_status[status]
    name = type(error).__name__
    if name.endswith('Timeout'):
        return BackendTimeout
    if name in ('EndpointNotFound', 'ServiceDiscoveryException', 'ServiceDisabledException'):
        return BackendUnavailable
    return BackendError


def from_backend(service, error):
    """The error to raise instead of one that talking to another service raised.

    The original's text, which tells internal addresses, goes to the log only.
    """
    if isinstance(error, MagnumException):
        return error
    LOG.warning('The %(service)s service failed: %(name)s: %(error)s',
                {'service': service, 'name': type(error).__name__,
                 'error': masking.clip(str(error), _LOGGED)})
    return _backend_class(error)(service=service)


def is_backend_error(error):
    """Whether keystoneauth or the SDK raised the error. Loads neither of them for it."""
    for module, name in (('keystoneauth1.exceptions', 'ClientException'),
                         ('openstack.exceptions', 'SDKException')):
        loaded = sys.modules.get(module)
        if loaded is not None and isinstance(error, getattr(loaded, name)):
            return True
    return False


def wrap_keystone_exception(func):
    """Turn errors of keystoneauth and of the SDK into an AuthorizationFailure."""
    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        try:
            return func(*args, **kwargs)
        except Exception as error:
            if not is_backend_error(error):
                raise
            mapped = from_backend('identity', error)
            if isinstance(mapped, (BackendUnavailable, BackendTimeout)):
                raise IdentityUnavailable(service='identity') from error
            raise AuthorizationFailure(
                message=_('%(client)s connection failed.') % {'client': func.__name__}
            ) from error
    return wrapped
