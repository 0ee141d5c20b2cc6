# SPDX-License-Identifier: Apache-2.0
"""The configuration of a service that talks to the embedded cloud, and of its users."""

import os
import shlex

CLIENTS = ('barbican', 'cinder', 'glance', 'magnum', 'neutron', 'nova', 'octavia')


def credentials(cloud_url, user, password, project='service'):
    return {
        'auth_type': 'password', 'auth_url': cloud_url + '/identity/v3', 'username': user,
        'password': password, 'project_name': project, 'user_domain_id': 'default',
        'project_domain_id': 'default'}


def sections(root, state, cloud_url, password, port, region='RegionOne', host='127.0.0.1',
             connection=None, transport='fake://', certificates='x509keypair'):
    """Every option as {section: {name: value}}; ``state`` is a directory for the service."""
    service = credentials(cloud_url, 'magnum', password)
    found = {
        'DEFAULT': {
            'host': 'demo', 'state_path': state, 'transport_url': transport,
            'use_stderr': 'true', 'tempdir': state},
        'api': {
            'host': host, 'port': port, 'workers': 1,
            'api_paste_config': os.path.join(root, 'etc', 'magnum', 'api-paste.ini')},
        'conductor': {'workers': 1, 'status_poll_interval': 1},
        'database': {'connection': connection or f'sqlite:///{state}/magnum.sqlite'},
        'certificates': {
            'cert_manager_type': certificates, 'storage_path': os.path.join(state, 'certs')},
        'cluster': {'temp_cache_dir': os.path.join(state, 'cert-cache')},
        'drivers': {'default_driver': 'simulated'},
        'kubernetes': {'health_polling_interval': 2},
        'oslo_concurrency': {'lock_path': state},
        'oslo_messaging_notifications': {'driver': 'noop'},
        'oslo_policy': {'policy_file': os.path.join(state, 'policy.yaml')},
        'keystone_authtoken': dict(
            service, www_authenticate_uri=cloud_url + '/identity', region_name=region,
            service_token_roles_required='true'),
        'keystone_auth': service,
    }
    for client in CLIENTS:
        found[client + '_client'] = {'region_name': region, 'endpoint_type': 'publicURL'}
    return found


def write_private(path, text):
    """A file that nobody else can read, whole or not at all."""
    temporary = path + '.new'
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, 'w') as f:
        f.write(text)
    os.replace(temporary, path)


def write(path, found):
    lines = []
    for section, options in found.items():
        lines.append(f'[{section}]')
        # A dollar sign in a value would name another option.
        lines += [f'{name} = {str(value).replace("$", "$$")}' for name, value in options.items()]
        lines.append('')
    write_private(path, '\n'.join(lines))


def user_environment(cloud_url, user, password, project, region='RegionOne'):
    """The variables with which the openstack client acts as this user."""
    return {
        'OS_AUTH_TYPE': 'password', 'OS_AUTH_URL': cloud_url + '/identity/v3',
        'OS_IDENTITY_API_VERSION': '3', 'OS_USERNAME': user, 'OS_PASSWORD': password,
        'OS_PROJECT_NAME': project, 'OS_USER_DOMAIN_ID': 'default',
        'OS_PROJECT_DOMAIN_ID': 'default', 'OS_REGION_NAME': region}


def write_openrc(path, variables, bin_dir):
    lines = ['# source this file; "openstack coe ..." then talks to the demo',
             'for _name in $(env | sed -n "s/^\\(OS_[A-Z_]*\\)=.*/\\1/p"); do unset "$_name"; done',
             'unset _name']
    lines += [f'export {name}={shlex.quote(value)}' for name, value in variables.items()]
    lines.append(f'export PATH={shlex.quote(bin_dir)}:$PATH')
    write_private(path, '\n'.join(lines) + '\n')
