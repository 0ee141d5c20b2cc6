# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

GROUP = cfg.OptGroup('drivers', title='Cluster drivers')

OPTS = [
    cfg.BoolOpt('verify_ca', default=True,
                help='Whether nodes verify the TLS certificates of OpenStack services. Only read '
                     'by drivers.'),
    cfg.StrOpt('openstack_ca_file', default='',
               help='CA bundle (PEM) of the OpenStack services, for the nodes of clusters.'),
    cfg.ListOpt('disabled_drivers', default=[],
                help='Names of installed drivers (entry points) that are not to be loaded.'),
    cfg.ListOpt('enabled_beta_drivers', default=[],
                help='Names of drivers marked as beta that may be used nevertheless.'),
    cfg.StrOpt('default_driver',
               help='Driver of a template that names none and whose image names none. Default: '
                    'the alphabetically first driver installed.'),
]


def register_opts(conf):
    conf.register_group(GROUP)
    conf.register_opts(OPTS, group=GROUP)


def list_opts():
    return {GROUP: OPTS}
