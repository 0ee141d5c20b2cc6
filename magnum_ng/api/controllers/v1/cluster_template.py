# SPDX-License-Identifier: Apache-2.0
"""Cluster templates: what clusters are made from."""

import pecan
import wsme
from wsme import types as wtypes

from magnum_ng.api import attr_validator
from magnum_ng.api import cluster_views
from magnum_ng.api import defaults
from magnum_ng.api import expose
from magnum_ng.api import labels as label_rules
from magnum_ng.api import patched
from magnum_ng.api import scope
from magnum_ng.api import utils as api_utils
from magnum_ng.api import validation
from magnum_ng.api.controllers import base
from magnum_ng.api.controllers import link
from magnum_ng.api.controllers.v1 import collection
from magnum_ng.api.controllers.v1 import types
from magnum_ng.common import clients
from magnum_ng.common import exception
from magnum_ng.common import log as logging
from magnum_ng.common import policy
from magnum_ng.db.sqlalchemy import session
from magnum_ng.db.sqlalchemy import summaries
from magnum_ng.drivers.common import driver
from magnum_ng.i18n import _
from magnum_ng import objects
from magnum_ng.objects import fields as object_fields

LOG = logging.getLogger(__name__)

_TEXT = types.StringType(min_length=1, max_length=255)
_COLUMNS = (*cluster_views.TEMPLATE, 'labels', 'created_at', 'updated_at')

# Changes of these are checked against the cloud. A network and its subnet belong together.
_RESOURCES = ('image_id', 'flavor_id', 'master_flavor_id', 'external_network_id',
              'fixed_network', 'fixed_subnet', 'keypair_id', 'labels')
_FLAVORS = ('flavor_id', 'master_flavor_id')


class ClusterTemplate(base.APIBase):
    """A cluster template in requests and answers."""

    fields = tuple(objects.ClusterTemplate.fields)

    uuid = types.uuid
    name = _TEXT
    coe = types.Enum(wtypes.text, *object_fields.ClusterType.ALL)
    image_id = wsme.wsattr(_TEXT, mandatory=True)
    flavor_id = _TEXT
    master_flavor_id = _TEXT
    dns_nameserver = types.dns_list
    keypair_id = wsme.wsattr(_TEXT, default=None)
    external_network_id = _TEXT
    fixed_network = _TEXT
    fixed_subnet = _TEXT
    network_driver = _TEXT
    apiserver_port = types.IntegerType(minimum=1024, maximum=65535)
    docker_volume_size = types.IntegerType(minimum=1)
    cluster_distro = _TEXT
    links = wsme.wsattr([link.Link], readonly=True)
    http_proxy = _TEXT
    https_proxy = _TEXT
    no_proxy = _TEXT
    volume_driver = _TEXT
    registry_enabled = wsme.wsattr(types.boolean, default=False)
    labels = types.labels
    tls_disabled = wsme.wsattr(types.boolean, default=False)
    public = wsme.wsattr(types.boolean, default=False)
    server_type = wsme.wsattr(types.Enum(wtypes.text, *validation.SERVER_TYPES), default='vm')
    insecure_registry = _TEXT
    docker_storage_driver = _TEXT
    master_lb_enabled = wsme.wsattr(types.boolean, default=False)
    floating_ip_enabled = wsme.wsattr(types.boolean, default=True)
    project_id = wsme.wsattr(wtypes.text, readonly=True)
    user_id = wsme.wsattr(wtypes.text, readonly=True)
    hidden = wsme.wsattr(types.boolean, default=False)
    tags = types.StringType(min_length=0, max_length=255)
    driver = _TEXT


class ClusterTemplatePatchType(types.JsonPatchType):
    _api_base = ClusterTemplate
    _extra_non_removable_attrs = {
        '/cluster_distro', '/coe', '/external_network_id', '/hidden', '/network_driver',
        '/public', '/registry_enabled', '/server_type', '/tls_disabled'}


class ClusterTemplateCollection(collection.Collection):
    """A page of cluster templates."""

    clustertemplates = [ClusterTemplate]

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._type = 'clustertemplates'


def image_facts(context, image_id):
    """The image: what a template takes its distribution, and perhaps its driver, from."""
    image = attr_validator.validate_image(clients.OpenStackClients(context), image_id)
    if image.get('os_distro') == 'coreos':
        LOG.warning('Image %s is of the retired distribution coreos', image_id)
    return image


def choose_driver(template, image):
    """The name of the driver: the template's, the image's, the service's default."""
    return (template.driver or image.get('magnum_driver')
            or driver.Driver.get_default_driver())


class ClusterTemplatesController(base.Controller):
    """/v1/clustertemplates"""

    _custom_actions = {'detail': ['GET']}

    # Reading

    def _view(self, template):
        context = pecan.request.context
        return cluster_views.template(template, pecan.request.application_url,
                                      context.project_id, context.is_admin)

    def _page(self, path, marker, limit, sort_key, sort_dir, filters, query):
        context = pecan.request.context
        limit = self.listing(limit, sort_dir)
        with session.reader():
            after = objects.ClusterTemplate.get_by_uuid(context, marker) if marker else None
            rows = summaries.templates(context, _COLUMNS, filters, limit, after, sort_key,
                                       sort_dir)
        return cluster_views.page(
            'clustertemplates', [self._view(row) for row in rows], rows, limit,
            pecan.request.application_url, path,
            {'sort_key': sort_key, 'sort_dir': sort_dir, **query})

    def _list(self, rule, path, marker, limit, sort_key, sort_dir, name, project_id, all_tenants):
        self.authorize(rule)
        filters = scope.of_list(f'{rule}_all_projects', project_id, all_tenants)
        if name is not None:
            filters['name'] = name
        return self._page(path, marker, limit, sort_key, sort_dir, filters,
                          dict(filters, all_tenants=all_tenants))

    @expose.expose(ClusterTemplateCollection, types.uuid, int, wtypes.text, wtypes.text,
                   wtypes.text, wtypes.text, types.boolean)
    def get_all(self, marker=None, limit=None, sort_key='id', sort_dir='asc', name=None,
                project_id=None, all_tenants=None):
        """List templates."""
        return self._list('clustertemplate:get_all', 'clustertemplates', marker, limit, sort_key,
                          sort_dir, name, project_id, all_tenants)

    @expose.expose(ClusterTemplateCollection, types.uuid, int, wtypes.text, wtypes.text,
                   wtypes.text, wtypes.text, types.boolean)
    def detail(self, marker=None, limit=None, sort_key='id', sort_dir='asc', name=None,
               project_id=None, all_tenants=None):
        """List templates; both lists show everything."""
        self.authorize('clustertemplate:detail')
        self.check_detail('clustertemplates')
        return self._list('clustertemplate:detail', 'clustertemplates/detail', marker, limit,
                          sort_key, sort_dir, name, project_id, all_tenants)

    @expose.expose(ClusterTemplate, types.uuid_or_name)
    def get_one(self, cluster_template_ident):
        """Show a template. One that is hidden is shown to its project and administrators."""
        context = self.widen('clustertemplate:get_one_all_projects')
        template = api_utils.get_resource('ClusterTemplate', cluster_template_ident)
        # A public one is for everybody.
        pecan.request.authorized = True
        if not template.public:
            self.authorize('clustertemplate:get', template)
        if (template.hidden and not context.is_admin
                and template.project_id != context.project_id):
            raise exception.ClusterTemplateNotFound(clustertemplate=cluster_template_ident)
        return self._view(template)

    # Writing

    @expose.expose(ClusterTemplate, body=ClusterTemplate, status_code=201)
    def post(self, cluster_template):
        """Create a template."""
        context = pecan.request.context
        validation.check_given('image_id', cluster_template.image_id)
        template = defaults.new_template(cluster_template)
        request = validation.Request(context, pecan.request.version.minor, template=template)
        validation.run(validation.NEW_TEMPLATE, request)
        validation.warn_of_retired(template.docker_storage_driver)
        image = image_facts(context, template.image_id)
        template.cluster_distro = image['os_distro']
        template.driver = choose_driver(template, image)
        driver.resolve(template)
        self.authorize('clustertemplate:create')
        attr_validator.validate_os_resources(context, dict(template))
        if template.public or template.hidden:
            self._check_publishing()
        self._check_flavors(template, _FLAVORS)
        defaults.generate_name(template, 'template')
        new = objects.ClusterTemplate(context, project_id=context.project_id,
                                      user_id=context.user_id, **template)
        new.create()
        pecan.response.location = link.build_url(
            'clustertemplates', new.uuid, base_url=pecan.request.application_url)
        return self._view(new)

    @expose.expose(ClusterTemplate, types.uuid_or_name, body=[ClusterTemplatePatchType])
    def patch(self, cluster_template_ident, patch):
        """Change a template."""
        context = self.widen('clustertemplate:update_all_projects')
        template = api_utils.get_resource('ClusterTemplate', cluster_template_ident)
        self.authorize('clustertemplate:update', template)
        before, after = patched.apply(ClusterTemplate, template.as_dict(), patch)
        changed = {name for name in after if after[name] != before.get(name)}
        draft = validation.Draft(after)
        self._check_changes(context, draft, changed)
        for name, value in draft.items():
            if before.get(name) != value:
                setattr(template, name, value)
        if template.obj_what_changed():
            template.save()
        return self._view(template)

    @expose.expose(None, types.uuid_or_name, status_code=204)
    def delete(self, cluster_template_ident):
        """Delete a template that no cluster refers to."""
        self.widen('clustertemplate:delete_all_projects')
        template = api_utils.get_resource('ClusterTemplate', cluster_template_ident)
        self.authorize('clustertemplate:delete', template)
        template.destroy()

    # What must hold

    def _check_changes(self, context, template, changed):
        """Check a patched template as if it were new, as far as it has changed."""
        if template.name is None:
            raise exception.InvalidParameterValue(
                err=_("'%s' is a mandatory attribute and can not be removed") % '/name')
        request = validation.Request(context, pecan.request.version.minor, template=template)
        validation.run(validation.TEMPLATE, request)
        validation.warn_of_retired(template.docker_storage_driver)
        if 'name' in changed:
            validation.check_name(template.name)
        if 'labels' in changed:
            label_rules.check(template.labels)
        self._check_resources(context, template, changed)
        self._derive_driver(context, template, changed)
        if changed.intersection({'public', 'hidden'}):
            self._check_publishing()
        if 'labels' in changed:
            changed = changed.union(_FLAVORS)
        self._check_flavors(template, changed.intersection(_FLAVORS))

    def _derive_driver(self, context, template, changed):
        """Distribution and driver follow the image; a driver that is named must exist."""
        if changed.intersection({'image_id', 'cluster_distro'}):
            image = image_facts(context, template.image_id)
            template.cluster_distro = image['os_distro']
            if 'driver' not in changed:
                template.driver = image.get('magnum_driver') or template.driver
            changed = changed | {'driver'}
        if changed.intersection({'driver', 'coe', 'server_type'}):
            template.driver = choose_driver(template, {})
            driver.resolve(template)

    @staticmethod
    def _check_resources(context, template, changed):
        changed = changed.intersection(_RESOURCES)
        if changed.intersection({'fixed_network', 'fixed_subnet'}):
            changed = changed | {'fixed_network', 'fixed_subnet'}
        if changed:
            attr_validator.validate_os_resources(
                context, {name: template[name] for name in _RESOURCES if name in changed})

    @staticmethod
    def _check_publishing():
        if not policy.enforce(pecan.request.context, 'clustertemplate:publish', None,
                              do_raise=False):
            raise exception.ClusterTemplatePublishDenied()

    @staticmethod
    def _check_flavors(template, names):
        flavors = [template[name] for name in _FLAVORS if name in names and template.get(name)]
        if not flavors:
            return
        size = label_rules.root_volume_size(template.labels)
        cli = clients.OpenStackClients(pecan.request.context)
        for flavor in flavors:
            attr_validator.validate_flavor_root_volume_size(cli, flavor, size)
