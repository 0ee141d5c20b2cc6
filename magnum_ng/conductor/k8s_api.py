# SPDX-License-Identifier: Apache-2.0
"""The Kubernetes API of a cluster, as far as the service itself calls it."""

import requests

import magnum_ng.conf
from magnum_ng.conductor.handlers.common import cert_manager

CONF = magnum_ng.conf.CONF


class KubernetesAPI:
    """Speaks TLS with the cluster's own authority and client certificate.

    Every request has a timeout and none follows a redirect: the answer has to come from the
    server that proved who it is. Close it after use.
    """

    def __init__(self, context, cluster):
        self.context = context
        self.cluster = cluster
        self._session = None
        self.ca_file, self.key_file, self.cert_file = cert_manager.create_client_files(
            cluster, context)

    def _request(self, method, url, json=True):
        """The decoded body of an answer, or its text.

        :raises requests.RequestException: no answer, an error as answer, or no JSON
        """
        if self._session is None:
            self._session = requests.Session()
            # neither proxies nor credentials from the environment
            self._session.trust_env = False
        timeout = CONF.kubernetes.monitor_timeout
        response = self._session.request(
            method, url, verify=self.ca_file.name,
            cert=(self.cert_file.name, self.key_file.name),
            timeout=(timeout, timeout), allow_redirects=False)
        response.raise_for_status()
        return response.json() if json else response.text

    def get_healthz(self):
        """Text of the API server's own verdict: ``ok`` when all is well."""
        return self._request('GET', f'{self.cluster.api_address}/healthz', json=False)

    def list_node(self):
        return self._request('GET', f'{self.cluster.api_address}/api/v1/nodes')

    def list_namespaced_pod(self, namespace):
        return self._request(
            'GET', f'{self.cluster.api_address}/api/v1/namespaces/{namespace}/pods')

    def close(self):
        if self._session is not None:
            self._session.close()
            self._session = None
        for file in (self.ca_file, self.key_file, self.cert_file):
            file.close()

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.close()
