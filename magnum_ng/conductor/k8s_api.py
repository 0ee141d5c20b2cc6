# SPDX-License-Identifier: Apache-2.0
"""The Kubernetes API of a cluster, as far as the service itself calls it."""

import json as jsonutils
import time

import requests

import magnum_ng.conf
from magnum_ng.conductor.handlers.common.cert_manager import create_client_files

CONF = magnum_ng.conf.CONF

_LARGEST_ANSWER = 64 * 1024 * 1024


class APIError(Exception):
    """The API answered with an error: its HTTP status and the text of its body."""

    def __init__(self, status, body):
        super().__init__(f'HTTP status {status}')
        self.status = status
        self.body = body


class KubernetesAPI:
    """Speaks TLS with the cluster's own authority and client certificate.

    The cluster belongs to somebody else, so nothing is taken for granted: every request has a
    timeout, no redirect is followed, an answer may not grow or drip for ever. Close it after use.
    """

    def __init__(self, context, cluster):
        self.context = context
        self.cluster = cluster
        self._session = None
        self.ca_file, self.key_file, self.cert_file = create_client_files(cluster, context)

    def _request(self, method, url, json=True):
        """The decoded body of an answer, or its text.

        :raises APIError: an error as answer
        :raises requests.RequestException: no answer
        :raises ValueError: no JSON
        """
        if self._session is None:
            self._session = requests.Session()
            # neither proxies nor credentials from the environment
            self._session.trust_env = False
        timeout = CONF.kubernetes.monitor_timeout
        deadline = time.monotonic() + 2 * timeout
        with self._session.request(
                method, url, verify=self.ca_file.name,
                cert=(self.cert_file.name, self.key_file.name), stream=True,
                timeout=(timeout, timeout), allow_redirects=False) as response:
            text = _read(response, deadline).decode('utf-8', 'replace')
            if response.status_code >= 300:
                raise APIError(response.status_code, text)
            return jsonutils.loads(text) if json else text

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


def _read(response, deadline):
    """The body, in pieces as they come, so that the clock is looked at in between."""
    body = bytearray()
    while piece := response.raw.read1(65536, decode_content=True):
        body += piece
        if len(body) > _LARGEST_ANSWER:
            raise requests.exceptions.ContentDecodingError('the answer is too large')
        if time.monotonic() > deadline:
            raise requests.exceptions.ReadTimeout('the answer does not end')
    return bytes(body)
