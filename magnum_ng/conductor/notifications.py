# SPDX-License-Identifier: Apache-2.0
"""CADF events about clusters: announcements for whoever meters or audits them.

They are best effort. Whatever goes wrong here is logged and changes nothing.
"""

import socket

from pycadf import attachment
from pycadf import cadftaxonomy as taxonomy
from pycadf import cadftype
from pycadf import eventfactory
from pycadf import resource

from magnum_ng.common import log as logging
from magnum_ng.common import masking
from magnum_ng.common import rpc
from magnum_ng.conductor import reasons
import magnum_ng.conf

LOG = logging.getLogger(__name__)
CONF = magnum_ng.conf.CONF

CLUSTER_TYPE = 'service/magnum/cluster'

#: Columns of the cluster that an event carries as they are.
_COLUMNS = ('status', 'status_reason', 'project_id', 'created_at', 'updated_at',
            'cluster_template_id', 'keypair', 'master_flavor_id', 'flavor_id', 'stack_id',
            'health_status', 'create_timeout', 'api_address', 'discovery_url')


def notify_about_cluster_operation(context, action, outcome, cluster=None):
    """Announce that an operation is pending, has succeeded or has failed.

    :param action: create, update or delete
    :param outcome: pending, success or failure
    """
    try:
        if not rpc.notifications_wanted():
            return
        notifier = rpc.get_notifier('container-infra', CONF.host or socket.getfqdn())
        event = _event(context, action, outcome, cluster)
        send = notifier.error if outcome == taxonomy.OUTCOME_FAILURE else notifier.info
        send(context, f'magnum.cluster.{action}', event.as_dict())
    except Exception as error:
        LOG.warning('The notification %(action)s/%(outcome)s could not be sent: %(error)s',
                    {'action': action, 'outcome': outcome, 'error': reasons.of(error)})


def _event(context, action, outcome, cluster):
    event = eventfactory.EventFactory().new_event(
        eventType=cadftype.EVENTTYPE_ACTIVITY, outcome=outcome, action=action,
        initiator=_initiator(context), target=_target(cluster),
        observer=resource.Resource(typeURI=CLUSTER_TYPE))
    return event


def _initiator(context):
    initiator = resource.Resource(typeURI=taxonomy.ACCOUNT_USER)
    for name in ('user_id', 'project_id', 'domain_id'):
        value = getattr(context, name, None)
        if value:
            setattr(initiator, name, value)
    return initiator


def _target(cluster):
    if cluster is None:
        return resource.Resource(typeURI=CLUSTER_TYPE)
    target = resource.Resource(typeURI=CLUSTER_TYPE, id=cluster.uuid, name=cluster.name)
    target.add_attachment(attachment.Attachment(
        typeURI=CLUSTER_TYPE, content=_content(cluster), name='cluster_data'))
    return target


def _content(cluster):
    content = {}
    for name in _COLUMNS:
        value = getattr(cluster, name)
        content[name] = masking.mask(value) if isinstance(value, str) else value
    content['labels'] = masking.mask_values(cluster.labels)
    # The first of the two names is a slip of the original that consumers have got used to.
    content['docker_volume_size:'] = cluster.docker_volume_size
    content['docker_volume_size'] = cluster.docker_volume_size
    content.update(cluster._node_facts(cluster.nodegroups))
    return content
