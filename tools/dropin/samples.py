# SPDX-License-Identifier: Apache-2.0
"""Paste and configuration files such as the deployment tools write them."""

_APPS = '''
[app:api_v1]
paste.app_factory = magnum.api.app:app_factory
[filter:authtoken]
acl_public_routes = /, /v1
paste.filter_factory = magnum.api.middleware.auth_token:AuthTokenMiddleware.factory
[filter:request_id]
paste.filter_factory = oslo_middleware:RequestId.factory
[filter:cors]
paste.filter_factory = oslo_middleware.cors:filter_factory
oslo_config_project = magnum
[filter:http_proxy_to_wsgi]
paste.filter_factory = oslo_middleware.http_proxy_to_wsgi:HTTPProxyToWSGI.factory
oslo_config_project = magnum
[filter:osprofiler]
paste.filter_factory = magnum.common.profiler:WsgiMiddleware.factory
'''

_HEALTH_APP = '''
[app:healthcheck]
paste.app_factory = oslo_middleware:Healthcheck.app_factory
backends = disable_by_file
disable_by_file_path = /etc/magnum/healthcheck_disable
'''

PASTE = {
    # The file of the releases 16 to 23, which kolla-ansible, Debian and devstack use.
    'original': '''
[composite:main]
paste.composite_factory = magnum.api:root_app_factory
/ = api
/healthcheck = healthcheck
[pipeline:api]
pipeline = cors http_proxy_to_wsgi request_id osprofiler authtoken api_v1
''' + _APPS + _HEALTH_APP,
    # openstack-ansible writes its own.
    'openstack-ansible': '''
[composite:main]
paste.composite_factory = magnum.api:root_app_factory
/ = api
/healthcheck = healthcheck
[pipeline:api]
pipeline = cors http_proxy_to_wsgi request_id osprofiler authtoken api_v1
''' + _APPS + '''
[app:healthcheck]
paste.app_factory = oslo_middleware:Healthcheck.app_factory
''',
    # Charms and older charts have one pipeline and no health check in it.
    'plain-pipeline': '''
[pipeline:main]
pipeline = cors request_id authtoken api_v1
''' + _APPS,
    # atmosphere makes the health check an application beside it.
    'atmosphere': '''
[composite:main]
use = egg:Paste#urlmap
/: api
/healthcheck: healthcheck
[pipeline:api]
pipeline = cors request_id authtoken api_v1
''' + _APPS + _HEALTH_APP,
    # Sunbeam also serves below a prefix.
    'sunbeam': '''
[composite:main]
paste.composite_factory = magnum.api:root_app_factory
/ = api
/healthcheck = healthcheck
/openstack-magnum = api
[pipeline:api]
pipeline = cors http_proxy_to_wsgi request_id osprofiler authtoken api_v1
''' + _APPS + _HEALTH_APP,
}

_TOKEN = '''
[keystone_authtoken]
service_type = container-infra
service_token_roles_required = True
www_authenticate_uri = http://127.0.0.1:9/v3
auth_uri = http://127.0.0.1:9/v3
auth_url = http://127.0.0.1:9/v3
auth_version = v3
auth_type = password
project_domain_id = default
user_domain_id = default
project_name = service
username = magnum
password = secret
region_name = RegionOne
memcached_servers = 127.0.0.1:9
memcache_security_strategy = ENCRYPT
memcache_secret_key = secret
admin_user = magnum
'''

_AUTH = '''
[keystone_auth]
auth_url = http://127.0.0.1:9/v3
user_domain_name = Default
project_domain_name = Default
project_name = service
username = magnum
password = secret
auth_type = password
cafile = /etc/ssl/certs/ca-certificates.crt
'''

_CLIENTS = ''.join(f'''
[{name}_client]
region_name = RegionOne
endpoint_type = internalURL
ca_file = /etc/ssl/certs/ca-certificates.crt
insecure = False
api_version = 3
''' for name in ('barbican', 'cinder', 'glance', 'heat', 'magnum', 'neutron', 'nova', 'octavia'))

_TRUST = '''
[trust]
trustee_domain_admin_password = secret
trustee_domain_admin_name = magnum_trustee_domain_admin
trustee_domain_name = magnum
trustee_keystone_interface = public
cluster_user_trust = True
'''

_TAIL = '''
[database]
connection = sqlite:///{folder}/magnum.sqlite
connection_recycle_time = 10
max_pool_size = 5
max_overflow = 50
max_retries = -1
[oslo_concurrency]
lock_path = {folder}/lock
[oslo_policy]
enforce_new_defaults = True
[oslo_messaging_notifications]
transport_url = fake://
driver = noop
[oslo_messaging_rabbit]
heartbeat_in_pthread = False
rabbit_quorum_queue = True
[oslo_middleware]
enable_proxy_headers_parsing = True
'''


def _default(extra=''):
    return ('[DEFAULT]\ndebug = False\nhost = control-1\ntransport_url = {transport}\n'
            'state_path = {folder}\n' + extra)


CONFIG = {
    'kolla': _default('log_dir = {folder}\nlog_file = magnum-api.log\n') + '''
[api]
port = 9511
host = 127.0.0.1
workers = 2
api_paste_config = {paste}
[conductor]
workers = 2
[certificates]
cert_manager_type = x509keypair
[cluster_template]
kubernetes_allowed_network_drivers = all
kubernetes_default_network_driver = calico
[cinder]
default_docker_volume_type = default
[drivers]
disabled_drivers = k8s_cluster_api_flatcar, k8s_cluster_api_rockylinux
[profiler]
enabled = False
''' + _CLIENTS + _TRUST + _AUTH + _TOKEN + _TAIL,
    'openstack-ansible': _default('use_stderr = False\nrpc_response_timeout = 180\n') + '''
[api]
api_paste_config = {paste}
host = 127.0.0.1
port = 9511
enabled_ssl = False
[certificates]
cert_manager_type = barbican
[keystone_auth]
auth_section = keystone_authtoken
[docker_registry]
swift_region = RegionOne
[healthcheck]
detailed = False
''' + _CLIENTS + _TRUST + _TOKEN + _TAIL,
    'openstack-helm': _default('log_config_append =\n').replace(
        'log_config_append =\n', '') + '''
[api]
api_paste_config = {paste}
host = 127.0.0.1
port = 9511
workers = 1
[cluster_heat]
max_attempts = 2000
[barbican_client]
region_name = RegionOne
[oslo_messaging_notifications]
driver = messagingv2
''' + _CLIENTS.replace('[barbican_client]', '[barbican_client_]') + _TRUST + _AUTH + _TOKEN
    + _TAIL.replace('[oslo_messaging_notifications]', '[oslo_messaging_notifications_]'),
    'atmosphere': _default() + '''
[api]
api_paste_config = {paste}
workers = 4
[conductor]
workers = 4
[capi_client]
endpoint = https://127.0.0.1:6443
[manila_client]
region_name = RegionOne
[auto_scaling]
image_repository = registry.example/autoscaling
''' + _CLIENTS + _AUTH.replace('cafile', 'insecure = True\ncafile') + _TOKEN + _TAIL,
    'debian': _default('bindir = /usr/bin\npybasedir = /usr/lib/python3/dist-packages/magnum\n')
    + '''
[api]
api_paste_config = {paste}
[x509]
rsa_key_size = 2048
[quotas]
max_clusters_per_project = 20
''' + _AUTH + _TOKEN + _TAIL,
    'charm': _default('verbose = True\nlock_path = /var/lock/magnum\n') + '''
[api]
api_paste_config = {paste}
[cluster]
temp_cache_dir = {folder}/certificate-cache
[service_user]
send_service_user_token = True
[audit_middleware_notifications]
driver = log
[capi_helm]
kubeconfig_file = /etc/magnum/kubeconfig
[keystone_auth]
auth_section = keystone_authtoken
''' + _TRUST + _TOKEN + _TAIL,
    'devstack': _default() + '''
[api]
api_paste_config = {paste}
host = 127.0.0.1
[kubernetes]
keystone_auth_default_policy = /etc/magnum/k8s_keystone_auth_default_policy.json
[conductor]
workers = 2
''' + _CLIENTS + _TRUST + _AUTH + _TOKEN + _TAIL,
}

LOGGING = '''
[loggers]
keys = root, magnum
[handlers]
keys = stdout, null
[formatters]
keys = default
[logger_root]
level = WARNING
handlers = null
[logger_magnum]
level = DEBUG
handlers = stdout
qualname = magnum
[handler_null]
class = logging.NullHandler
formatter = default
args = ()
[handler_stdout]
class = StreamHandler
args = (sys.stdout,)
formatter = default
[formatter_default]
format = %(message)s %(name)s
'''
