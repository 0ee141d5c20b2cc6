# SPDX-License-Identifier: Apache-2.0
"""What the versioned objects share.

The objects are what the API, the conductor and the drivers work with, and what the message bus
carries. Name, version, fields and the signatures of remotable methods are a contract with other
releases: ``tests/unit/objects/test_objects.py`` compares their fingerprints with recorded ones.
Their remotable methods therefore spell out their arguments, and leave the work to the helpers here.
"""

import datetime
import operator

from oslo_utils import versionutils
from oslo_versionedobjects import base
from oslo_versionedobjects import fields as ovo_fields

from magnum_ng.db import api as db_api
from magnum_ng.objects import fields

remotable = base.remotable


class MagnumObjectRegistry(base.VersionedObjectRegistry):
    """Registers the objects of this service."""


class _Database:
    """``obj.dbapi`` and ``Class.dbapi``: found when used, not when the class is made."""

    def __get__(self, obj, cls=None):
        return db_api.get_instance()


def _loader(field):
    """How the value of a column becomes that of a field; None for "as it is".

    Rows are trusted: what was checked when it was written is not checked again. A null becomes
    the default of a field that cannot be null, an empty dict or an empty list.
    """
    kind = field._type
    if isinstance(kind, ovo_fields.DateTime):
        def load(obj, name, value):
            if value is not None and value.tzinfo is None:
                return value.replace(tzinfo=datetime.UTC)
            return value
    elif isinstance(kind, fields.Dict):
        def load(obj, name, value):
            return kind.trusted(obj, name, value or {})
    elif isinstance(kind, ovo_fields.List):
        def load(obj, name, value):
            return field.coerce(obj, name, value or [])
    elif not field.nullable and field.default is not ovo_fields.UnspecifiedDefault:
        default = field.default

        def load(obj, name, value):
            return default if value is None else value
    else:
        load = None
    return load


class _Plan:
    """Which columns a class reads from a row, and which of them as they are.

    A list of clusters makes thousands of objects: this is why it does not go field by field.
    """

    def __init__(self, cls):
        loaders = {name: _loader(field) for name, field in cls.fields.items()
                   if name not in cls.NOT_COLUMNS}
        plain = [name for name, load in loaders.items() if load is None]
        self.names = loaders.keys()
        self._read_plain = operator.itemgetter(*plain)
        self._plain = [f'_obj_{name}' for name in plain]
        self._loaded = [(f'_obj_{name}', name, load) for name, load in loaders.items() if load]

    def fill(self, obj, values):
        attributes = obj.__dict__
        attributes.update(zip(self._plain, self._read_plain(values), strict=True))
        for attribute, name, load in self._loaded:
            attributes[attribute] = load(obj, name, values[name])


class MagnumObject(base.VersionedObject):
    OBJ_SERIAL_NAMESPACE = 'magnum_object'
    OBJ_PROJECT_NAMESPACE = 'magnum'

    #: Fields that are not columns of the table.
    NOT_COLUMNS = frozenset()

    #: version: the fields that it added. Older versions are sent without them.
    FIELDS_SINCE = {}

    dbapi = _Database()

    def as_dict(self):
        """The fields that are set."""
        return {name: getattr(self, name) for name in self.fields if self.obj_attr_is_set(name)}

    def obj_attr_is_set(self, attrname):
        if f'_obj_{attrname}' in self.__dict__ and attrname in self.fields:
            return True
        # The error for what is not a field.
        return super().obj_attr_is_set(attrname)

    def obj_make_compatible(self, primitive, target_version):
        target = versionutils.convert_version_to_tuple(target_version)
        for version, names in self.FIELDS_SINCE.items():
            if target < versionutils.convert_version_to_tuple(version):
                for name in names:
                    primitive.pop(name, None)
        super().obj_make_compatible(primitive, target_version)

    @classmethod
    def _row_plan(cls):
        """How to read a row: see _Plan. Made once for each class."""
        plan = cls.__dict__.get('_plan')
        if plan is None:
            plan = cls._plan = _Plan(cls)
        return plan

    @staticmethod
    def _from_db_object(obj, row):
        """Fill the object from a row, and return it without changes pending.

        A model's instance is trusted. Anything else that gives its columns by item is not, and
        every value of it is checked.
        """
        plan = obj._row_plan()
        if not hasattr(type(row), '__table__'):
            for name in plan.names:
                setattr(obj, name, row[name])
        elif row.__dict__.keys() >= plan.names:
            plan.fill(obj, row.__dict__)
        else:
            plan.fill(obj, {name: getattr(row, name) for name in plan.names})
        obj.obj_reset_changes()
        return obj

    @classmethod
    def _from_row(cls, context, row):
        return cls._from_db_object(cls(context), row)

    @classmethod
    def _from_rows(cls, context, rows):
        return [cls._from_db_object(cls(context), row) for row in rows]

    def _column_changes(self):
        changes = self.obj_get_changes()
        for name in self.NOT_COLUMNS:
            changes.pop(name, None)
        return changes


class MagnumObjectDictCompat(base.VersionedObjectDictCompat):
    """Access to the fields as items."""


class MagnumPersistentObject:
    """The fields of every table."""

    fields = {
        'created_at': fields.DateTimeField(nullable=True),
        'updated_at': fields.DateTimeField(nullable=True),
    }


class MagnumObjectIndirectionAPI(base.VersionedObjectIndirectionAPI):
    """Lets a conductor run the objects' remotable methods, and convert newer objects.

    Nothing of this service installs it: the API works on the database itself. A process without
    access to the database sets ``MagnumObject.indirection_api`` to an instance.
    """

    def __init__(self):
        # Late: the client's module needs the objects.
        from magnum_ng.conductor import api

        super().__init__()
        self._conductor = api.API()

    def object_action(self, context, objinst, objmethod, args, kwargs):
        return self._conductor.object_action(context, objinst, objmethod, args, kwargs)

    def object_class_action_versions(self, context, objname, objmethod, object_versions,
                                     args, kwargs):
        return self._conductor.object_class_action_versions(
            context, objname, objmethod, object_versions, args, kwargs)

    def object_backport_versions(self, context, objinst, object_versions):
        return self._conductor.object_backport_versions(context, objinst, object_versions)


class MagnumObjectSerializer(base.VersionedObjectSerializer):
    OBJ_BASE_CLASS = MagnumObject
