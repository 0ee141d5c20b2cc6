# SPDX-License-Identifier: Apache-2.0
"""Federations: records of federated clusters, which nothing has ever carried out.

What is stored can be read and removed. Creating and changing is checked and then refused.
"""

import wsme
from wsme import types as wtypes

from magnum_ng import objects
from magnum_ng.api import attr_validator
from magnum_ng.api import expose
from magnum_ng.api import patching
from magnum_ng.api import utils as api_utils
from magnum_ng.api import views
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers import link
from magnum_ng.api.controllers.v1 import collection
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import exception
from magnum_ng.i18n import _
from magnum_ng.objects import fields

_NAME = '^[a-zA-Z][a-zA-Z0-9_.-]*$'
_SUMMARY = ('uuid', 'name', 'hostcluster_id', 'member_ids', 'status', 'properties')
_DETAILS = (*_SUMMARY, 'status_reason', 'created_at', 'updated_at')

RULES = patching.PatchRules(mutable=frozenset(('member_ids', 'properties')),
                            refusal=_('cannot change federation property(ies) %s.'))


class FederationID(wtypes.Base):
    """The federation that a request was about."""

    _wsme_attr_order = ('uuid',)

    uuid = types.uuid

    def __init__(self, uuid):
        self.uuid = uuid


class Federation(base.APIBase):
    """A federation in requests and answers."""

    uuid = types.uuid
    name = types.StringType(min_length=1, max_length=242, pattern=_NAME)
    hostcluster_id = wtypes.text
    member_ids = wsme.wsattr([wtypes.text])
    status = types.Enum(wtypes.text, *fields.FederationStatus.ALL)
    status_reason = wtypes.text
    properties = wtypes.DictType(wtypes.text, wtypes.text)
    links = wsme.wsattr([link.Link], readonly=True)

    @classmethod
    def convert(cls, federation, names=_DETAILS):
        """The answer about a stored federation, or a line of a list."""
        return cls(links=views.links('federations', federation.uuid),
                   **{name: getattr(federation, name) for name in names})


class FederationPatchType(types.JsonPatchType):
    _api_base = Federation


class FederationCollection(collection.Collection):
    """A page of federations."""

    _type = 'federations'

    federations = [Federation]


class FederationsController(base.Controller):
    """Federations."""

    _custom_actions = {'detail': ['GET']}

    def _list(self, rule, names, marker, limit, sort_key, sort_dir, address):
        context = self.authorize(rule)
        limit = self.listing(limit, sort_dir)
        if marker:
            marker = objects.Federation.get_by_uuid(context, marker)
        federations = objects.Federation.list(context, limit, marker, sort_key=sort_key,
                                              sort_dir=sort_dir)
        page = FederationCollection(
            federations=[Federation.convert(federation, names) for federation in federations])
        page.next = page.get_next(limit, url=address, sort_key=sort_key, sort_dir=sort_dir)
        return page

    @expose.expose(FederationCollection, types.uuid, int, wtypes.text, wtypes.text)
    def get_all(self, marker=None, limit=None, sort_key='id', sort_dir='asc'):
        """List federations."""
        return self._list('federation:get_all', _SUMMARY, marker, limit, sort_key, sort_dir,
                          'federations')

    @expose.expose(FederationCollection, types.uuid, int, wtypes.text, wtypes.text)
    def detail(self, marker=None, limit=None, sort_key='id', sort_dir='asc'):
        """List federations with all their attributes."""
        self.check_detail('federations')
        return self._list('federation:detail', _DETAILS, marker, limit, sort_key, sort_dir,
                          'federations/detail')

    def _get(self, rule, ident):
        federation = api_utils.get_resource('Federation', ident)
        self.authorize(rule, federation)
        return federation

    @expose.expose(Federation, types.uuid_or_name)
    def get_one(self, federation_ident):
        """Show a federation.

        :param federation_ident: its UUID or name.
        """
        return Federation.convert(self._get('federation:get', federation_ident))

    @expose.expose(FederationID, body=Federation, status_code=202)
    def post(self, federation):
        """Check a new federation and refuse it: there is nothing that could make one."""
        self.authorize('federation:create')
        attr_validator.validate_federation_hostcluster(federation.hostcluster_id or None)
        attr_validator.validate_federation_properties(federation.properties or None)
        raise exception.NotSupported(operation=_('Creating a federation'))

    @expose.expose(FederationID, types.uuid_or_name, types.boolean, body=[FederationPatchType],
                   status_code=202)
    def patch(self, federation_ident, rollback=False, patch=None):
        """Check a change and refuse it: there is nothing that could carry it out.

        :param federation_ident: UUID or name of a federation.
        """
        operations = list(patch or ())
        federation = self._get('federation:update', federation_ident)
        before = federation.as_dict()
        if operations and operations[0]['path'] == '/member_ids':
            operations[0] = self._of_member(federation, operations[0])
        after = patching.apply(before, operations)
        RULES.check_changes(before, after)
        raise exception.NotSupported(operation=_('Changing a federation'))

    @staticmethod
    def _of_member(federation, operation):
        """To add to the list of members, or to remove from it, is about one cluster."""
        if operation['op'] == 'replace' or 'value' not in operation:
            return operation
        cluster = api_utils.get_resource('Cluster', str(operation['value']))
        members = list(federation.member_ids or ())
        if operation['op'] == 'add':
            if cluster.uuid in members:
                raise exception.MemberAlreadyExists(uuid=cluster.uuid,
                                                    federation_name=federation.name)
            members.append(cluster.uuid)
        elif cluster.uuid in members:
            members.remove(cluster.uuid)
        else:
            raise exception.HTTPNotFound(
                _('Cluster %(cluster)s is not a member of the federation %(federation)s.')
                % {'cluster': cluster.uuid, 'federation': federation.name})
        return {'op': 'replace', 'path': '/member_ids', 'value': members}

    @expose.expose(None, types.uuid_or_name, status_code=204)
    def delete(self, federation_ident):
        """Remove the record of a federation, which is all there is of it.

        :param federation_ident: its UUID or name.
        """
        self._get('federation:delete', federation_ident).destroy()
