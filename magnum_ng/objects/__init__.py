# SPDX-License-Identifier: Apache-2.0
"""The versioned objects."""

from magnum_ng.objects import certificate
from magnum_ng.objects import cluster
from magnum_ng.objects import cluster_template
from magnum_ng.objects import federation
from magnum_ng.objects import magnum_service
from magnum_ng.objects import nodegroup
from magnum_ng.objects import quota
from magnum_ng.objects import stats
from magnum_ng.objects import x509keypair

Certificate = certificate.Certificate
Cluster = cluster.Cluster
ClusterTemplate = cluster_template.ClusterTemplate
Federation = federation.Federation
MagnumService = magnum_service.MagnumService
NodeGroup = nodegroup.NodeGroup
Quota = quota.Quota
Stats = stats.Stats
X509KeyPair = x509keypair.X509KeyPair

__all__ = ('Certificate', 'Cluster', 'ClusterTemplate', 'Federation', 'MagnumService',
           'NodeGroup', 'Quota', 'Stats', 'X509KeyPair')
