# SPDX-License-Identifier: Apache-2.0
"""Scale manager for Kubernetes clusters."""

from magnum_ng.conductor import k8s_api as k8s
from magnum_ng.conductor import scale_manager


class K8sScaleManager(scale_manager.ScaleManager):
    """Takes a node for busy when a pod of namespace ``default`` runs on it."""

    def _get_hosts_with_container(self, context, cluster):
        api = k8s.KubernetesAPI(context, cluster)
        try:
            pods = api.list_namespaced_pod('default')
        finally:
            api.close()
        return {pod['spec']['nodeName'] for pod in pods.get('items') or ()
                if pod['spec'].get('nodeName')}
