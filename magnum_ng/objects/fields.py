# SPDX-License-Identifier: Apache-2.0
"""The types of object fields, and the words that some of them are limited to.

The names of the types, their defaults and the words are part of the objects' fingerprints. The
words are plain strings: drivers split them and hand them on.
"""

import weakref

from oslo_versionedobjects import fields

UnspecifiedDefault = fields.UnspecifiedDefault
BooleanField = fields.BooleanField
DateTimeField = fields.DateTimeField
IntegerField = fields.IntegerField
ListOfStringsField = fields.ListOfStringsField
ObjectField = fields.ObjectField
StringField = fields.StringField
UUIDField = fields.UUIDField


class TrackedDict(fields.CoercedDict):
    """A dict that tells its object when it is changed in place, so that a save stores it.

    The object is held weakly: a list of clusters can then be freed without the garbage collector.
    """

    def __init__(self, values, obj, field, element_type):
        # Not by way of the base classes: the values are fine, and there may be thousands of us.
        dict.update(self, values)
        self._element_type = element_type
        self._obj = None
        self._field = field
        self._owner = None if obj is None else weakref.ref(obj)

    def _changed(self):
        owner = self._owner and self._owner()
        if owner is not None:
            owner._changed_fields.add(self._field)

    def __reduce_ex__(self, protocol):
        # Copies and pickles are plain: they belong to no object.
        return dict, (dict(self),)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self._changed()

    def __delitem__(self, key):
        super().__delitem__(key)
        self._changed()

    def __ior__(self, other):
        self.update(other)
        return self

    def clear(self):
        super().clear()
        self._changed()

    def pop(self, *args):
        value = super().pop(*args)
        self._changed()
        return value

    def popitem(self):
        item = super().popitem()
        self._changed()
        return item

    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return self[key]

    def update(self, *args, **kwargs):
        super().update(dict(*args, **kwargs))
        self._changed()


class Dict(fields.Dict):
    """oslo.versionedobjects' type with values that track their changes."""

    def coerce(self, obj, attr, value):
        return TrackedDict(super().coerce(obj, attr, value), obj, attr, self._element_type)

    def trusted(self, obj, attr, value):
        """The same for what a row holds, without a look at what needs none."""
        for item in value.values():
            if type(item) is not str:
                return self.coerce(obj, attr, {key: each for key, each in value.items()
                                               if each is not None})
        return TrackedDict(value, obj, attr, self._element_type)


class DictOfStringsField(fields.AutoTypedField):
    AUTO_TYPE = Dict(fields.String())


class ListOfDictsField(fields.AutoTypedField):
    AUTO_TYPE = fields.List(fields.Dict(fields.FieldType(), nullable=True))


class ClusterStatus(fields.Enum):
    CREATE_IN_PROGRESS = 'CREATE_IN_PROGRESS'
    CREATE_FAILED = 'CREATE_FAILED'
    CREATE_COMPLETE = 'CREATE_COMPLETE'
    UPDATE_IN_PROGRESS = 'UPDATE_IN_PROGRESS'
    UPDATE_FAILED = 'UPDATE_FAILED'
    UPDATE_COMPLETE = 'UPDATE_COMPLETE'
    DELETE_IN_PROGRESS = 'DELETE_IN_PROGRESS'
    DELETE_FAILED = 'DELETE_FAILED'
    DELETE_COMPLETE = 'DELETE_COMPLETE'
    RESUME_COMPLETE = 'RESUME_COMPLETE'
    RESUME_FAILED = 'RESUME_FAILED'
    RESTORE_COMPLETE = 'RESTORE_COMPLETE'
    ROLLBACK_IN_PROGRESS = 'ROLLBACK_IN_PROGRESS'
    ROLLBACK_FAILED = 'ROLLBACK_FAILED'
    ROLLBACK_COMPLETE = 'ROLLBACK_COMPLETE'
    SNAPSHOT_COMPLETE = 'SNAPSHOT_COMPLETE'
    CHECK_COMPLETE = 'CHECK_COMPLETE'
    ADOPT_COMPLETE = 'ADOPT_COMPLETE'

    ALL = (CREATE_IN_PROGRESS, CREATE_FAILED, CREATE_COMPLETE,
           UPDATE_IN_PROGRESS, UPDATE_FAILED, UPDATE_COMPLETE,
           DELETE_IN_PROGRESS, DELETE_FAILED, DELETE_COMPLETE,
           RESUME_COMPLETE, RESUME_FAILED, RESTORE_COMPLETE,
           ROLLBACK_IN_PROGRESS, ROLLBACK_FAILED, ROLLBACK_COMPLETE,
           SNAPSHOT_COMPLETE, CHECK_COMPLETE, ADOPT_COMPLETE)

    STATUS_FAILED = (CREATE_FAILED, UPDATE_FAILED, DELETE_FAILED, ROLLBACK_FAILED, RESUME_FAILED)

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class ClusterHealthStatus(fields.Enum):
    HEALTHY = 'HEALTHY'
    UNHEALTHY = 'UNHEALTHY'
    UNKNOWN = 'UNKNOWN'

    ALL = (HEALTHY, UNHEALTHY, UNKNOWN)

    # One word, not a tuple of words: compare with ==, not with ``in``.
    STATUS_FAILED = UNHEALTHY

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class FederationStatus(fields.Enum):
    CREATE_IN_PROGRESS = 'CREATE_IN_PROGRESS'
    CREATE_FAILED = 'CREATE_FAILED'
    CREATE_COMPLETE = 'CREATE_COMPLETE'
    UPDATE_IN_PROGRESS = 'UPDATE_IN_PROGRESS'
    UPDATE_FAILED = 'UPDATE_FAILED'
    UPDATE_COMPLETE = 'UPDATE_COMPLETE'
    DELETE_IN_PROGRESS = 'DELETE_IN_PROGRESS'
    DELETE_FAILED = 'DELETE_FAILED'
    DELETE_COMPLETE = 'DELETE_COMPLETE'

    ALL = (CREATE_IN_PROGRESS, CREATE_FAILED, CREATE_COMPLETE,
           UPDATE_IN_PROGRESS, UPDATE_FAILED, UPDATE_COMPLETE,
           DELETE_IN_PROGRESS, DELETE_FAILED, DELETE_COMPLETE)

    STATUS_FAILED = (CREATE_FAILED, UPDATE_FAILED, DELETE_FAILED)

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class ContainerStatus(fields.Enum):
    ERROR = 'Error'
    RUNNING = 'Running'
    STOPPED = 'Stopped'
    PAUSED = 'Paused'
    UNKNOWN = 'Unknown'

    ALL = (ERROR, RUNNING, STOPPED, PAUSED, UNKNOWN)

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class ClusterType(fields.Enum):
    KUBERNETES = 'kubernetes'

    ALL = (KUBERNETES,)

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class QuotaResourceName(fields.Enum):
    CLUSTER = 'Cluster'

    ALL = (CLUSTER,)

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class ServerType(fields.Enum):
    VM = 'vm'
    BM = 'bm'

    ALL = (VM, BM)

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class MagnumServiceState(fields.Enum):
    up = 'up'
    down = 'down'

    ALL = (up, down)

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class MagnumServiceBinary(fields.Enum):
    # A tuple of one word, as others know it.
    magnum_conductor = ('magnum-conductor',)

    ALL = magnum_conductor

    def __init__(self):
        super().__init__(valid_values=self.ALL)


class ClusterStatusField(fields.BaseEnumField):
    AUTO_TYPE = ClusterStatus()


class ClusterHealthStatusField(fields.BaseEnumField):
    AUTO_TYPE = ClusterHealthStatus()


class FederationStatusField(fields.BaseEnumField):
    AUTO_TYPE = FederationStatus()


class ContainerStatusField(fields.BaseEnumField):
    AUTO_TYPE = ContainerStatus()


class ClusterTypeField(fields.BaseEnumField):
    AUTO_TYPE = ClusterType()


class ServerTypeField(fields.BaseEnumField):
    AUTO_TYPE = ServerType()


class MagnumServiceField(fields.BaseEnumField):
    AUTO_TYPE = MagnumServiceState()


class MagnumServiceBinaryField(fields.BaseEnumField):
    AUTO_TYPE = MagnumServiceBinary()
