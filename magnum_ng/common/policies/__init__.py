# SPDX-License-Identifier: Apache-2.0
"""The default rules, one module for each resource of the API."""

import itertools

from magnum_ng.common.policies import base
from magnum_ng.common.policies import certificate
from magnum_ng.common.policies import cluster
from magnum_ng.common.policies import cluster_template
from magnum_ng.common.policies import credential
from magnum_ng.common.policies import federation
from magnum_ng.common.policies import magnum_service
from magnum_ng.common.policies import nodegroup
from magnum_ng.common.policies import quota
from magnum_ng.common.policies import stats


def list_rules():
    return list(itertools.chain.from_iterable(module.list_rules() for module in (
        base, certificate, cluster, cluster_template, credential, federation, magnum_service,
        quota, stats, nodegroup)))
