# SPDX-License-Identifier: Apache-2.0
"""``/v1/quotas``: how many clusters projects may have.

A project without a row has the default of ``[quotas]``, so there is nothing to see of it here but
its value; the rows are those that an administrator has set.
"""

import wsme
from wsme import types as wtypes

from magnum_ng import objects
from magnum_ng.api import expose
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers.v1 import collection
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import exception
from magnum_ng.common import keystone
import magnum_ng.conf
from magnum_ng.i18n import _
from magnum_ng.objects import fields

CONF = magnum_ng.conf.CONF


class Quota(base.APIBase):
    """How much of a resource a project may have."""

    id = types.IntegerType(minimum=1)
    hard_limit = wsme.wsattr(types.IntegerType(minimum=0), default=1)
    project_id = wsme.wsattr(types.StringType(min_length=1, max_length=255), default=None)
    resource = wsme.wsattr(types.Enum(wtypes.text, *fields.QuotaResourceName.ALL),
                           default='Cluster')

    @classmethod
    def convert(cls, quota):
        """The answer about a stored quota."""
        return cls(id=quota.id, hard_limit=quota.hard_limit, project_id=quota.project_id,
                   resource=quota.resource, created_at=quota.created_at,
                   updated_at=quota.updated_at)


class QuotaCollection(collection.Collection):
    """A page of quotas."""

    _type = 'quotas'

    quotas = [Quota]


class QuotaController(base.Controller):
    """What projects may have."""

    _custom_actions = {'detail': ['GET']}

    @expose.expose(QuotaCollection, int, int, wtypes.text, wtypes.text, types.boolean)
    def get_all(self, marker=None, limit=None, sort_key='id', sort_dir='asc', all_tenants=False):
        """List quotas.

        :param marker: the id of the last one of the page before.
        :param all_tenants: for administrators: those of all projects, not only of their own.
        """
        context = self.authorize('quota:get_all')
        limit = self.listing(limit, sort_dir)
        filters = {}
        if not (context.is_admin and all_tenants):
            filters['project_id'] = context.project_id
        else:
            context.all_tenants = True
        if marker is not None:
            marker = objects.Quota.get_by_id(context, self.row_number(marker))
        quotas = objects.Quota.list(context, limit=limit, marker=marker, sort_key=sort_key,
                                    sort_dir=sort_dir, filters=filters)
        page = QuotaCollection(quotas=[Quota.convert(quota) for quota in quotas])
        if len(quotas) == limit:
            page.next = collection.next_page(
                'quotas', limit, quotas[-1].id, sort_key=sort_key, sort_dir=sort_dir,
                all_tenants=all_tenants or None)
        return page

    @expose.expose(Quota, wtypes.text, wtypes.text)
    def get_one(self, project_id, resource):
        """Show the quota of a project: the stored one, or the default."""
        context = self.authorize('quota:get')
        if not context.is_admin and project_id != context.project_id:
            raise exception.NotAuthorized()
        _check_resource(resource)
        try:
            quota = objects.Quota.get_quota_by_project_id_resource(context, project_id, resource)
        except exception.QuotaNotFound:
            return Quota(project_id=project_id, hard_limit=CONF.quotas.max_clusters_per_project)
        return Quota.convert(quota)

    @expose.expose(Quota, body=Quota, status_code=201)
    def post(self, quota):
        """Set the quota of a project that has none yet."""
        context = self.authorize('quota:create')
        if not quota.project_id:
            raise exception.InvalidParameterValue(_('Must provide a valid project ID.'))
        _check_limit(quota)
        keystone.get_project(context, quota.project_id)
        new = objects.Quota(context, project_id=quota.project_id,
                            resource=quota.resource or Quota.resource.default,
                            hard_limit=quota.hard_limit)
        new.create()
        return Quota.convert(new)

    @expose.expose(Quota, wtypes.text, wtypes.text, body=Quota, status_code=202)
    def patch(self, project_id, resource, quotapatch):
        """Change a quota. A plain object, not a JSON patch; what it leaves out stays.

        The project and the resource of the address count, not those of the body.
        """
        context = self.authorize('quota:update')
        _check_resource(resource)
        if 'hard_limit' in _given(quotapatch):
            _check_limit(quotapatch)
            changed = objects.Quota.update_quota(
                context, project_id, {'resource': resource, 'hard_limit': quotapatch.hard_limit})
        else:
            changed = objects.Quota.get_quota_by_project_id_resource(context, project_id, resource)
        return Quota.convert(changed)

    @expose.expose(None, wtypes.text, wtypes.text, status_code=204)
    def delete(self, project_id, resource):
        """Remove a quota; the default holds then."""
        context = self.authorize('quota:delete')
        objects.Quota(context, project_id=project_id, resource=resource).delete()


def _given(quota):
    """The names of the attributes that a request has set, whatever their defaults."""
    holder = getattr(quota, '_wsme_dataholder', None)
    return {attribute.key for attribute in wtypes.list_attributes(Quota)
            if hasattr(holder, attribute.key)}


def _check_limit(quota):
    if quota.hard_limit is None:
        raise wsme.exc.InvalidInput('hard_limit', None, _('Value should be a whole number'))


def _check_resource(resource):
    if resource not in fields.QuotaResourceName.ALL:
        raise exception.InvalidParameterValue(
            _('%(resource)s has no quota. Resources with one: %(known)s')
            % {'resource': resource, 'known': ', '.join(fields.QuotaResourceName.ALL)})
