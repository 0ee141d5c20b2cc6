# SPDX-License-Identifier: Apache-2.0
"""The options of all groups, for sample files and validation."""

import collections
import importlib
import pathlib
import pkgutil

# The public name: what is patched or asserted from outside is found under it.
_PACKAGE = 'magnum.conf.'


def list_opts():
    options = collections.defaultdict(list)
    _append_config_options(_import_modules(_list_module_names()), options)
    return list(options.items())


def _list_module_names():
    folder = pathlib.Path(__file__).parent
    return [name for _, name, is_package in pkgutil.iter_modules(path=[str(folder)])
            if name != 'opts' and not is_package]


def _import_modules(module_names):
    modules = []
    for name in module_names:
        module = importlib.import_module(_PACKAGE + name)
        if not hasattr(module, 'list_opts'):
            raise AttributeError(f'{_PACKAGE}{name} has no function list_opts()')
        modules.append(module)
    return modules


def _append_config_options(imported_modules, config_options):
    for module in imported_modules:
        for group, opts in module.list_opts().items():
            config_options[group].extend(opts)
