# SPDX-License-Identifier: Apache-2.0
"""Loggers under the names that operators' logging configurations know.

The code lives in ``magnum_ng``, but deployed ``logging.conf`` files select the logger ``magnum``.
"""

from oslo_log import log


def getLogger(name):  # noqa: N802 (the name that logging and oslo.log use)
    """The oslo.log adapter for a module, named ``magnum.<module>``."""
    package, _, rest = name.partition('.')
    if package == 'magnum_ng':
        package = 'magnum'
    return log.getLogger(f'{package}.{rest}' if rest else package)
