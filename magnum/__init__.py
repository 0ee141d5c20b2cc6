# SPDX-License-Identifier: Apache-2.0
"""Serves every ``magnum.*`` name with the very module object of its ``magnum_ng.*`` twin.

Drivers, paste files and deployment tools name modules below ``magnum``; the code lives in
``magnum_ng``. A module must exist once only: a second copy would mean a second exception class,
object registry and set of options. So nothing is copied and no path is borrowed: a finder resolves
the names, and its loader puts the real module into ``sys.modules``.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys

_ALIAS = 'magnum'
_REAL = 'magnum_ng'


class _Loader(importlib.abc.Loader):
    """Lets the alias name stand for a module that its own loader imports.

    The module made by the import system for the alias is thrown away: handing out the real module
    from ``create_module`` instead would overwrite its ``__spec__`` and ``__loader__``.
    """

    def __init__(self, real):
        self.real = real

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        # The import system takes what stands in sys.modules after this call.
        sys.modules[module.__name__] = importlib.import_module(self.real.name)

    # What runpy, inspect and pkgutil ask a loader for by module name has to be asked with the name
    # that the real loader knows.

    def get_code(self, fullname):
        return self.real.loader.get_code(self.real.name)

    def get_source(self, fullname):
        return self.real.loader.get_source(self.real.name)

    def get_filename(self, fullname):
        return self.real.loader.get_filename(self.real.name)

    def is_package(self, fullname):
        return self.real.submodule_search_locations is not None

    def __getattr__(self, name):
        if name == 'real':
            raise AttributeError(name)
        return getattr(self.real.loader, name)


class _Finder(importlib.abc.MetaPathFinder):
    """Answers for names below the alias.

    The import system calls this with its global lock held. So nothing may be imported here, not
    even a parent: another thread may hold the lock of that module and wait for the global one.
    """

    def find_spec(self, fullname, path=None, target=None):
        package, _, rest = fullname.partition('.')
        if package != _ALIAS or not rest:
            return None
        # The parent is loaded, and is the real one; path is where its modules are.
        real = self._find_real(f'{_REAL}.{rest}', path, target)
        if real is None:
            return None
        spec = importlib.machinery.ModuleSpec(
            fullname, _Loader(real), origin=real.origin,
            is_package=real.submodule_search_locations is not None)
        if real.submodule_search_locations is not None:
            spec.submodule_search_locations = list(real.submodule_search_locations)
        spec.has_location = real.has_location
        return spec

    @staticmethod
    def _find_real(name, path, target):
        if name in sys.modules:
            return getattr(sys.modules[name], '__spec__', None)
        for finder in sys.meta_path:
            find_spec = getattr(finder, 'find_spec', None)
            spec = find_spec(name, path, target) if find_spec else None
            if spec is not None:
                return spec
        return None


# By name, not by class: a reload of this file makes a new class.
if not any(type(finder).__qualname__ == '_Finder' and type(finder).__module__ == _ALIAS
           for finder in sys.meta_path):
    # Ahead of the search along paths, which would find the real files a second time. Whoever put
    # a finder in front of that on purpose keeps the precedence.
    sys.meta_path.insert(
        next((index for index, finder in enumerate(sys.meta_path)
              if finder is importlib.machinery.PathFinder), 0), _Finder())

sys.modules[__name__] = importlib.import_module(_REAL)
