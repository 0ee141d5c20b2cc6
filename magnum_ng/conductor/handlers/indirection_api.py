# SPDX-License-Identifier: Apache-2.0
"""Endpoint: remotable methods of objects, for services that have no database of their own.

The API of an original release reads and writes everything this way.
"""

import oslo_messaging as messaging
from oslo_messaging.rpc import dispatcher

from magnum_ng.objects import base


class Handler:

    @staticmethod
    def _run(target, method, context, args, kwargs):
        try:
            return getattr(target, method)(context, *args, **kwargs)
        except Exception as error:
            # An answer like any other, not an accident of the server that needs a traceback.
            raise messaging.ExpectedException() from error

    def object_class_action_versions(self, context, objname, objmethod, object_versions, args,
                                     kwargs):
        cls = base.MagnumObject.obj_class_from_name(objname, object_versions[objname])
        result = self._run(cls, _remotable(cls, objmethod), context, args, kwargs)
        if isinstance(result, base.MagnumObject):
            return result.obj_to_primitive(target_version=object_versions[objname],
                                           version_manifest=object_versions)
        return result

    def object_action(self, context, objinst, objmethod, args, kwargs):
        before = objinst.obj_clone()
        result = self._run(objinst, _remotable(objinst, objmethod), context, args, kwargs)
        updates = {name: objinst.fields[name].to_primitive(objinst, name, getattr(objinst, name))
                   for name in objinst.fields if _differs(before, objinst, name)}
        # What is no longer pending here is no longer pending there.
        updates['obj_what_changed'] = objinst.obj_what_changed()
        return updates, result

    def object_backport_versions(self, context, objinst, object_versions):
        return objinst.obj_to_primitive(target_version=object_versions[objinst.obj_name()],
                                        version_manifest=object_versions)


def _differs(before, after, name):
    if not after.obj_attr_is_set(name):
        return False
    return (not before.obj_attr_is_set(name)
            or getattr(before, name) != getattr(after, name))


def _remotable(target, name):
    """The name, if it is that of a method that is meant to be called from outside."""
    method = getattr(target, name, None)
    if not getattr(getattr(method, '__func__', None), 'remotable', False):
        raise dispatcher.NoSuchMethod(name)
    return name
