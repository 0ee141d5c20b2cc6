# SPDX-License-Identifier: Apache-2.0
"""The configuration files of the lab, written anew by each ``up``."""

import base64
import os
import secrets
import shutil

from magnum_demo import config
from magnum_lab import servers
from magnum_lab import settings

# Each lives in the environment's etc/, where its package has put it.
PASTE = {name: os.path.join(settings.VENV, 'etc', name, file) for name, file in (
    ('glance', 'glance-api-paste.ini'), ('neutron', 'api-paste.ini'),
    ('nova', 'api-paste.ini'), ('barbican', 'barbican-api-paste.ini'))}


def path(*names):
    return os.path.join(settings.STATE, *names)


def credentials(user):
    return {
        'auth_type': 'password', 'auth_url': settings.url('keystone'), 'username': user,
        'password': settings.password(), 'user_domain_id': 'default',
        'project_name': 'service', 'project_domain_id': 'default',
        'region_name': settings.REGION}


def token(user):
    """The section of the middleware that checks tokens."""
    return dict(credentials(user), www_authenticate_uri=settings.url('keystone'))


def database(name):
    # Few connections: six services share what MariaDB allows.
    return {'connection': servers.connection(name), 'max_pool_size': 4, 'max_overflow': 12}


def keystone():
    return {'keystone.conf': {
        'DEFAULT': {'use_stderr': 'true'},
        'database': database('keystone'),
        # Longer than any test run.
        'token': {'provider': 'fernet', 'expiration': 86400},
        'fernet_tokens': {'key_repository': path('fernet')},
        'credential': {'key_repository': path('credential')},
        # Passwords are checked often here, and guard nothing.
        'identity': {'password_hash_rounds': 4}}}


def glance():
    return {'glance-api.conf': {
        'DEFAULT': {'use_stderr': 'true', 'enabled_backends': 'files:file'},
        'database': database('glance'),
        'glance_store': {'default_backend': 'files'},
        'files': {'filesystem_store_datadir': path('images')},
        # Needed even where nothing is ever staged.
        'os_glance_staging_store': {'filesystem_store_datadir': path('staging')},
        'os_glance_tasks_store': {'filesystem_store_datadir': path('tasks')},
        'paste_deploy': {'flavor': 'keystone', 'config_file': PASTE['glance']},
        'keystone_authtoken': token('glance'),
        'oslo_concurrency': {'lock_path': path('locks')}}}


def nova(transport):
    found = {
        'DEFAULT': {
            'use_stderr': 'true', 'host': 'lab', 'my_ip': settings.HOST,
            'transport_url': transport, 'state_path': settings.STATE,
            'enabled_apis': 'osapi_compute'},
        'api_database': database('nova_api'),
        'database': database('nova'),
        'api': {'auth_strategy': 'keystone'},
        'keystone_authtoken': token('nova'),
        'oslo_concurrency': {'lock_path': path('locks')}}
    for other in ('placement', 'glance', 'neutron', 'service_user'):
        found[other] = credentials('nova')
    return {'nova.conf': found}


def neutron(transport):
    return {
        'neutron.conf': {
            'DEFAULT': {
                'use_stderr': 'true', 'host': 'lab', 'core_plugin': 'ml2',
                'service_plugins': 'router', 'auth_strategy': 'keystone',
                'api_paste_config': PASTE['neutron'], 'state_path': settings.STATE,
                'transport_url': transport,
                # There is no agent and no compute host to tell.
                'dhcp_agent_notification': 'false',
                'notify_nova_on_port_status_changes': 'false',
                'notify_nova_on_port_data_changes': 'false'},
            'database': database('neutron'),
            'keystone_authtoken': token('neutron'),
            'oslo_concurrency': {'lock_path': path('locks')}},
        'ml2_conf.ini': {
            'ml2': {'type_drivers': 'local,flat,vxlan', 'tenant_network_types': 'vxlan',
                    'mechanism_drivers': ''},
            'ml2_type_flat': {'flat_networks': '*'},
            'ml2_type_vxlan': {'vni_ranges': '1:2000'}}}


def barbican():
    key = _kept('barbican-key', lambda: base64.b64encode(secrets.token_bytes(32)).decode())
    # Its paste file leaves it no other place to look for a configuration.
    return {os.path.join('.barbican', 'barbican.conf'): {
        'DEFAULT': {'use_stderr': 'true', 'db_auto_create': 'false',
                    'host_href': settings.url('barbican')},
        'database': database('barbican'),
        'keystone_authtoken': token('barbican'),
        'queue': {'enable': 'false'},
        'secretstore': {'enabled_secretstore_plugins': 'store_crypto'},
        'crypto': {'enabled_crypto_plugins': 'simple_crypto'},
        'simple_crypto_plugin': {'kek': key}}}


def magnum(transport, certificates):
    found = {
        'DEFAULT': {
            'host': 'lab', 'state_path': path('magnum-state'), 'transport_url': transport,
            'use_stderr': 'true', 'tempdir': path('magnum-state')},
        # One worker: tempest counts on tokens that were checked once, which workers do not share
        # without a memcached.
        'api': {
            'host': settings.HOST, 'port': settings.PORTS['magnum-api'], 'workers': 1,
            'api_paste_config': os.path.join(settings.ROOT, 'etc', 'magnum', 'api-paste.ini')},
        'conductor': {'workers': 1, 'status_poll_interval': 1},
        'database': database('magnum'),
        'certificates': {'cert_manager_type': certificates},
        'cluster': {'temp_cache_dir': path('magnum-state', 'cert-cache')},
        'drivers': {'default_driver': 'simulated'},
        'kubernetes': {'health_polling_interval': 10},
        'oslo_concurrency': {'lock_path': path('locks')},
        'metrics': {'enabled': 'true', 'port': settings.METRICS_PORTS['magnum-api'],
                    'conductor_port': settings.METRICS_PORTS['magnum-conductor'],
                    'directory': path('magnum-state', 'metrics')},
        'oslo_messaging_notifications': {'driver': 'noop'},
        'keystone_authtoken': token('magnum'),
        'keystone_auth': credentials('magnum')}
    for client in config.CLIENTS:
        found[client + '_client'] = {'region_name': settings.REGION,
                                     'endpoint_type': 'publicURL'}
    return {'magnum.conf': found}


def _kept(name, make):
    """A value that is made once and stays."""
    try:
        with open(path(name)) as f:
            return f.read().strip()
    except OSError:
        config.write_private(path(name), make() + '\n')
        with open(path(name)) as f:
            return f.read().strip()


def make_password():
    return _kept('password', lambda: secrets.token_urlsafe(16))


def certificates_in_use(asked=None):
    """Where Magnum keeps keys: what was asked for last."""
    if asked is not None:
        config.write_private(path('certificates'), asked + '\n')
    return _kept('certificates', lambda: 'x509keypair')


#: What gunicorn serves: an importable application, or a paste file.
APPLICATIONS = {
    'keystone': 'keystone.wsgi.api:application',
    'glance': 'glance.wsgi.api:application',
    'nova': 'nova.wsgi.osapi_compute:application',
    'neutron': 'neutron.wsgi.api:application'}


def web_server(name):
    """The settings of a service's web server.

    A file, because several of the services take the command line for their own.
    """
    chosen = (f'wsgi_app = {APPLICATIONS[name]!r}' if name in APPLICATIONS
              else f'paste = {PASTE[name]!r}\nwsgi_app = "config:" + paste')
    return '\n'.join((
        chosen, f'bind = "{settings.HOST}:{settings.PORTS[name]}"', 'worker_class = "gthread"',
        'threads = 8', 'timeout = 300', 'graceful_timeout = 5',
        'limit_request_field_size = 65535', 'accesslog = "-"',
        f'proc_name = "lab-{name}"', ''))


def write(transport, certificates):
    """Write everything; see the module."""
    for name in ('images', 'staging', 'tasks', 'locks', 'fernet', 'credential',
                 os.path.join('magnum-state', 'cert-cache')):
        os.makedirs(path(name), mode=0o700, exist_ok=True)
    files = {'keystone': keystone(), 'glance': glance(), 'nova': nova(transport),
             'neutron': neutron(transport), 'barbican': barbican(),
             'magnum': magnum(transport, certificates)}
    for service, found in files.items():
        for name, sections in found.items():
            target = path('etc', service, name)
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
            config.write(target, sections)
    # Nova wants it beside its configuration.
    shutil.copy(PASTE['nova'], path('etc', 'nova', 'api-paste.ini'))
    for name in settings.SERVICES:
        config.write_private(path('etc', name, 'gunicorn.conf.py'), web_server(name))


def environment(service):
    """The variables with which a service of the cloud finds its configuration."""
    folder = path('etc', service)
    found = {key: value for key, value in os.environ.items()
             if not key.startswith(('OS_', 'PYTHON'))}
    found['PYTHONUNBUFFERED'] = '1'
    found['HOME'] = folder
    found.update({
        'keystone': {'OS_KEYSTONE_CONFIG_FILES': os.path.join(folder, 'keystone.conf')},
        'glance': {'OS_GLANCE_CONFIG_DIR': folder},
        'nova': {'OS_NOVA_CONFIG_DIR': folder},
        'neutron': {'OS_NEUTRON_CONFIG_DIR': folder,
                    'OS_NEUTRON_CONFIG_FILES': 'neutron.conf;ml2_conf.ini'},
    }.get(service, {}))
    return found
