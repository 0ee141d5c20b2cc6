# SPDX-License-Identifier: Apache-2.0
"""What users are told about an error: its text without credentials, and not too much of it."""

import re
import traceback as python_traceback

from oslo_db import exception as db_exc
from oslo_utils import strutils
from sqlalchemy import exc as sa_exc

MAX_LENGTH = 2000

_URL_USER = re.compile(r'(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*://)[^/\s@\'"]+@')
# Fernet and JWS tokens, and whatever follows the headers that carry tokens.
_TOKENS = re.compile(r'gAAAA[A-Za-z0-9_\-=%]{16,}|eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-.]{16,}')
_HEADERS = re.compile(
    r'(?i)(x-(?:auth|subject|service)-token|authorization)(["\']?\s*[:=]\s*["\']?)'
    r'(?:(?:bearer|basic)\s+)?[^\s"\',}]+')
_PEM_KEY = re.compile(r'-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|$)', re.S)

SECRET_NAME = re.compile(
    r'(?i)(secret|passw|passphrase|token|credential|private|api_?key|access_?key|auth_?key)')

MASK = '***'


def mask(text):
    """The text with the credentials in it masked."""
    text = _PEM_KEY.sub(MASK, text)
    text = _URL_USER.sub(rf'\g<scheme>{MASK}@', text)
    text = _HEADERS.sub(rf'\1\2{MASK}', text)
    text = _TOKENS.sub(MASK, text)
    return strutils.mask_password(text, MASK)


def of(error):
    """The reason for a failure, from an exception or a text."""
    text = error if isinstance(error, str) else _text(error)
    # Masking takes long for long texts; what is cut off here would not be shown anyway.
    text = mask(text[:4 * MAX_LENGTH]).strip()
    return text if len(text) <= MAX_LENGTH else text[:MAX_LENGTH - 3] + '...'


def short(error):
    """One line about an error for the log; statements and their values stay out of it."""
    return of(error).partition('\n')[0][:300]


def first_line(error):
    """The same for whoever starts a program, whom statements may tell something."""
    return mask(str(error)).strip().partition('\n')[0]


def traceback():
    """The traceback of the error that is being handled, for the debug log."""
    return mask(python_traceback.format_exc()[-16000:])


def _text(error):
    if isinstance(error, (db_exc.DBError, sa_exc.SQLAlchemyError)):
        # Its text has the statement and its values.
        return f'The database has failed ({type(error).__name__}).'
    try:
        text = str(error)
    except Exception:
        text = ''
    return text.strip() or type(error).__name__


def mask_values(values):
    """A dictionary of strings whose values are masked where they are or hold secrets."""
    return {key: MASK if SECRET_NAME.search(str(key)) else mask(str(value))
            for key, value in (values or {}).items()}
