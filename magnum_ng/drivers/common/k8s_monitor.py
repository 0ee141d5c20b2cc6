# SPDX-License-Identifier: Apache-2.0
"""Health and load of a Kubernetes cluster, read from its API."""

import requests
from oslo_utils import strutils

from magnum_ng.common import log as logging
from magnum_ng.common import masking
from magnum_ng.common import utils
from magnum_ng.conductor import k8s_api as k8s
from magnum_ng.conductor import monitors
from magnum_ng.objects import fields

LOG = logging.getLogger(__name__)

_LONGEST_REASON = 500
# we are not let in, or something else than the API answers: the cluster may be fine
_SAYS_NOTHING = (301, 302, 303, 307, 308, 401, 403, 404, 407, 429)


class K8sMonitor(monitors.MonitorBase):
    """Healthy is a cluster whose API says so and whose nodes are all there and ready.

    What cannot be found out is UNKNOWN, with the reason under ``api``.
    """

    def __init__(self, context, cluster):
        super().__init__(context, cluster)
        self.data = {}

    @property
    def metrics_spec(self):
        return {
            'memory_util': {'unit': '%', 'func': 'compute_memory_util'},
            'cpu_util': {'unit': '%', 'func': 'compute_cpu_util'},
        }

    # Load

    def pull_data(self):
        api = k8s.KubernetesAPI(self.context, self.cluster)
        try:
            nodes = api.list_node()
            pods = api.list_namespaced_pod('default')
        finally:
            api.close()
        self.data['nodes'] = self._parse_node_info(nodes)
        self.data['pods'] = self._parse_pod_info(pods)

    def compute_memory_util(self):
        return self._compute_res_util('Memory')

    def compute_cpu_util(self):
        return self._compute_res_util('Cpu')

    def _compute_res_util(self, res):
        """Percentage of what the nodes have that the containers' limits add up to."""
        capacity = sum(node[res] for node in self.data['nodes'])
        used = sum(pod[res] for pod in self.data['pods'])
        return used * 100 / capacity if capacity else 0

    @staticmethod
    def _parse_node_info(nodes):
        parsed = []
        for node in nodes.get('items') or ():
            capacity = node['status']['capacity']
            parsed.append({'Memory': utils.get_k8s_quantity(capacity['memory']),
                           'Cpu': utils.get_k8s_quantity(capacity['cpu'])})
        return parsed

    @staticmethod
    def _parse_pod_info(pods):
        parsed = []
        for pod in pods.get('items') or ():
            memory = cpu = 0
            for container in pod['spec']['containers']:
                limits = (container.get('resources') or {}).get('limits') or {}
                memory += utils.get_k8s_quantity(limits.get('memory', '0'))
                cpu += utils.get_k8s_quantity(limits.get('cpu', '0'))
            parsed.append({'Memory': memory, 'Cpu': cpu})
        return parsed

    # Health

    def poll_health_status(self):
        """Read the health into ``data``; nothing when the cluster reports it itself."""
        if self._is_magnum_auto_healer_running():
            return
        if not self._is_cluster_accessible():
            self._set_health(fields.ClusterHealthStatus.UNKNOWN, {
                'api': f'The cluster {self.cluster.name} is not accessible.'})
            return
        try:
            api = k8s.KubernetesAPI(self.context, self.cluster)
        except Exception as error:
            LOG.warning('No client for the API of cluster %s: %s', self.cluster.uuid,
                        type(error).__name__)
            self._set_health(fields.ClusterHealthStatus.UNKNOWN, {
                'api': 'The certificates of the cluster cannot be read.'})
            return
        try:
            self._set_health(*self._poll_health_status(api))
        finally:
            api.close()

    def _set_health(self, status, reason):
        self.data['health_status'] = status
        self.data['health_status_reason'] = reason

    def _is_magnum_auto_healer_running(self):
        labels = self.cluster.labels
        return (strutils.bool_from_string(labels.get('auto_healing_enabled'))
                and labels.get('auto_healing_controller') == 'magnum-auto-healer')

    def _is_cluster_accessible(self):
        """Whether the API has an address that can be reached from outside."""
        reachable = self.cluster.floating_ip_enabled
        if self.cluster.master_lb_enabled:
            reachable = self.cluster.labels.get('master_lb_floating_ip_enabled', reachable)
        return strutils.bool_from_string(reachable)

    def _poll_health_status(self, k8s_api):
        """(status, reason) from what the API answers."""
        try:
            verdict = k8s_api.get_healthz()
        except Exception as error:
            return _verdict_of(error), {'api': _explain(error)}
        try:
            nodes = k8s_api.list_node().get('items') or []
            reason = {f"{node['metadata']['name']}.Ready": _is_ready(node) for node in nodes}
        except Exception as error:
            return _verdict_of(error), {'api': f'The nodes cannot be listed: {_explain(error)}'}
        healthy = verdict == 'ok' and all(reason.values())
        reason['api'] = masking.clip(str(verdict), _LONGEST_REASON)
        missing = self._missing_nodes(len(nodes))
        if missing:
            healthy = False
            reason['nodes'] = missing
        status = fields.ClusterHealthStatus
        return (status.HEALTHY if healthy else status.UNHEALTHY), reason

    def _missing_nodes(self, seen):
        """What to say about nodes that are not there, or None.

        An autoscaler changes the number without telling, and while an operation is going on the
        nodes are still coming: only their complete absence counts then. Masters may be hidden
        from the list.
        """
        expected = self.cluster.node_count
        changing = (self.cluster.status or '').endswith('_IN_PROGRESS')
        if changing or strutils.bool_from_string(self.cluster.labels.get('auto_scaling_enabled')):
            expected = min(expected, 1)
        if seen >= max(expected, 1):
            return None
        return f'{seen} of at least {max(expected, 1)} nodes are there.'


def _is_ready(node):
    """A node that has not reported any conditions yet is not ready."""
    for condition in (node.get('status') or {}).get('conditions') or ():
        if condition.get('type') == 'Ready':
            return condition.get('status') == 'True'
    return False


def _verdict_of(error):
    """What an error says about the cluster: nothing, unless the API itself reports trouble."""
    status = fields.ClusterHealthStatus
    if not hasattr(error, 'body') or getattr(error, 'status', None) in _SAYS_NOTHING:
        return status.UNKNOWN
    return status.UNHEALTHY


def _explain(error):
    """A short text about an error, without addresses of ours."""
    body = getattr(error, 'body', None)
    if body is not None:
        return masking.clip(str(body) or str(error), _LONGEST_REASON)
    if isinstance(error, requests.exceptions.Timeout):
        return 'The API did not answer in time.'
    if isinstance(error, requests.exceptions.SSLError):
        return 'The API could not prove that it belongs to the cluster.'
    if isinstance(error, requests.exceptions.RequestException):
        return 'The API cannot be reached.'
    return f'The API gave no usable answer ({type(error).__name__}).'
