# SPDX-License-Identifier: Apache-2.0
"""What others see, compared with what was recorded from the original."""

import json
import pathlib

_DATA = pathlib.Path(__file__).parent / 'data'


def load(name):
    """The recorded facts in ``data/<name>``."""
    return json.loads((_DATA / name).read_text())
