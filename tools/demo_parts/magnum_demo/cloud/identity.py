# SPDX-License-Identifier: Apache-2.0
"""Identity (Keystone v3): users, projects, roles, the catalogue and the tokens."""

import datetime
import hmac
import secrets
import threading
import uuid

from magnum_demo.cloud.web import Answer
from magnum_demo.cloud.web import body_of
from magnum_demo.cloud.web import find
from magnum_demo.cloud.web import Problem
from magnum_demo.cloud.web import route
from magnum_demo.cloud.web import select
from magnum_demo.cloud.web import Service

DOMAIN = {'id': 'default', 'name': 'Default', 'enabled': True, 'description': '', 'options': {},
          'tags': [], 'links': {}}
TOKEN_LIFETIME = datetime.timedelta(hours=24)


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def stamp(moment):
    return moment.strftime('%Y-%m-%dT%H:%M:%S.%fZ')


class Token:
    """What a token id stands for."""

    def __init__(self, user, project, roles, methods, system=False):
        self.id = secrets.token_urlsafe(32)
        self.audit_id = secrets.token_urlsafe(16)
        self.user = user
        self.project = project
        self.roles = roles
        self.methods = methods
        self.system = system
        self.issued = now()
        self.expires = self.issued + TOKEN_LIFETIME

    @property
    def project_id(self):
        return self.project and self.project['id']

    @property
    def is_admin(self):
        return any(role['name'] in ('admin', 'service') for role in self.roles)


class Identity(Service):
    name, type, prefix, suffix = 'keystone', 'identity', '/identity', '/v3'

    def __init__(self, cloud):
        super().__init__(cloud)
        self._lock = threading.Lock()
        self._tokens = {}
        self._passwords = {}
        self.projects = []
        self.users = []
        self.grants = []
        self.roles = [{'id': uuid.uuid4().hex, 'name': name, 'domain_id': None, 'options': {},
                       'description': None, 'links': {}}
                      for name in ('admin', 'member', 'reader', 'service')]
        self.services = []

    # -- what the embedded cloud itself asks for ---------------------------------------------
    def add_project(self, name, **more):
        project = {'id': uuid.uuid4().hex, 'name': name, 'domain_id': 'default', 'enabled': True,
                   'is_domain': False, 'parent_id': 'default', 'description': '', 'options': {},
                   'tags': [], 'links': {}, **more}
        self.projects.append(project)
        return project

    def add_user(self, name, password, **more):
        user = {'id': uuid.uuid4().hex, 'name': name, 'domain_id': 'default', 'enabled': True,
                'options': {}, 'password_expires_at': None, 'links': {}, **more}
        self._passwords[user['id']] = password
        self.users.append(user)
        return user

    def grant(self, user_id, project_id, role_id):
        if (user_id, project_id, role_id) not in self.grants:
            self.grants.append((user_id, project_id, role_id))

    def roles_of(self, user_id, project_id):
        held = {role for user, project, role in self.grants
                if user == user_id and project == project_id}
        by_name = {role['name']: role for role in self.roles}
        names = {role['name'] for role in self.roles if role['id'] in held}
        # Keystone's bootstrap makes admin imply member, and member imply reader.
        if 'admin' in names:
            names.add('member')
        if 'member' in names:
            names.add('reader')
        return [by_name[name] for name in sorted(names)]

    def issue(self, user_id, project_id=None, methods=('password',), system=False):
        """Make a token; the role check of the scope is done here."""
        user = find(self.users, user_id, 'User')
        project = None
        roles = []
        if project_id is not None:
            project = find(self.projects, project_id, 'Project')
            roles = self.roles_of(user_id, project_id)
            if not roles:
                raise Problem(401, 'The request you have made requires authentication.')
        elif system:
            roles = [role for role in self.roles if role['name'] == 'admin' and any(
                grant[0] == user_id and grant[2] == role['id'] for grant in self.grants)]
            if not roles:
                raise Problem(401, 'The request you have made requires authentication.')
        token = Token(user, project, roles, list(methods), system)
        with self._lock:
            moment = now()
            self._tokens = {key: value for key, value in self._tokens.items()
                            if value.expires > moment}
            self._tokens[token.id] = token
        return token

    def lookup(self, token_id):
        token = self._tokens.get(token_id or '')
        return token if token is not None and token.expires > now() else None

    def require(self, token_id):
        token = self.lookup(token_id)
        if token is None:
            raise Problem(401, 'The request you have made requires authentication.')
        return token

    def revoke(self, token_id):
        with self._lock:
            return self._tokens.pop(token_id, None)

    # -- versions ----------------------------------------------------------------------------
    def _version(self):
        return {'id': 'v3.14', 'status': 'stable', 'updated': '2020-04-07T00:00:00Z',
                'media-types': [{'base': 'application/json',
                                 'type': 'application/vnd.openstack.identity-v3+json'}],
                'links': [{'rel': 'self', 'href': self.url + '/v3/'}]}

    @route('GET', '', public=True)
    def versions(self, request):
        return Answer({'versions': {'values': [self._version()]}}, 300)

    @route('GET', '/v3', public=True)
    def version(self, request):
        return {'version': self._version()}

    # -- tokens ------------------------------------------------------------------------------
    @route('POST', '/v3/auth/tokens', public=True)
    def authenticate(self, request):
        auth = body_of(request, 'auth')
        identity = auth.get('identity') or {}
        methods = identity.get('methods') or []
        if methods == ['password']:
            user = self._check_password((identity.get('password') or {}).get('user') or {})
        elif methods == ['token']:
            token = self.lookup((identity.get('token') or {}).get('id'))
            user = token.user if token else None
        else:
            raise Problem(401, 'The authentication method is not supported here.')
        if user is None:
            raise Problem(401, 'The request you have made requires authentication.')
        scope = auth.get('scope')
        scope = scope if isinstance(scope, dict) else {}
        project_id = self._scoped_project(scope['project']) if 'project' in scope else None
        token = self.issue(user['id'], project_id, methods, system='system' in scope)
        return Answer(self._token_body(token), 201, {'X-Subject-Token': token.id})

    def _check_password(self, wanted):
        for user in self.users:
            named = wanted.get('id') == user['id'] or (
                wanted.get('name') == user['name'] and self._is_default(wanted.get('domain')))
            if named and user['enabled']:
                given = str(wanted.get('password') or '').encode()
                if hmac.compare_digest(self._passwords[user['id']].encode(), given):
                    return user
        return None

    @staticmethod
    def _is_default(domain):
        domain = domain or {}
        return domain.get('id') == DOMAIN['id'] or domain.get('name') == DOMAIN['name']

    def _scoped_project(self, wanted):
        for project in self.projects:
            if wanted.get('id') == project['id'] or (
                    wanted.get('name') == project['name']
                    and self._is_default(wanted.get('domain'))):
                return project['id']
        raise Problem(401, 'The request you have made requires authentication.')

    def _token_body(self, token, catalog=True):
        body = {
            'methods': token.methods, 'audit_ids': [token.audit_id],
            'issued_at': stamp(token.issued), 'expires_at': stamp(token.expires),
            'user': {'id': token.user['id'], 'name': token.user['name'],
                     'domain': {'id': DOMAIN['id'], 'name': DOMAIN['name']},
                     'password_expires_at': None},
        }
        if token.project is not None:
            body['project'] = {'id': token.project['id'], 'name': token.project['name'],
                               'domain': {'id': DOMAIN['id'], 'name': DOMAIN['name']}}
            body['is_domain'] = False
        if token.system:
            body['system'] = {'all': True}
        if token.roles:
            body['roles'] = [{'id': role['id'], 'name': role['name']} for role in token.roles]
            if catalog:
                body['catalog'] = self.catalog()
        return {'token': body}

    def catalog(self):
        return [{'id': entry['id'], 'type': entry['type'], 'name': entry['name'],
                 'endpoints': entry['endpoints']} for entry in self.services]

    def _subject(self, request):
        subject = self.lookup(request.headers.get('X-Subject-Token'))
        if subject is None:
            raise Problem(404, 'Could not find token.')
        if subject.user['id'] != request.token.user['id'] and not request.token.is_admin:
            raise Problem(403, 'You are not authorized to perform the requested action.')
        return subject

    @route('GET', '/v3/auth/tokens')
    def validate(self, request):
        subject = self._subject(request)
        return Answer(self._token_body(subject, 'nocatalog' not in request.GET), 200,
                      {'X-Subject-Token': subject.id})

    @route('DELETE', '/v3/auth/tokens')
    def revoke_token(self, request):
        self.revoke(self._subject(request).id)
        return Answer(status=204)

    @route('GET', '/v3/auth/catalog')
    def show_catalog(self, request):
        return {'catalog': self.catalog(), 'links': {}}

    @route('GET', '/v3/auth/projects')
    def own_projects(self, request):
        return self._projects_of(request.token.user['id'])

    @route('GET', '/v3/users/{user}/projects')
    def user_projects(self, request, user):
        if user != request.token.user['id']:
            self._admin_only(request)
        return self._projects_of(user)

    def _projects_of(self, user_id):
        mine = {project for user, project, _ in self.grants if user == user_id}
        return {'projects': [p for p in self.projects if p['id'] in mine], 'links': {}}

    # -- projects, users, roles --------------------------------------------------------------
    @staticmethod
    def _admin_only(request):
        if not request.token.is_admin:
            raise Problem(403, 'You are not authorized to perform the requested action.')

    @route('GET', '/v3/projects')
    def list_projects(self, request):
        self._admin_only(request)
        return {'projects': select(self.projects, request, 'name', 'domain_id'), 'links': {}}

    @route('GET', '/v3/projects/{project}')
    def show_project(self, request, project):
        if project != request.token.project_id:
            self._admin_only(request)
        return {'project': find(self.projects, project, 'Project')}

    @route('POST', '/v3/projects')
    def create_project(self, request):
        self._admin_only(request)
        return Answer({'project': self.add_project(body_of(request, 'project')['name'])}, 201)

    @route('DELETE', '/v3/projects/{project}')
    def delete_project(self, request, project):
        self._admin_only(request)
        self.projects.remove(find(self.projects, project, 'Project'))
        return Answer(status=204)

    @route('GET', '/v3/users')
    def list_users(self, request):
        self._admin_only(request)
        return {'users': select(self.users, request, 'name', 'domain_id'), 'links': {}}

    @route('GET', '/v3/users/{user}')
    def show_user(self, request, user):
        if user != request.token.user['id']:
            self._admin_only(request)
        return {'user': find(self.users, user, 'User')}

    @route('POST', '/v3/users')
    def create_user(self, request):
        self._admin_only(request)
        wanted = body_of(request, 'user')
        return Answer({'user': self.add_user(wanted['name'], wanted.get('password') or '')}, 201)

    @route('DELETE', '/v3/users/{user}')
    def delete_user(self, request, user):
        self._admin_only(request)
        self.users.remove(find(self.users, user, 'User'))
        with self._lock:
            self._tokens = {key: value for key, value in self._tokens.items()
                            if value.user['id'] != user}
        return Answer(status=204)

    @route('GET', '/v3/roles')
    def list_roles(self, request):
        self._admin_only(request)
        return {'roles': select(self.roles, request, 'name'), 'links': {}}

    @route('PUT', '/v3/projects/{project}/users/{user}/roles/{role}')
    def assign_role(self, request, project, user, role):
        self._admin_only(request)
        find(self.projects, project, 'Project')
        find(self.users, user, 'User')
        find(self.roles, role, 'Role')
        self.grant(user, project, role)
        return Answer(status=204)

    @route('GET', '/v3/role_assignments')
    def role_assignments(self, request):
        self._admin_only(request)
        return {'links': {}, 'role_assignments': [
            {'user': {'id': user}, 'role': {'id': role}, 'scope': {'project': {'id': project}},
             'links': {}} for user, project, role in self.grants]}

    @route('GET', '/v3/domains')
    def list_domains(self, request):
        return {'domains': select([DOMAIN], request, 'name'), 'links': {}}

    @route('GET', '/v3/domains/{domain}')
    def show_domain(self, request, domain):
        return {'domain': find([DOMAIN], domain, 'Domain')}

    # -- the catalogue as objects ------------------------------------------------------------
    def set_endpoint(self, name, kind, url, region):
        """Register a service, or move it to another address."""
        service = next((s for s in self.services if s['type'] == kind), None)
        if service is None:
            service = {'id': uuid.uuid4().hex, 'name': name, 'type': kind, 'enabled': True,
                       'description': '', 'links': {}, 'endpoints': []}
            self.services.append(service)
        service['endpoints'] = [
            {'id': uuid.uuid4().hex, 'interface': interface, 'region': region,
             'region_id': region, 'url': url} for interface in ('public', 'internal', 'admin')]

    @route('GET', '/v3/services')
    def list_services(self, request):
        self._admin_only(request)
        rows = [{k: v for k, v in s.items() if k != 'endpoints'} for s in self.services]
        return {'services': select(rows, request, 'name', 'type'), 'links': {}}

    @route('GET', '/v3/endpoints')
    def list_endpoints(self, request):
        self._admin_only(request)
        rows = [dict(endpoint, service_id=s['id'], enabled=True, links={})
                for s in self.services for endpoint in s['endpoints']]
        return {'endpoints': select(rows, request, 'service_id', 'interface', 'region_id'),
                'links': {}}

    @route('GET', '/v3/regions')
    def list_regions(self, request):
        return {'regions': [{'id': self.cloud.region, 'description': '', 'links': {},
                             'parent_region_id': None}], 'links': {}}
