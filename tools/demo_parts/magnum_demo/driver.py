# SPDX-License-Identifier: Apache-2.0
"""A cluster driver that builds nothing but behaves as if it did.

Operations take ``delay`` seconds and make progress that the API shows. When asked to
(``serve=True``), each cluster's Kubernetes API is really served on the loopback address, with the
cluster's own CA, so that a kubeconfig and the health monitor are proven by a real TLS handshake.

It is no entry point: register() adds it to the drivers of this process, and only of this one.

    unregister = driver.register(delay=0)

Names decide what goes wrong ('<op>' is create, update or delete; resize and upgrade are updates):

    'fail-<op>' in a cluster's or nodegroup's name: the operation ends in <OP>_FAILED
    'refuse-<op>': the driver's method raises
    'stuck-<op>': the operation never ends
    'sick' in a cluster's name: its Kubernetes API is not well
"""

import collections
import datetime
import importlib.metadata
import threading
import time

from magnum.common import exception
from magnum.common.x509 import operations
from magnum.conductor.handlers.common import cert_manager
from magnum.drivers.common import driver
from magnum.drivers.common import k8s_monitor
from magnum.objects import fields

from magnum_demo import kubernetes

NAME = 'simulated'
VERSION = 'v1.35.0'
UNSERVED_ADDRESS = 'https://192.0.2.10:6443'
DISTROS = ('ubuntu', 'flatcar')
# Of a nodegroup, whatever the size that somebody asks for.
MOST_ADDRESSES = 254
STATUS = fields.ClusterStatus

Call = collections.namedtuple('Call', 'method cluster detail')


class SimulatedFailure(exception.MagnumException):
    message = 'The simulated driver was asked to refuse %(operation)s of %(name)s.'


class Simulation:
    """What all instances in a process share: settings, running clocks, API servers, calls."""

    def __init__(self):
        self.delay = 2.5
        self.serve = False
        self.host = '127.0.0.1'
        self.calls = collections.deque(maxlen=10000)
        self.servers = {}
        self.lock = threading.RLock()
        self._since = {}

    def record(self, method, cluster, **detail):
        self.calls.append(Call(method, cluster.name, detail))

    def progress(self, uuid, status):
        """How much of an operation is done, from 0.0 to 1.0; the first question starts it."""
        with self.lock:
            start = self._since.setdefault((uuid, status), time.monotonic())
        if self.delay <= 0:
            return 1.0
        return min(1.0, (time.monotonic() - start) / self.delay)

    def restart(self, uuid, status):
        with self.lock:
            self._since[(uuid, status)] = time.monotonic()

    def ended(self, uuid):
        with self.lock:
            self._since = {key: value for key, value in self._since.items() if key[0] != uuid}

    def stop(self):
        with self.lock:
            servers, self.servers = list(self.servers.values()), {}
        for api in servers:
            api.stop()


SIMULATION = Simulation()


def asked(kind, operation, *names):
    """The first of the names that asks for this kind of trouble with the operation."""
    return next((name for name in names if name and f'{kind}-{operation}' in name), None)


def refuse_if_asked(operation, *names):
    name = asked('refuse', operation, *names)
    if name:
        raise SimulatedFailure(operation=operation, name=name)


class SimulatedDriver(driver.Driver):
    """See the module."""

    @property
    def provides(self):
        return [{'server_type': 'vm', 'os': distro, 'coe': 'kubernetes'} for distro in DISTROS]

    # -- what the conductor calls ------------------------------------------------------------
    def create_cluster(self, context, cluster, cluster_create_timeout):
        SIMULATION.record('create_cluster', cluster, timeout=cluster_create_timeout)
        refuse_if_asked('create', cluster.name)
        cluster.stack_id = 'simulated-' + cluster.uuid
        SIMULATION.restart(cluster.uuid, STATUS.CREATE_IN_PROGRESS)

    def update_cluster(self, context, cluster, scale_manager=None, rollback=False):
        SIMULATION.record('update_cluster', cluster, rollback=rollback)
        self._begin_update(cluster)

    def resize_cluster(self, context, cluster, resize_manager, node_count, nodes_to_remove,
                       nodegroup=None):
        SIMULATION.record('resize_cluster', cluster, node_count=node_count,
                          nodes_to_remove=list(nodes_to_remove or ()),
                          nodegroup=nodegroup.name if nodegroup else None)
        self._begin_update(cluster, nodegroup)

    def upgrade_cluster(self, context, cluster, cluster_template, max_batch_size, nodegroup,
                        scale_manager=None, rollback=False):
        SIMULATION.record('upgrade_cluster', cluster, template=cluster_template.uuid,
                          max_batch_size=max_batch_size, nodegroup=nodegroup.name)
        self._begin_update(cluster, nodegroup)
        nodegroup.image_id = cluster_template.image_id
        if nodegroup.is_default:
            cluster.cluster_template_id = cluster_template.uuid
            cluster.coe_version = (cluster_template.labels or {}).get('kube_tag', VERSION)

    def delete_cluster(self, context, cluster):
        SIMULATION.record('delete_cluster', cluster)
        refuse_if_asked('delete', cluster.name)
        SIMULATION.restart(cluster.uuid, STATUS.DELETE_IN_PROGRESS)

    def create_nodegroup(self, context, cluster, nodegroup):
        SIMULATION.record('create_nodegroup', cluster, nodegroup=nodegroup.name)
        refuse_if_asked('create', nodegroup.name)
        nodegroup.stack_id = 'simulated-' + nodegroup.uuid
        SIMULATION.restart(cluster.uuid, STATUS.UPDATE_IN_PROGRESS)

    def update_nodegroup(self, context, cluster, nodegroup):
        SIMULATION.record('update_nodegroup', cluster, nodegroup=nodegroup.name)
        refuse_if_asked('update', nodegroup.name)
        SIMULATION.restart(cluster.uuid, STATUS.UPDATE_IN_PROGRESS)

    def delete_nodegroup(self, context, cluster, nodegroup):
        SIMULATION.record('delete_nodegroup', cluster, nodegroup=nodegroup.name)
        refuse_if_asked('delete', nodegroup.name)
        nodegroup.status = STATUS.DELETE_IN_PROGRESS
        nodegroup.save()
        SIMULATION.restart(cluster.uuid, STATUS.UPDATE_IN_PROGRESS)

    def _begin_update(self, cluster, nodegroup=None):
        refuse_if_asked('update', cluster.name, nodegroup.name if nodegroup else None)
        SIMULATION.restart(cluster.uuid, STATUS.UPDATE_IN_PROGRESS)

    def create_federation(self, context, federation):
        raise NotImplementedError('no federations here')

    update_federation = delete_federation = create_federation

    def validate_master_resize(self, node_count):
        self.validate_master_size(node_count)

    def rotate_ca_certificate(self, context, cluster):
        SIMULATION.record('rotate_ca_certificate', cluster)
        refuse_if_asked('update', cluster.name)
        SIMULATION.restart(cluster.uuid, STATUS.UPDATE_IN_PROGRESS)
        if cluster.api_address:
            self._serve(context, cluster)

    def rotate_credential(self, context, cluster):
        SIMULATION.record('rotate_credential', cluster)
        refuse_if_asked('update', cluster.name)

    def get_monitor(self, context, cluster):
        if not SIMULATION.serve:
            return None
        # A conductor that was restarted takes the address of the cluster over again.
        if cluster.api_address and cluster.uuid not in SIMULATION.servers:
            address = cluster.api_address
            self._serve(context, cluster)
            if cluster.api_address != address:
                cluster.save()
        return k8s_monitor.K8sMonitor(context, cluster)

    # -- what the poller calls ---------------------------------------------------------------
    def update_cluster_status(self, context, cluster, use_admin_ctx=False):
        operation, _, running = (cluster.status or '').partition('_')
        if running != 'IN_PROGRESS':
            return
        done = SIMULATION.progress(cluster.uuid, cluster.status)
        if operation == 'DELETE':
            self._delete_step(cluster, done)
        else:
            self._change_step(context, cluster, operation, done)
        cluster.save()

    def _delete_step(self, cluster, done):
        if done < 1 or asked('stuck', 'delete', cluster.name):
            cluster.status_reason = 'the simulated nodes are being removed'
            return
        SIMULATION.ended(cluster.uuid)
        if asked('fail', 'delete', cluster.name):
            cluster.status = STATUS.DELETE_FAILED
            cluster.status_reason = 'asked to fail: ' + cluster.name
            return
        stop_serving(cluster.uuid)
        cluster.status = STATUS.DELETE_COMPLETE
        cluster.status_reason = None

    def _change_step(self, context, cluster, operation, done):
        nodegroups = sorted(cluster.nodegroups,
                            key=lambda group: (group.role != 'master', group.id))
        wanted = sum(group.node_count for group in nodegroups if not is_leaving(group))
        stuck = asked('stuck', operation.lower(), cluster.name, *busy_names(nodegroups))
        if done < 1 or stuck:
            self._build(nodegroups, int(done * wanted) if operation == 'CREATE' else None)
            have = sum(len(group.node_addresses or ()) for group in nodegroups
                       if not is_leaving(group))
            cluster.status_reason = f'{have} of {wanted} nodes are ready'
        else:
            self._end_change(cluster, operation, nodegroups)
        if cluster.status != operation + '_FAILED' and any(
                group.node_addresses for group in nodegroups if group.role == 'master'):
            if SIMULATION.serve:
                self._serve(context, cluster)
            else:
                cluster.api_address = cluster.api_address or UNSERVED_ADDRESS

    @staticmethod
    def _build(nodegroups, ready):
        """Show the first ``ready`` nodes, masters before workers."""
        if ready is None:
            return
        for group in nodegroups:
            count = min(ready, group.node_count)
            ready -= count
            if len(group.node_addresses or ()) < count:
                group.node_addresses = addresses(group, count)
                group.save()

    def _end_change(self, cluster, operation, nodegroups):
        SIMULATION.ended(cluster.uuid)
        failed = asked('fail', operation.lower(), cluster.name)
        for group in nodegroups:
            failed = self._end_nodegroup(group, failed) or failed
        if failed:
            cluster.status = operation + '_FAILED'
            cluster.status_reason = 'asked to fail: ' + failed
            return
        cluster.status = operation + '_COMPLETE'
        cluster.status_reason = None
        if operation == 'CREATE':
            cluster.coe_version = (cluster.labels or {}).get('kube_tag', VERSION)
            cluster.container_version = '2.1.0'

    @staticmethod
    def _end_nodegroup(group, cluster_failed):
        """End what one nodegroup is doing; its name, if it was asked to fail."""
        operation, _, running = (group.status or '').partition('_')
        if running != 'IN_PROGRESS':
            return None
        failed = asked('fail', operation.lower(), group.name)
        if failed or cluster_failed:
            group.status = operation + '_FAILED'
            group.status_reason = 'asked to fail: ' + (failed or cluster_failed)
            group.save()
            return failed
        if operation == 'DELETE':
            group.destroy()
            return None
        group.status = operation + '_COMPLETE'
        group.status_reason = None
        group.node_addresses = addresses(group, group.node_count)
        group.save()
        return None

    # -- the Kubernetes API ------------------------------------------------------------------
    def _serve(self, context, cluster):
        """See that the cluster's API is served, with its present CA and its present nodes."""
        ca = cert_manager.get_cluster_ca_certificate(cluster, context)
        ca_pem = as_bytes(ca.get_certificate())
        with SIMULATION.lock:
            api = SIMULATION.servers.get(cluster.uuid)
            if api is None or api.ca_pem != ca_pem:
                port = port_of(cluster.api_address)
                if api is not None:
                    SIMULATION.servers.pop(cluster.uuid).stop()
                key = as_bytes(operations.decrypt_key(ca.get_private_key(),
                                                      ca.get_private_key_passphrase()))
                api = self._listen(ca_pem, key, cluster.coe_version or VERSION, port)
                SIMULATION.servers[cluster.uuid] = api
        api.version = cluster.coe_version or VERSION
        api.healthy = 'sick' not in (cluster.name or '')
        api.nodes = nodes_of(cluster)
        cluster.api_address = api.url

    @staticmethod
    def _listen(ca_pem, key, version, port):
        try:
            api = kubernetes.KubernetesAPI(ca_pem, key, version, SIMULATION.host, port)
        except OSError:
            # Somebody took the port while no conductor ran.
            api = kubernetes.KubernetesAPI(ca_pem, key, version, SIMULATION.host)
        return api.start()


def is_leaving(group):
    return (group.status or '').startswith('DELETE')


def busy_names(nodegroups):
    return [group.name for group in nodegroups if (group.status or '').endswith('IN_PROGRESS')]


def addresses(group, count):
    """Stable addresses of the first nodes of a group; groups never share one."""
    network = f'10.{group.id >> 8 & 255}.{group.id & 255}'
    return [f'{network}.{number + 1}' for number in range(min(count, MOST_ADDRESSES))]


def nodes_of(cluster):
    created = (cluster.created_at or datetime.datetime.now(datetime.timezone.utc)).strftime(
        '%Y-%m-%dT%H:%M:%SZ')
    return [kubernetes.Node(f'{cluster.name}-{group.name}-{number}', group.role, address, created)
            for group in sorted(cluster.nodegroups, key=lambda group: group.id)
            for number, address in enumerate(group.node_addresses or ())]


def port_of(address):
    """The port of an address served before; 0, which takes any, without one."""
    if not address or address == UNSERVED_ADDRESS:
        return 0
    return int(address.rsplit(':', 1)[1])


def as_bytes(text):
    return text.encode() if isinstance(text, str) else text


def stop_serving(cluster_uuid):
    with SIMULATION.lock:
        api = SIMULATION.servers.pop(cluster_uuid, None)
    if api is not None:
        api.stop()


def register(delay=2.5, serve=False, host='127.0.0.1'):
    """Add the driver to those of this process; returns the function that takes it out again.

    Driver.load_entry_points() is what every look-up goes through; the driver is appended to what
    it finds, and so comes last and wins where another one provides the same.
    """
    SIMULATION.delay = delay
    SIMULATION.serve = serve
    SIMULATION.host = host
    SIMULATION.calls.clear()
    found = driver.Driver.__dict__['load_entry_points']
    entry_point = importlib.metadata.EntryPoint(
        NAME, 'magnum_demo.driver:SimulatedDriver', 'magnum.drivers')

    def load_entry_points(cls):
        yield from found.__func__(cls)
        yield entry_point, SimulatedDriver

    driver.Driver.load_entry_points = classmethod(load_entry_points)
    driver.Driver.definitions = None

    def unregister():
        SIMULATION.stop()
        driver.Driver.load_entry_points = found
        driver.Driver.definitions = None
    return unregister
