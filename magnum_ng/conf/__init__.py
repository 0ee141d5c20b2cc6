# SPDX-License-Identifier: Apache-2.0
"""Configuration: one module for each group, all registered on the global ``CONF``."""

from oslo_concurrency import lockutils  # noqa: F401 (registers [oslo_concurrency])
from oslo_config import cfg

from magnum_ng.conf import api
from magnum_ng.conf import barbican
from magnum_ng.conf import certificates
from magnum_ng.conf import cinder
from magnum_ng.conf import cluster
from magnum_ng.conf import cluster_templates
from magnum_ng.conf import conductor
from magnum_ng.conf import database
from magnum_ng.conf import docker
from magnum_ng.conf import docker_registry
from magnum_ng.conf import drivers
from magnum_ng.conf import glance
from magnum_ng.conf import keystone
from magnum_ng.conf import kubernetes
from magnum_ng.conf import magnum_client
from magnum_ng.conf import metrics
from magnum_ng.conf import neutron
from magnum_ng.conf import nova
from magnum_ng.conf import octavia
from magnum_ng.conf import openstack_client
from magnum_ng.conf import paths
from magnum_ng.conf import profiler
from magnum_ng.conf import quota
from magnum_ng.conf import rpc
from magnum_ng.conf import services
from magnum_ng.conf import utils
from magnum_ng.conf import x509

CONF = cfg.CONF

for _module in (api, barbican, certificates, cinder, cluster, cluster_templates, conductor,
                database, docker, docker_registry, drivers, glance, keystone, kubernetes,
                magnum_client, metrics, neutron, nova, octavia, openstack_client, paths,
                profiler, quota, rpc, services, utils, x509):
    _module.register_opts(CONF)
