# SPDX-License-Identifier: Apache-2.0
"""How far a request reaches: the caller's own project, or all of them."""

import pecan

from magnum_ng.common import exception
from magnum_ng.common import policy


def of_list(rule, project_id=None, all_tenants=None):
    """Decide which projects a list covers; returns the filters for that.

    Administrators see all projects unless they say otherwise. For others, to ask for a project
    that is not their own is to ask for what the rule ``<rule>`` is about.
    """
    context = pecan.request.context
    wider = all_tenants or (project_id is not None and project_id != context.project_id)
    if context.is_admin or wider:
        policy.enforce(context, rule, action=rule, exc=exception.PolicyNotAuthorized)
    if context.is_admin:
        context.all_tenants = all_tenants is not False or project_id is not None
    return {} if project_id is None else {'project_id': project_id}


def reach(rule):
    """Let a request reach the clusters of all projects if the rule allows it; never refuses.

    For operations that administrators have always had on their own clusters, whatever an
    operator makes of the rule about those of others.
    """
    context = pecan.request.context
    if context.is_admin and policy.enforce(context, rule, do_raise=False):
        context.all_tenants = True
    return context
