# SPDX-License-Identifier: Apache-2.0
"""What may not get out: the secrets in a text, for every place where texts leave the process.

The log, the reasons of failures and of health, notifications, error answers and what templates
show to other projects all mask by this one table. A text that has no secret stays as it is.
"""

import re

from oslo_utils import strutils

MASK = '***'

_NAMES = r'secret|passw(?:or)?d|passphrase|token|credential|(?:api|access|auth|private)[_-]?key'
_NO_VALUE = r'(?!(?:true|false|null|none)\b)'
_VALUE = rf'([bu]?["\']?){_NO_VALUE}(?:(?<=")[^"]*|(?<=\')[^\']*|[^\s"\',;&(){{}}\[\]]+)'

#: A pattern, and what stands for what it finds.
_SECRETS = tuple((re.compile(pattern, re.S | re.I), instead) for pattern, instead in (
    (r'-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|$)', MASK),
    # The user of an address. A password may have what should have been quoted, even a slash:
    # then the colon before it is not that of a port.
    (r'//(?:[^/?#\s"\']{0,256}|[^/?#\s"\'@:]{0,256}:(?![0-9]+[/?#])[^\s"\']{0,256})@',
     f'//{MASK}@'),
    (r'((?:x-(?:[a-z]{1,16}-)?token|authorization|cookie)["\']?\s*[:=]\s*["\']?)'
     r'(?:(?:bearer|basic)\s+)?[^\s"\',}]+', rf'\1{MASK}'),
    # Tokens of Keystone (Fernet, JWS) and of Kubernetes (JWS).
    (r'gAAAA[a-z0-9_\-=%]{16,}|eyJ[a-z0-9_\-]{8,}\.[a-z0-9_\-.]{16,}', MASK),
    (r'((?:\bbearer\s|(?:token|secret)\s{0,4}:)\s*)(?=\S{0,64}[0-9])[\w.~+/=-]{6,}',
     rf'\1{MASK}'),
    # name=value, and "name": value
    (rf'((?:{_NAMES})(?:[_-](?:key|data|value))?[0-9]*(?:\s{{0,4}}=|["\']\s{{0,4}}[:=])\s{{0,4}})'
     rf'{_VALUE}', rf'\1\2{MASK}'),
    # name: value; in a sentence, single words have a colon behind them too
    (rf'((?:passw(?:or)?d|passphrase|[_-](?:{_NAMES}|key-data)|(?:api|access|auth|private)[_-]key)'
     rf'[0-9]*\s{{0,4}}:\s{{0,4}}){_VALUE}', rf'\1\2{MASK}'),
    # --name value
    (rf'(--[\w-]{{0,32}}(?:{_NAMES})(?:\s+|=))(?!-){_VALUE}', rf'\1\2{MASK}'),
))

#: What stands in every text that one of the patterns fits. Most texts have none of it.
_HINTS = ('//', 'private', 'secret', 'passw', 'passphrase', 'token', 'credential', 'key',
          'authorization', 'cookie', 'bearer', 'gaaaa', 'eyj')

_SECRET_NAME = re.compile(rf'{_NAMES}|passw|private', re.I)


def mask(text):
    """The text with the secrets in it masked."""
    lower = text.lower()
    if any(hint in lower for hint in _HINTS):
        for pattern, instead in _SECRETS:
            text = pattern.sub(instead, text)
    return strutils.mask_password(text, MASK)


def clip(text, longest):
    """The masked text, cut to a length."""
    # Masking takes long for long texts. What is left out has no place in the result anyway.
    masked = mask(text[:4 * longest])
    return masked if len(masked) <= longest else masked[:longest - 3] + '...'


def mask_values(values):
    """A dictionary of strings whose values are masked where they are or hold secrets."""
    return {key: MASK if _SECRET_NAME.search(str(key)) else mask(str(value))
            for key, value in (values or {}).items()}
