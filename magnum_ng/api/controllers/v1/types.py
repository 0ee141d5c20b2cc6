# SPDX-License-Identifier: Apache-2.0
"""Types of single attributes, and the base of JSON patch operations."""

import inspect

from oslo_utils import strutils
from oslo_utils import uuidutils
from wsme import types as wtypes
import wsme

from magnum_ng.api import labels as labels_rules
from magnum_ng.api import patching
from magnum_ng.common import exception
from magnum_ng.common import utils
from magnum_ng.db.sqlalchemy import values
from magnum_ng.i18n import _

# What the integer columns of every database hold.
MAX_INTEGER = values.MAX_INTEGER


class IntegerType(wtypes.IntegerType):
    """A whole number that the database can hold."""

    def __init__(self, minimum=None, maximum=MAX_INTEGER):
        super().__init__(minimum=minimum, maximum=maximum)

    def validate(self, value):
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(_('Value should be a whole number'))
        return super().validate(value)


class StringType(wtypes.StringType):
    """A text; its pattern fits the whole of it, a line break at the end included.

    Texts end up in files and command lines of nodes: unless ``multiline``, they have no line
    breaks and no other control characters.
    """

    def __init__(self, min_length=None, max_length=None, pattern=None, multiline=False):
        super().__init__(min_length=min_length, max_length=max_length, pattern=pattern)
        self.multiline = multiline

    def validate(self, value):
        super().validate(value)
        if self.pattern is not None and not self.pattern.fullmatch(value):
            raise ValueError(f'Value should match the pattern {self.pattern.pattern}')
        if not self.multiline and labels_rules.CONTROL.search(value):
            raise ValueError(_('Value should not hold line breaks or control characters'))
        return value


class Enum(wtypes.Enum):
    """One of several texts; the error names them in the order of the declaration."""

    def __init__(self, basetype, *values, **kw):
        super().__init__(basetype, *values, **kw)
        self.ordered = values

    def validate(self, value):
        if not isinstance(value, self.basetype) or value not in self.values:
            raise ValueError('Value should be one of: %s' % ', '.join(map(str, self.ordered)))
        return value


class NameType(wtypes.UserType):
    """A name: any text but an empty one."""

    basetype = wtypes.text
    name = 'name'

    @staticmethod
    def validate(value):
        if not value:
            raise exception.InvalidName(name=value)
        return value

    @staticmethod
    def frombasetype(value):
        return None if value is None else NameType.validate(value)


class UuidType(wtypes.UserType):
    """A text that looks like a UUID."""

    basetype = wtypes.text
    name = 'uuid'

    @staticmethod
    def validate(value):
        if not uuidutils.is_uuid_like(value):
            raise exception.InvalidUUID(uuid=value)
        return value

    @staticmethod
    def frombasetype(value):
        return None if value is None else UuidType.validate(value)


class BooleanType(wtypes.UserType):
    """True or false, also as one of the usual words for them."""

    basetype = wtypes.text
    name = 'boolean'

    @staticmethod
    def validate(value):
        try:
            return strutils.bool_from_string(value, strict=True)
        except ValueError:
            raise exception.Invalid(_('Expected a boolean but received %s.') % value) from None

    @staticmethod
    def frombasetype(value):
        return None if value is None else BooleanType.validate(value)


class DNSListType(wtypes.UserType):
    """Addresses of name servers (IPv4 or IPv6) with commas between them."""

    basetype = wtypes.text
    name = 'dnslist'

    @staticmethod
    def validate(value):
        if not isinstance(value, str):
            raise exception.InvalidDNS(dns=value)
        utils.validate_dns(value)
        return value

    @staticmethod
    def frombasetype(value):
        return None if value is None else DNSListType.validate(value)


class MultiType(wtypes.UserType):
    """A value of one of several types."""

    basetype = wtypes.text

    def __init__(self, *types):
        self.types = types

    def __str__(self):
        return ' | '.join(map(str, self.types))

    def validate(self, value):
        for datatype in self.types:
            try:
                return wtypes.validate_value(datatype, value)
            except (exception.InvalidUUID, ValueError):
                pass
        raise ValueError(_("Wrong type. Expected '%(type)s', got '%(value)s'")
                         % {'type': self.types, 'value': type(value)})


class _PatchPath(wtypes.StringType):
    """A JSON pointer. The error text names the simpler pattern that clients know."""

    def __init__(self):
        super().__init__(pattern='^(/[\\w-]+)+$')

    def validate(self, value):
        if not isinstance(value, str):
            raise ValueError('Value should be string')
        if not patching.POINTER.fullmatch(value):
            raise ValueError(f'Value should match the pattern {self.pattern.pattern}')
        return value


class _AnyJson(wtypes.UserType):
    """Whatever JSON can say; what an attribute takes is checked with the attribute."""

    basetype = wtypes.text
    name = 'json'

    @staticmethod
    def validate(value):
        return value


dns_list = DNSListType()
uuid = UuidType()
name = NameType()
uuid_or_name = MultiType(UuidType, NameType)
boolean = BooleanType()
labels = wtypes.DictType(wtypes.text, MultiType(wtypes.text, int, bool, float))


class JsonPatchType(wtypes.Base):
    """One operation of a JSON patch. A subclass names the API type it is for."""

    _api_base = None
    _extra_non_removable_attrs = frozenset()
    _non_removable_attrs = None
    _wsme_attr_order = ('path', 'op', 'value')

    path = wtypes.wsattr(_PatchPath(), mandatory=True)
    op = wtypes.wsattr(Enum(wtypes.text, 'add', 'replace', 'remove'), mandatory=True)
    value = wtypes.wsattr(_AnyJson())

    @staticmethod
    def internal_attrs():
        """Paths that no operation may name."""
        return ['/created_at', '/id', '/links', '/updated_at', '/uuid', '/project_id', '/user_id']

    @classmethod
    def non_removable_attrs(cls):
        """Paths that cannot be removed: mandatory attributes, and what a subclass adds."""
        if cls.__dict__.get('_non_removable_attrs') is None:
            kept = set(cls._extra_non_removable_attrs)
            if cls._api_base:
                kept.update(f'/{name}' for name, _attribute in inspect.getmembers(
                    cls._api_base, lambda member: getattr(member, 'mandatory', False)))
            cls._non_removable_attrs = kept
        return cls._non_removable_attrs

    @staticmethod
    def validate(patch):
        """Check an operation on its own; returns it as a dictionary.

        :raises: ClientSideError (400).
        """
        kind = type(patch)
        if patch.path in kind.internal_attrs():
            raise wsme.exc.ClientSideError(
                _("'%s' is an internal attribute and can not be updated") % patch.path)
        given = patch.value is not wtypes.Unset
        removal = patch.op == 'remove' or (patch.op == 'replace' and given
                                           and patch.value is None)
        if removal and patch.path in kind.non_removable_attrs():
            raise wsme.exc.ClientSideError(
                _("'%s' is a mandatory attribute and can not be removed") % patch.path)
        if removal:
            # What is removed from a list of members is its value.
            named = patch.op == 'remove' and patch.value
            return {'path': patch.path, 'op': 'remove', **({'value': patch.value} if named else {})}
        if not given or patch.value is None:
            raise wsme.exc.ClientSideError(_("'add' and 'replace' operations needs value"))
        patching.check_value(patch.path, patch.value)
        return {'path': patch.path, 'op': patch.op, 'value': patch.value}


class ClusterID(wtypes.Base):
    """The cluster that a request was accepted for."""

    _wsme_attr_order = ('uuid',)

    uuid = uuid

    def __init__(self, uuid):
        self.uuid = uuid
