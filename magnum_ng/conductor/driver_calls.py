# SPDX-License-Identifier: Apache-2.0
"""What each operation asks of the driver, and what has to be there before and after.

All arguments are passed by position: drivers wrap these methods and look at positions.
"""

import contextlib
import dataclasses
import typing

from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.conductor.handlers.common import cert_manager
from magnum_ng.conductor import states
from magnum_ng.db import api as db_api
from magnum_ng.db.sqlalchemy import operations
from magnum_ng.db.sqlalchemy import session as db_session
from magnum_ng.drivers.common import driver as driver_base
from magnum_ng.i18n import _
from magnum_ng import objects

LOG = logging.getLogger(__name__)


@dataclasses.dataclass
class Work:
    """One operation at work: fresh objects, and what was asked for."""

    context: typing.Any
    action: str
    cluster: typing.Any
    arguments: dict
    nodegroup: typing.Any = None
    nodegroup_uuid: str | None = None
    uuid: str | None = None
    #: The driver says that the nodegroup to be deleted does not exist.
    gone: bool = False
    #: References of certificates that nobody needs once the outcome is stored.
    retired: list = dataclasses.field(default_factory=list)
    #: Whether the outcome is stored.
    recorded: bool = False


def perform(work):
    """Resolve the driver and have it do the work."""
    if work.action == states.DELETE and not any(
            getattr(work.cluster, name) for name in ('stack_id', 'ca_cert_ref')):
        # It has never come to its driver: there is nothing to delete but rows.
        work.cluster.status = states.S.DELETE_COMPLETE
        return
    try:
        # Work on what exists must not be cut off by a later change of the configuration.
        driver = driver_base.resolve(work.cluster.cluster_template,
                                     existing=work.action != states.CREATE)
    except exception.ClusterTemplateNotFound:
        driver = without_template()
    _PERFORM[work.action](driver, work)


def without_template():
    """The driver of a cluster whose template is gone: the default one has the best chance."""
    return driver_base.Driver.get_driver(
        None, None, None, driver_base.Driver.get_default_driver())


def _create(driver, work):
    cluster = work.cluster
    cert_manager.swap_certificates(cluster, _make_certificates(
        work, lambda new: operations.set_columns(cluster.uuid, new)))
    cluster.obj_reset_changes(cert_manager.REFERENCES)
    driver.create_cluster(work.context, cluster, work.arguments['create_timeout'])


def _make_certificates(work, remember):
    """A new set whose references are remembered, or that is not kept.

    :param remember: stores the references; tells whether there was anything to store them with
    """
    new: dict = {}
    try:
        # One transaction for the references and, where they are kept in the database, the keys:
        # whenever the process ends, somebody can still find them. It begins with its first
        # statement, after the keys have been made.
        with db_session.writer():
            new = cert_manager.generate_certificates(work.cluster, context=work.context)
            if not remember(new):
                raise exception.MagnumException(
                    _('The operation has been given up in the meantime.'))
    except BaseException:
        if new:
            cert_manager.delete_certificates(new, work.cluster, work.context)
        raise
    return new


def _update(driver, work):
    scale_manager = _scale_manager(driver, work)
    try:
        driver.update_cluster(work.context, work.cluster, scale_manager,
                              work.arguments['rollback'])
    except NotImplementedError:
        driver.resize_cluster(work.context, work.cluster, scale_manager,
                              work.arguments['node_count'], [], work.nodegroup)


def _resize(driver, work):
    driver.resize_cluster(
        work.context, work.cluster, _scale_manager(driver, work), work.arguments['node_count'],
        work.arguments['nodes_to_remove'], work.nodegroup)


def _scale_manager(driver, work):
    if not driver_base.implements(driver, 'get_scale_manager'):
        return None
    return driver.get_scale_manager(
        work.context, clients.OpenStackClients(work.context), work.cluster)


def _upgrade(driver, work):
    template = _template(work, work.arguments['cluster_template'])
    with _refusal(_('Upgrading a cluster is not supported by this driver.')):
        driver.upgrade_cluster(
            work.context, work.cluster, template, work.arguments['max_batch_size'],
            work.nodegroup, None, work.arguments['rollback'])


def _template(work, uuid):
    row = db_api.get_instance().get_cluster_templates_by_uuids([uuid]).get(uuid)
    if row is None:
        raise exception.ClusterTemplateNotFound(clustertemplate=uuid)
    return objects.ClusterTemplate._from_db_object(objects.ClusterTemplate(work.context), row)


@contextlib.contextmanager
def _refusal(text):
    """A driver that does not know the operation refuses it; nothing has happened then."""
    try:
        yield
    except NotImplementedError as error:
        raise exception.NotSupported(text) from error


def _delete(driver, work):
    driver.delete_cluster(work.context, work.cluster)


def _create_nodegroup(driver, work):
    driver.create_nodegroup(work.context, work.cluster, work.nodegroup)


def _update_nodegroup(driver, work):
    driver.update_nodegroup(work.context, work.cluster, work.nodegroup)


def _delete_nodegroup(driver, work):
    try:
        driver.delete_nodegroup(work.context, work.cluster, work.nodegroup)
    except Exception as error:
        if not is_not_found(error):
            raise
        LOG.info('Nodegroup %(nodegroup)s of cluster %(cluster)s was gone already',
                 {'nodegroup': work.nodegroup.uuid, 'cluster': work.cluster.uuid})
        work.gone = True


def is_not_found(error):
    """Whether an error of a driver, or of a client that it uses, says that a thing is not there."""
    code = getattr(error, 'code', None) or getattr(error, 'status_code', None)
    return code == 404 or type(error).__name__.endswith('NotFound')


def _rotate_ca(driver, work):
    if not driver_base.implements(driver, 'rotate_ca_certificate'):
        # The base class's refusal, before keys are made for nothing.
        driver.rotate_ca_certificate(work.context, work.cluster)
    cluster = work.cluster
    # Whoever cleans up after this process finds them with the operation.
    new = _make_certificates(work, lambda new: operations.add_argument(
        work.uuid, operations.NEW_CERTIFICATES, new))
    old = cert_manager.swap_certificates(cluster, new)
    # A driver that saves the object in the middle must not store them before it has taken them.
    cluster.obj_reset_changes(cert_manager.REFERENCES)
    try:
        with _refusal(_("'rotate_ca_certificate' is not supported by this driver.")):
            driver.rotate_ca_certificate(work.context, cluster)
    finally:
        # It may also have reloaded the object.
        cert_manager.swap_certificates(cluster, old)
        cluster.obj_reset_changes(cert_manager.REFERENCES)
    cert_manager.swap_certificates(cluster, new)
    work.retired = [reference for reference in old.values() if reference]


def _rotate_credential(driver, work):
    with _refusal(_('Credential rotation is not supported by driver.')):
        driver.rotate_credential(work.context, work.cluster)


_PERFORM = {
    states.CREATE: _create,
    states.UPDATE: _update,
    states.RESIZE: _resize,
    states.UPGRADE: _upgrade,
    states.DELETE: _delete,
    states.NODEGROUP_CREATE: _create_nodegroup,
    states.NODEGROUP_UPDATE: _update_nodegroup,
    states.NODEGROUP_DELETE: _delete_nodegroup,
    states.ROTATE_CA: _rotate_ca,
    states.ROTATE_CREDENTIAL: _rotate_credential,
}
