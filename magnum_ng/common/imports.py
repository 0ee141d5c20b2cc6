# SPDX-License-Identifier: Apache-2.0
"""Start-up: libraries import what they find, whether the service has a use for it or not."""

import contextlib
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def left_out(*packages: str) -> Iterator[None]:
    """Let imports inside the block do without these optional packages.

    What is imported already stays, and after the block all of them can be imported.
    """
    hidden = [name for name in packages if name not in sys.modules]
    # What Python takes for "there is no such module".
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
