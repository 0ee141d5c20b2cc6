# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('cluster', title='Clusters')

OPTS = [
    cfg.StrOpt('etcd_discovery_service_endpoint_format',
               default='https://discovery.etcd.io/new?size=%(size)d',
               deprecated_group='bay',
               help='URL of the etcd discovery service. Only read by drivers.'),
    cfg.StrOpt('nodes_affinity_policy', default='soft-anti-affinity',
               help='Affinity policy of the server group of a cluster\'s nodes. Only read by '
                    'drivers.'),
    cfg.StrOpt('temp_cache_dir', default='/var/lib/magnum/certificate-cache',
               help='Directory for short-lived copies of cluster credentials, which some client '
                    'libraries take as files only. Readable by the service user alone.'),
    cfg.IntOpt('pre_delete_lb_timeout', default=60,
               help='Seconds that load balancers made from inside a cluster get to disappear '
                    'before the cluster is deleted.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
