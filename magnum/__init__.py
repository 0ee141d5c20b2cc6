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
import importlib.util
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
    def find_spec(self, fullname, path=None, target=None):
        package, _, rest = fullname.partition('.')
        if package != _ALIAS or not rest:
            return None
        real_name = f'{_REAL}.{rest}'
        try:
            real = importlib.util.find_spec(real_name)
        except ModuleNotFoundError as exc:
            # A missing parent is an answer; a library missing inside one is an error to show.
            if exc.name != real_name and not real_name.startswith(f'{exc.name}.'):
                raise
            real = None
        if real is None:
            return None
        spec = importlib.machinery.ModuleSpec(
            fullname, _Loader(real), origin=real.origin,
            is_package=real.submodule_search_locations is not None)
        if real.submodule_search_locations is not None:
            spec.submodule_search_locations = list(real.submodule_search_locations)
        spec.has_location = real.has_location
        return spec


# By name, not by class: a reload of this file makes a new class.
if not any(type(finder).__qualname__ == '_Finder' and type(finder).__module__ == _ALIAS
           for finder in sys.meta_path):
    # Ahead of the search along paths, which would find the real files a second time. Whoever put
    # a finder in front of that on purpose keeps the precedence.
    sys.meta_path.insert(
        next((index for index, finder in enumerate(sys.meta_path)
              if finder is importlib.machinery.PathFinder), 0), _Finder())

sys.modules[__name__] = importlib.import_module(_REAL)
