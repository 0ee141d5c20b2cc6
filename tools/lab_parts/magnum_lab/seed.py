# SPDX-License-Identifier: Apache-2.0
"""What a cloud has before anybody makes a cluster: people, a catalogue, images, networks.

Everything is looked for by its name first, so that a second run changes nothing.
"""

import base64

import openstack

from magnum_lab import inquiries
from magnum_lab import settings

PROJECTS = ('service', 'demo', 'other')
#: user: (project, roles)
PEOPLE = {'demo': ('demo', ('member',)), 'demo-reader': ('demo', ('reader',)),
          'other': ('other', ('member',))}
PEOPLE.update(dict.fromkeys(('glance', 'nova', 'neutron', 'barbican', 'magnum'),
                            ('service', ('admin', 'service'))))
IMAGES = {'ubuntu': 'ubuntu', 'flatcar': 'flatcar', 'no-distro': None, 'no-driver': 'plan9'}
#: flavor: (processors, MB of memory, GB of disk)
FLAVORS = {'m1.small': (1, 2048, 20), 'm1.medium': (2, 4096, 40), 'm1.diskless': (1, 2048, 0)}
# A well-formed public key; nobody has the other half.
PUBLIC_KEY = 'ssh-ed25519 ' + base64.b64encode(
    b'\0\0\0\x0bssh-ed25519' + b'\0\0\0\x20' + bytes(range(32))).decode() + ' lab'


def connect(user):
    words = inquiries.variables(user)
    return openstack.connect(
        load_yaml_config=False, load_envvars=False, auth_url=words['OS_AUTH_URL'],
        username=user, password=words['OS_PASSWORD'], project_name=words['OS_PROJECT_NAME'],
        user_domain_id='default', project_domain_id='default', region_name=settings.REGION)


def identity():
    """Projects, roles, users, the catalogue."""
    proxy = connect('admin').identity
    projects = {each.name: each for each in proxy.projects()}
    roles = {each.name: each for each in proxy.roles()}
    users = {each.name: each for each in proxy.users()}
    for name in PROJECTS:
        if name not in projects:
            projects[name] = proxy.create_project(name=name, domain_id='default')
    for name in ('admin', 'member', 'reader', 'service'):
        if name not in roles:
            roles[name] = proxy.create_role(name=name)
    for name, (project, granted) in PEOPLE.items():
        if name not in users:
            users[name] = proxy.create_user(name=name, password=settings.password(),
                                            domain_id='default')
        for role in granted:
            # Granting a role again is no error.
            proxy.assign_project_role_to_user(projects[project], users[name], roles[role])
    _catalogue(proxy)


def _catalogue(proxy):
    services = {each.type: each for each in proxy.services()}
    for name, kind in settings.TYPES.items():
        if name == 'keystone':
            continue
        if kind not in services:
            services[kind] = proxy.create_service(name=name.partition('-')[0], type=kind)
        have = {each.interface: each
                for each in proxy.endpoints(service_id=services[kind].id)}
        for interface in ('public', 'internal', 'admin'):
            url = settings.url(name)
            if interface not in have:
                proxy.create_endpoint(service_id=services[kind].id, interface=interface,
                                      url=url, region_id=settings.REGION)
            elif have[interface].url != url:
                proxy.update_endpoint(have[interface], url=url)


def resources():
    """Images, flavors, a key pair, networks."""
    admin, demo = connect('admin'), connect('demo')
    have = {each.name: each for each in admin.image.images()}
    for name, distro in IMAGES.items():
        if name in have and have[name].status != 'active':
            # Its upload was interrupted.
            admin.image.delete_image(have.pop(name))
        if name not in have:
            admin.image.create_image(
                name, disk_format='raw', container_format='bare', visibility='public',
                data=b'no system', **({'os_distro': distro} if distro else {}))
    flavors = {each.name for each in admin.compute.flavors()}
    for name, (vcpus, ram, disk) in FLAVORS.items():
        if name not in flavors:
            admin.compute.create_flavor(name=name, vcpus=vcpus, ram=ram, disk=disk)
    if 'demo' not in {each.name for each in demo.compute.keypairs()}:
        demo.compute.create_keypair(name='demo', public_key=PUBLIC_KEY)
    _network(admin, 'public', '203.0.113.0/24', is_router_external=True,
             provider_network_type='flat', provider_physical_network='public')
    _network(demo, 'private', '10.11.0.0/24')


def _network(cloud, name, cidr, **settings_):
    found = next(iter(cloud.network.networks(name=name)), None)
    if found is None:
        found = cloud.network.create_network(name=name, **settings_)
    if not list(cloud.network.subnets(network_id=found.id)):
        cloud.network.create_subnet(name=f'{name}-subnet', network_id=found.id, cidr=cidr,
                                    ip_version=4, enable_dhcp=False)


def template():
    """A template to begin with."""
    demo = connect('demo')
    magnum = demo.container_infrastructure_management
    if not any(each.name == 'k8s' for each in magnum.cluster_templates()):
        magnum.create_cluster_template(
            name='k8s', image_id='ubuntu', external_network_id='public', flavor_id='m1.small',
            master_flavor_id='m1.small', keypair_id='demo', coe='kubernetes',
            network_driver='flannel')
