# SPDX-License-Identifier: Apache-2.0
"""Network (Neutron v2.0): networks and subnets; the rest of what is listed is empty."""

import uuid

from magnum_demo.cloud.web import find
from magnum_demo.cloud.web import route
from magnum_demo.cloud.web import select
from magnum_demo.cloud.web import Service

TIMES = {'created_at': '2026-01-01T00:00:00Z', 'updated_at': '2026-01-01T00:00:00Z'}


class Network(Service):
    name, type, prefix, suffix = 'neutron', 'network', '/network', ''

    def __init__(self, cloud):
        super().__init__(cloud)
        self.networks = []
        self.subnets = []

    def problem(self, status, message):
        kind = 'HTTPNotFound' if status == 404 else 'HTTPError'
        return {'NeutronError': {'type': kind, 'message': message, 'detail': ''}}

    def add(self, name, cidr, project_id, external=False):
        """A network and its one subnet, called <name>-subnet."""
        network_id, subnet_id = str(uuid.uuid4()), str(uuid.uuid4())
        base = cidr.rsplit('.', 1)[0]
        self.networks.append({
            'id': network_id, 'name': name, 'project_id': project_id, 'tenant_id': project_id,
            'admin_state_up': True, 'status': 'ACTIVE', 'mtu': 1450, 'subnets': [subnet_id],
            'shared': False, 'router:external': external, 'is_default': external, 'tags': [],
            'availability_zone_hints': [], 'availability_zones': ['nova'], 'description': '',
            'ipv4_address_scope': None, 'ipv6_address_scope': None, 'revision_number': 1,
            'port_security_enabled': True, 'vlan_transparent': None, **TIMES})
        self.subnets.append({
            'id': subnet_id, 'name': name + '-subnet', 'project_id': project_id,
            'tenant_id': project_id, 'network_id': network_id, 'ip_version': 4, 'cidr': cidr,
            'gateway_ip': base + '.1', 'enable_dhcp': True, 'subnetpool_id': None,
            'allocation_pools': [{'start': base + '.2', 'end': base + '.254'}],
            'ipv6_ra_mode': None, 'ipv6_address_mode': None, 'host_routes': [],
            'dns_nameservers': [], 'service_types': [], 'description': '', 'tags': [],
            'revision_number': 0, **TIMES})

    def _visible_networks(self, request):
        token = request.token
        return [n for n in self.networks if token.is_admin or n['router:external']
                or n['shared'] or n['project_id'] == token.project_id]

    def _visible_subnets(self, request):
        token = request.token
        return [s for s in self.subnets
                if token.is_admin or s['project_id'] == token.project_id]

    @route('GET', '', public=True)
    def versions(self, request):
        return {'versions': [{'id': 'v2.0', 'status': 'CURRENT', 'links': [
            {'rel': 'self', 'href': self.url + '/v2.0/'}]}]}

    @route('GET', '/v2.0', public=True)
    def version(self, request):
        return {'resources': []}

    @route('GET', '/v2.0/networks')
    def list_networks(self, request):
        return {'networks': select(self._visible_networks(request), request,
                                   'id', 'name', 'router:external', 'project_id', 'status')}

    @route('GET', '/v2.0/networks/{network}')
    def show_network(self, request, network):
        return {'network': find(self._visible_networks(request), network, 'Network')}

    @route('GET', '/v2.0/subnets')
    def list_subnets(self, request):
        return {'subnets': select(self._visible_subnets(request), request,
                                  'id', 'name', 'network_id', 'project_id', 'ip_version')}

    @route('GET', '/v2.0/subnets/{subnet}')
    def show_subnet(self, request, subnet):
        return {'subnet': find(self._visible_subnets(request), subnet, 'Subnet')}

    @route('GET', '/v2.0/ports')
    def list_ports(self, request):
        return {'ports': []}

    @route('GET', '/v2.0/routers')
    def list_routers(self, request):
        return {'routers': []}

    @route('GET', '/v2.0/floatingips')
    def list_floating_ips(self, request):
        return {'floatingips': []}

    @route('GET', '/v2.0/extensions')
    def list_extensions(self, request):
        return {'extensions': []}
