# SPDX-License-Identifier: Apache-2.0
"""What every API type and every controller is built on."""

import datetime
import inspect

import pecan
from pecan import rest
from webob import exc
import wsme
from wsme import types as wtypes

from magnum_ng.api import utils
from magnum_ng.api import versioned_method
from magnum_ng.api.controllers import versions
from magnum_ng.common import exception
from magnum_ng.common import policy
from magnum_ng.i18n import _

# What the decorator leaves on a function: the versions that the class still has to collect.
VER_METHOD_ATTR = 'versioned_methods'


class APIBase(wtypes.Base):
    """The base of API types. Answers have the attributes in the order of the class bodies."""

    created_at = wsme.wsattr(datetime.datetime, readonly=True)
    """When the record was made."""

    updated_at = wsme.wsattr(datetime.datetime, readonly=True)
    """When the record was last changed; null until then."""

    _wsme_attr_order = ('created_at', 'updated_at')
    _fields = ()

    def __init_subclass__(cls, **kwargs):
        # WSME would read and tokenise the source of each class to find this order.
        super().__init_subclass__(**kwargs)
        if 'fields' in vars(cls):
            # WSME would make an attribute of it, which clients could send.
            cls._fields = tuple(cls.fields)
            del cls.fields
        own = [name for name, value in vars(cls).items()
               if not name.startswith('_') and wtypes.iswsattr(value)
               and not inspect.isroutine(value)
               and not isinstance(value, (staticmethod, classmethod))]
        inherited = [name for name in cls._wsme_attr_order if name not in own]
        cls._wsme_attr_order = (*own, *inherited)

    @property
    def fields(self):
        """The attributes of the object behind; a subclass may name them in a tuple."""
        return self.__dict__.get('fields') or self._fields or [
            attribute.key for attribute in wtypes.list_attributes(type(self))]

    @fields.setter
    def fields(self, names):
        self.__dict__['fields'] = names

    def as_dict(self):
        """The attributes that an object of ours has too and that are set."""
        return {name: getattr(self, name) for name in self.fields
                if hasattr(self, name) and getattr(self, name) is not wtypes.Unset}

    def unset_fields_except(self, except_list=None):
        """Unset all attributes of the object behind that are not in the list."""
        for name in self.as_dict():
            if name not in (except_list or ()):
                setattr(self, name, wtypes.Unset)


# WSME finds out the type of an attribute when it is first asked for, through the class that
# inherited it last; that class may be gone by then.
for _attribute in wtypes.list_attributes(APIBase):
    _attribute.datatype  # noqa: B018 (reading it settles it)


class _Versions:
    """The methods of one name in a controller; reading it picks the one for the request."""

    # Pecan asks the class for it when it looks for exposed methods.
    exposed = True

    def __init__(self, name, methods):
        self.name = name
        self.methods = methods

    def __get__(self, controller, owner=None):
        if controller is None:
            return self
        version = pecan.request.version
        for method in self.methods:
            if version.matches(method.start_version, method.end_version):
                return method.func.__get__(controller, owner)
        raise exc.HTTPNotAcceptable(
            _('Version %(ver)s was requested but the requested API %(api)s is not supported for '
              'this version.') % {'ver': version, 'api': self.name})


class ControllerMetaclass(type):
    """Replaces versioned methods by one that picks the version, and notes nested controllers."""

    def __new__(mcs, name, bases, namespace):
        methods = {}
        for base in reversed(bases):
            methods.update(getattr(base, VER_METHOD_ATTR, None) or {})
        for key, value in namespace.items():
            if inspect.isfunction(value) and hasattr(value, VER_METHOD_ATTR):
                methods[key] = getattr(value, VER_METHOD_ATTR)
        namespace[VER_METHOD_ATTR] = methods
        for key, candidates in methods.items():
            if key in namespace:
                namespace[key] = _Versions(key, candidates)
        cls = super().__new__(mcs, name, bases, namespace)
        cls._nested = {key: value for base in reversed(cls.__mro__)
                       for key, value in vars(base).items()
                       if isinstance(type(value), ControllerMetaclass)}
        return cls


class Controller(rest.RestController, metaclass=ControllerMetaclass):
    """The base of all v1 controllers: routes like pecan's, with versions and authorisation.

    A request goes to a nested controller as soon as a segment of its path has that name; the
    segments before it become the first arguments. Otherwise the method decides.
    """

    @pecan.expose()
    def _route(self, args, request=None):
        request = request or pecan.request
        for position, segment in enumerate(args):
            nested = self._nested.get(segment)
            if nested is not None:
                before = request.pecan.setdefault('routing_args', [])
                before.extend(part for part in args[:position] if part)
                return nested._route(args[position + 1:], request)
        remainder = [part for part in args if part]
        return self._pick(request.method, remainder)

    def _pick(self, method, remainder):
        """The method of this controller for a request, and the arguments from its path."""
        if method in ('GET', 'POST') and remainder:
            action = remainder[-1]
            if method in self._custom_actions.get(action, ()) and hasattr(type(self), action):
                return getattr(self, action), remainder[:-1]
        if method == 'GET':
            names = ('get_one', 'get') if remainder else ('get_all', 'get')
        else:
            names = {'POST': ('post',), 'PATCH': ('patch',), 'DELETE': ('delete',)}.get(method, ())
        for name in names:
            if hasattr(type(self), name):
                return getattr(self, name), remainder
        raise exc.HTTPMethodNotAllowed(headers={'Allow': ', '.join(self._allowed())})

    def _allowed(self):
        kinds = {'GET': ('get', 'get_one', 'get_all'), 'POST': ('post',), 'PATCH': ('patch',),
                 'DELETE': ('delete',)}
        return sorted(kind for kind, names in kinds.items()
                      if any(hasattr(type(self), name) for name in names))

    @classmethod
    def api_version(cls, min_ver, max_ver=None):
        """Decorate one of several methods of a name with the versions that it serves.

        Goes outermost. Ranges of one name must not overlap; without ``max_ver`` it serves all
        later ones too.
        """
        start = versions.Version(None, None, None, from_string=min_ver)
        end = (versions.Version(None, None, None, from_string=max_ver) if max_ver
               else versions.Version(None, None, None, from_string='1000.1000'))

        def decorate(method):
            name = method.__name__
            earlier = getattr(inspect.currentframe().f_back.f_locals.get(name),
                              VER_METHOD_ATTR, [])
            candidates = [versioned_method.VersionedMethod(name, start, end, method), *earlier]
            if Controller.check_for_versions_intersection(candidates):
                raise exception.ApiVersionsIntersect(name=name, min_ver=start, max_ver=end)
            candidates.sort(key=lambda candidate: candidate.start_version, reverse=True)
            setattr(method, VER_METHOD_ATTR, candidates)
            return method

        return decorate

    @staticmethod
    def check_for_versions_intersection(func_list):
        """Whether the ranges of any two versioned methods overlap."""
        ranges = sorted((method.start_version, method.end_version) for method in func_list)
        return any(later[0] <= earlier[1] for earlier, later in zip(ranges, ranges[1:]))

    @staticmethod
    def authorize(rule, target=None):
        """Check a policy rule for the request; returns the context.

        :param target: the object in question (of ours, or a dict); without one the rule is
            checked against the caller's own project and user.
        :raises: PolicyNotAuthorized.
        """
        context = pecan.request.context
        pecan.request.authorized = True
        if hasattr(target, 'fields'):
            target = {name: getattr(target, name) for name in target.fields
                      if target.obj_attr_is_set(name)}
        policy.enforce(context, rule, target, action=rule)
        return context

    @staticmethod
    def widen(rule):
        """Let an administrator reach all projects, if the rule allows; returns the context.

        Nothing changes for other callers.
        :raises: PolicyNotAuthorized for an administrator whom the rule refuses.
        """
        context = pecan.request.context
        if context.is_admin:
            policy.enforce(context, rule, action=rule)
            context.all_tenants = True
        return context

    @staticmethod
    def listing(limit, sort_dir):
        """Check what all lists have in common; returns the limit to use."""
        limit = utils.validate_limit(limit)
        utils.validate_sort_dir(sort_dir)
        return limit

    @staticmethod
    def row_number(marker):
        """A marker that is a row's number, bounded to what a database can compare with."""
        if marker is not None and not 0 <= marker < 2 ** 31:
            raise exception.InvalidParameterValue(_('No item has the marker %s.') % marker)
        return marker

    @staticmethod
    def check_detail(collection):
        """Detailed lists are of the collection, not of one of its members.

        :raises: HTTPNotFound.
        """
        parent = pecan.request.path_info.rstrip('/').split('/')[-2]
        if parent != collection:
            raise exception.HTTPNotFound(name='detail', id=parent)
