# SPDX-License-Identifier: Apache-2.0
"""The promise that ``magnum`` and ``magnum_ng`` are one package."""

import importlib


class AliasBroken(RuntimeError):
    """Another distribution has overwritten the package ``magnum``."""


def check():
    """Refuse to go on when drivers would get other classes than the service itself.

    Installing the original distribution over this one replaces ``magnum/__init__.py``. Both names
    still import, but every exception, object class and option then exists twice.
    """
    here = importlib.import_module('magnum_ng')
    try:
        alias = importlib.import_module('magnum')  # noqa: M306 (this is the question)
    except ModuleNotFoundError as exc:
        raise AliasBroken('The Python package "magnum", by which drivers and paste files refer to '
                          'magnum_ng, is not installed. Reinstall the distribution '
                          '"magnum".') from exc
    if alias is not here:
        raise AliasBroken(f'The Python package "magnum" ({alias.__file__}) is not the alias of '
                          'magnum_ng: another distribution has overwritten it. Reinstall this one '
                          'with pip install --force-reinstall.')
