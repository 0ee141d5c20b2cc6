# SPDX-License-Identifier: Apache-2.0
"""How to tell that an answer speaks of the inside of the service."""

import re

# Texts that come from inside and that no client sends by chance.
_PATTERN = re.compile(
    r'Traceback|File "/|\.py"|site-packages|magnum_ng[./]|sqlalchemy|pymysql|psycopg|sqlite3|'
    r'SELECT .+ FROM |INSERT INTO|UPDATE .+ SET |DELETE FROM|object at 0x|NoneType|'
    r'has no attribute|not subscriptable|unexpected keyword|positional argument|recursion|'
    r'UNIQUE constraint|IntegrityError|OperationalError|KeyError|-----BEGIN [A-Z ]*PRIVATE KEY')


def look(text):
    """The first such text, or None."""
    found = _PATTERN.search(text)
    return found[0] if found else None
