# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('conductor', title='Conductor service')

OPTS = [
    cfg.StrOpt('topic', default='magnum-conductor',
               help='Message topic that conductors listen on.'),
    cfg.IntOpt('workers',
               help='Number of conductor processes on this host. Default: the number of CPUs.'),
    cfg.IntOpt('operation_threads', default=64, min=1, max=1024,
               help='Number of cluster operations that one conductor process works on at the '
                    'same time.'),
    cfg.IntOpt('operation_lease', default=60, min=5, max=3600,
               help='Seconds after which the work of a conductor that has gone silent is taken '
                    'over by another one. A living conductor renews its lease in time.'),
    cfg.IntOpt('operation_claim_timeout', default=300, min=10,
               help='Seconds after which an accepted operation that no conductor has begun is '
                    'marked as failed.'),
    cfg.IntOpt('operation_timeout', default=3600, min=0,
               help='Seconds that a driver may take for one operation on a cluster. An operation '
                    'that takes longer is marked as failed and the cluster is free for others, '
                    'although the call may still go on. 0: as long as it takes.'),
    cfg.IntOpt('send_retries', default=2, min=0, max=100,
               help='How often a message that the broker does not take is offered again, with a '
                    'pause that grows from [oslo_messaging_rabbit]rabbit_retry_interval by '
                    'rabbit_retry_backoff. After that the request is answered with 503.'),
    cfg.IntOpt('status_poll_interval', default=10, min=1, max=3600,
               help='Seconds between two looks at the clusters in a transitional status.'),
    cfg.IntOpt('status_poll_threads', default=64, min=1, max=256,
               help='Number of clusters whose status one conductor process asks for at the same '
                    'time.'),
    cfg.IntOpt('health_poll_threads', default=16, min=1, max=256,
               help='Number of clusters whose health one conductor process asks for at the same '
                    'time.'),
    cfg.IntOpt('service_expire_time', default=86400, min=600,
               help='Seconds after its last sign of life at which a conductor leaves the service '
                    'list (/v1/mservices).'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
