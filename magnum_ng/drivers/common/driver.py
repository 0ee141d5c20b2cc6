# SPDX-License-Identifier: Apache-2.0
"""What a cluster driver is, and how one is found.

Drivers are other people's packages. Each registers a class derived from :class:`Driver` under a
name in the entry-point group ``magnum.drivers``; one that cannot be loaded or constructed is
reported by name and left out, and never stands in the way of the others.

Callers pass every argument of a driver's method by position: some drivers wrap their methods and
look for the cluster among the positional arguments.
"""

import abc
import dataclasses
import threading
import typing
from importlib import metadata

from stevedore import extension

import magnum_ng.conf
from magnum_ng.common import exception
from magnum_ng.common import log as logging

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

ENTRY_POINT_GROUP = 'magnum.drivers'

#: Methods that a driver may leave to the base class, which then does nothing or refuses.
OPTIONAL_OPERATIONS = (
    'get_monitor', 'get_scale_manager', 'pre_delete_cluster', 'rotate_ca_certificate',
    'rotate_credential', 'update_cluster_status', 'validate_master_resize',
    'validate_master_size',
)


class _EntryPoints:
    """The group's entry points, scanned and imported once in a process.

    ``loaded`` holds (entry point, class) in the order in which they are listed; ``failed`` maps
    the name of each driver that could not be imported to (entry point, reason).
    """

    def __init__(self):
        self._lock = threading.Lock()
        self.forget()

    def forget(self):
        self._scanned = False
        self.loaded: list = []
        self.failed: dict = {}

    def scan(self):
        with self._lock:
            if not self._scanned:
                self.loaded, self.failed = [], {}
                manager = extension.ExtensionManager(
                    ENTRY_POINT_GROUP, on_load_failure_callback=self._cannot_load)
                self.loaded = [(found.entry_point, found.plugin)
                               for found in manager.extensions]
                self._scanned = True
        return self

    def _cannot_load(self, manager, entry_point, error):
        self.failed[entry_point.name] = (entry_point, _reason(error))
        LOG.error('Cluster driver %s (%s) cannot be loaded and is left out: %s',
                  entry_point.name, entry_point.value, _reason(error))


_ENTRY_POINTS = _EntryPoints()


def _reason(error):
    return f'{type(error).__name__}: {error}'


def forget_entry_points():
    """Scan the installed drivers anew at the next look-up."""
    _ENTRY_POINTS.forget()
    Driver.definitions = None


class Driver(metaclass=abc.ABCMeta):
    """Base class of all cluster drivers.

    Constructed without arguments, anew for each use. The context that the conductor passes is the
    user's; the status poller passes an admin context without a token.
    """

    definitions: typing.Any = None
    beta = False

    # Finding drivers

    @classmethod
    def load_entry_points(cls):
        """Yield (entry point, class) of every driver that could be imported."""
        yield from _ENTRY_POINTS.scan().loaded

    @classmethod
    def get_drivers(cls):
        """The matching table: (server_type, os, coe) -> entry_point_name and class.

        The driver listed last wins where two provide the same. Kept in ``definitions`` once it
        is not empty. Disabled drivers are not in it.
        """
        if cls.definitions:
            return cls.definitions
        table = {}
        for entry_point, driver_class in cls.load_entry_points():
            if entry_point.name in CONF.drivers.disabled_drivers:
                continue
            try:
                provides = [_cluster_type(kind) for kind in driver_class().provides]
            except Exception as error:
                LOG.error('Cluster driver %s cannot be constructed and is left out: %s',
                          entry_point.name, _reason(error))
                continue
            for cluster_type in provides:
                table[cluster_type] = {'entry_point_name': entry_point.name,
                                       'class': driver_class}
        cls.definitions = table
        return table

    @classmethod
    def get_driver(cls, server_type, os, coe, driver_name=None):
        """A new driver instance, by name if there is one, else by what it provides.

        :raises ClusterDriverNotSupported: no driver of that name, or it cannot be constructed
        :raises ClusterTypeNotSupported: no driver provides the triple
        :raises ClusterTypeBetaNotEnabled: the one that does is a beta driver
        """
        if driver_name:
            return cls._construct(driver_name, cls._class_by_name(driver_name))
        known = cls.get_drivers()
        found = known.get((server_type, os, coe))
        if found is None:
            raise exception.ClusterTypeNotSupported(
                server_type=server_type, os=os, coe=coe,
                supported_cluster_types=_known_types(known))
        name, driver_class = found['entry_point_name'], found['class']
        _check_beta(name, driver_class, server_type, os, coe)
        return cls._construct(name, driver_class)

    @classmethod
    def get_default_driver(cls):
        """The configured default, else the first name in the alphabet, else None."""
        disabled = CONF.drivers.disabled_drivers
        names = sorted(entry_point.name for entry_point, _class in cls.load_entry_points()
                       if entry_point.name not in disabled)
        default = CONF.drivers.default_driver
        if not default:
            return names[0] if names else None
        if default not in names:
            raise exception.ClusterDriverNotSupported(driver_name=default)
        return default

    @classmethod
    def get_driver_for_cluster(cls, context, cluster):
        """The driver of an existing cluster, by what its template says.

        :raises ClusterTemplateNotFound: the template is gone
        """
        template = cluster.cluster_template
        if template is None:
            raise exception.ClusterTemplateNotFound(clustertemplate=cluster.cluster_template_id)
        return cls.get_driver(template.server_type, template.cluster_distro, template.coe,
                              template.driver)

    @classmethod
    def _class_by_name(cls, name):
        found = None
        for entry_point, driver_class in cls.load_entry_points():
            if entry_point.name == name:
                found = driver_class
        if found is None:
            raise exception.ClusterDriverNotSupported(driver_name=name)
        return found

    @staticmethod
    def _construct(name, driver_class):
        try:
            return driver_class()
        except Exception as error:
            LOG.error('Cluster driver %s cannot be constructed: %s', name, _reason(error))
            raise exception.ClusterDriverNotSupported(driver_name=name) from error

    # What every driver must do

    @property
    @abc.abstractmethod
    def provides(self):
        """List of dictionaries with the keys server_type, os and coe."""

    @abc.abstractmethod
    def create_cluster(self, context, cluster, cluster_create_timeout):
        """Start to build the cluster and set its ``stack_id``; raise to fail it.

        The cluster and its default nodegroups are stored as CREATE_IN_PROGRESS, and the
        references of its certificates are set. The caller saves the cluster.
        """

    @abc.abstractmethod
    def update_cluster(self, context, cluster, scale_manager=None, rollback=False):
        """Start to bring the cluster to the size of its default worker group (stored already)."""

    @abc.abstractmethod
    def upgrade_cluster(self, context, cluster, cluster_template, max_batch_size, nodegroup,
                        scale_manager=None, rollback=False):
        """Start to upgrade one nodegroup (or all, for a default one) to the given template."""

    @abc.abstractmethod
    def delete_cluster(self, context, cluster):
        """Start to delete whatever exists in the cloud; nothing left is no error."""

    @abc.abstractmethod
    def resize_cluster(self, context, cluster, resize_manager, node_count, nodes_to_remove,
                       nodegroup=None):
        """Start to bring a nodegroup to ``node_count``, removing the named nodes first."""

    @abc.abstractmethod
    def create_nodegroup(self, context, cluster, nodegroup):
        """Start to build a nodegroup, stored as CREATE_IN_PROGRESS; the caller saves it again."""

    @abc.abstractmethod
    def update_nodegroup(self, context, cluster, nodegroup):
        """Start to apply the nodegroup's new values; the caller saves it."""

    @abc.abstractmethod
    def delete_nodegroup(self, context, cluster, nodegroup):
        """Start to delete a nodegroup, stored as DELETE_IN_PROGRESS."""

    @abc.abstractmethod
    def create_federation(self, context, federation):
        """Federations have no caller; the method stays for drivers that define it."""

    @abc.abstractmethod
    def update_federation(self, context, federation):
        """See :meth:`create_federation`."""

    @abc.abstractmethod
    def delete_federation(self, context, federation):
        """See :meth:`create_federation`."""

    # What a driver may do

    def update_cluster_status(self, context, cluster, use_admin_ctx=False):
        """Set and save the status of the cluster and of its nodegroups, from the poller."""

    def pre_delete_cluster(self, context, cluster):
        """Remove what hangs on the cluster; for drivers to call in their own delete."""

    def validate_master_size(self, node_count):
        """Refuse a number of masters at creation; the base wants it odd and positive."""
        if not node_count or node_count % 2 == 0 or node_count < 1:
            raise exception.MasterNGSizeInvalid(requested_size=node_count)

    def validate_master_resize(self, node_count):
        """Refuse a new number of masters; the base refuses any."""
        raise exception.MasterNGResizeNotSupported()

    def rotate_credential(self, context, cluster):
        """Replace the credentials with which the cluster reaches the cloud."""
        raise NotImplementedError('This driver does not rotate credentials.')

    def rotate_ca_certificate(self, context, cluster):
        """Bring the certificates that the cluster refers to into it."""
        raise exception.NotSupported(
            "'rotate_ca_certificate' is not supported by this driver.")

    def get_monitor(self, context, cluster):
        """An object with ``poll_health_status()`` and ``data``, or None."""
        return None

    def get_scale_manager(self, context, osclient, cluster):
        """An object that knows which nodes to remove first, or None."""
        return None


# The one choice, and what there is to choose from


def resolve(template, existing=False):
    """The driver for a cluster template, as the API and the conductor alike choose it.

    The name stored on the template comes first, then what the drivers provide. Disabled drivers
    and beta drivers that are not enabled are refused; with ``existing`` they are not, for work
    that must not be cut off by a later change of configuration (polling, deletion).
    """
    kind = (template.server_type, template.cluster_distro, template.coe)
    name = template.driver
    if name and not existing:
        if name in CONF.drivers.disabled_drivers:
            raise exception.ClusterDriverNotSupported(driver_name=name)
        for entry_point, driver_class in Driver.load_entry_points():
            if entry_point.name == name:
                _check_beta(name, driver_class, *kind)
    return Driver.get_driver(*kind, name)


def implements(driver, operation):
    """Whether a driver brings its own version of an optional operation."""
    own = getattr(type(driver), operation, None)
    return own is not getattr(Driver, operation)


@dataclasses.dataclass(frozen=True)
class DriverInfo:
    """One installed driver, as shown to operators. ``error`` says why it cannot be used."""

    name: str
    entry_point: str
    distribution: str | None = None
    version: str | None = None
    provides: tuple = ()
    optional: tuple = ()
    beta: bool = False
    disabled: bool = False
    template_path: str | None = None
    error: str | None = None


def report():
    """Every installed driver as a DriverInfo, sorted by name, unusable ones included."""
    found = [_describe(entry_point, driver_class)
             for entry_point, driver_class in Driver.load_entry_points()]
    found += [DriverInfo(error=reason, **_origin(entry_point))
              for entry_point, reason in _ENTRY_POINTS.failed.values()]
    return sorted(found, key=lambda info: info.name)


def _describe(entry_point, driver_class):
    facts = dict(
        _origin(entry_point), beta=bool(getattr(driver_class, 'beta', False)),
        optional=tuple(operation for operation in OPTIONAL_OPERATIONS
                       if getattr(driver_class, operation, None)
                       is not getattr(Driver, operation)))
    try:
        driver = driver_class()
        facts['provides'] = tuple(_cluster_type(kind) for kind in driver.provides)
        definition = getattr(driver, 'get_template_definition', None)
        if definition is not None:
            facts['template_path'] = definition().template_path
    except Exception as error:
        facts['error'] = _reason(error)
    return DriverInfo(**facts)


def _origin(entry_point):
    distribution = _distribution(entry_point)
    return {'name': entry_point.name,
            'entry_point': entry_point.value,
            'distribution': distribution.name if distribution else None,
            'version': distribution.version if distribution else None,
            'disabled': entry_point.name in CONF.drivers.disabled_drivers}


def _distribution(entry_point):
    # stevedore's cache on disk keeps names and values only
    for candidate in metadata.entry_points(group=ENTRY_POINT_GROUP):
        if (candidate.name, candidate.value) == (entry_point.name, entry_point.value):
            return candidate.dist
    return None


def _cluster_type(provided):
    return provided['server_type'], provided['os'], provided['coe']


def _known_types(table):
    if not table:
        return 'none (no cluster drivers are loaded)'
    return ', '.join(f"({', '.join(str(part) for part in kind)})"
                     for kind in sorted(table, key=str))


def _check_beta(name, driver_class, server_type, os, coe):
    if getattr(driver_class, 'beta', False) and name not in CONF.drivers.enabled_beta_drivers:
        raise exception.ClusterTypeBetaNotEnabled(
            server_type=server_type, os=os, coe=coe, driver_name=name)
