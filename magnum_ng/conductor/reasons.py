# SPDX-License-Identifier: Apache-2.0
"""What users are told about an error: its text without credentials, and not too much of it."""

import traceback as python_traceback

from oslo_db import exception as db_exc
from sqlalchemy import exc as sa_exc

from magnum_ng.common import masking

MAX_LENGTH = 2000


def of(error):
    """The reason for a failure, from an exception or a text."""
    text = error if isinstance(error, str) else _text(error)
    return masking.clip(text.strip(), MAX_LENGTH)


def short(error):
    """One line about an error for the log; statements and their values stay out of it."""
    return of(error).partition('\n')[0][:300]


def first_line(error):
    """The same for whoever starts a program, whom statements may tell something."""
    return masking.mask(str(error)).strip().partition('\n')[0]


def traceback():
    """The traceback of the error that is being handled, for the debug log."""
    return masking.mask(python_traceback.format_exc()[-16000:])


def _text(error):
    if isinstance(error, (db_exc.DBError, sa_exc.SQLAlchemyError)):
        # Its text has the statement and its values.
        return f'The database has failed ({type(error).__name__}).'
    try:
        text = str(error)
    except Exception:
        text = ''
    return text.strip() or type(error).__name__
