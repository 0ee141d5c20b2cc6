# SPDX-License-Identifier: Apache-2.0
"""Short identifiers for names that have to be unique and fit almost anywhere."""

import base64
import uuid

_LENGTH = 12


def get_id(source_uuid):
    """Twelve lower-case base32 characters: the 60 bits of a random UUID that lead it.

    ``source_uuid`` is a UUID or its text; anything but version 4 raises ValueError.
    """
    if isinstance(source_uuid, str):
        source_uuid = uuid.UUID(source_uuid)
    if source_uuid.version != 4:
        raise ValueError(f'Invalid UUID version ({source_uuid.version})')
    # ``time`` is what stands before the version and variant: 60 bits, padded to whole bytes.
    bits = (source_uuid.time << 4).to_bytes(8, 'big')
    return base64.b32encode(bits)[:_LENGTH].decode().lower()


def generate_id():
    """A new random identifier."""
    return get_id(uuid.uuid4())
