# SPDX-License-Identifier: Apache-2.0
"""Where the rest of the service gets its database from."""

from magnum_ng.db.sqlalchemy import api as sqlalchemy_api


def get_instance() -> sqlalchemy_api.Connection:
    """Return the one object whose methods read and write the database."""
    return sqlalchemy_api.get_backend()
