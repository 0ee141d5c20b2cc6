# SPDX-License-Identifier: Apache-2.0
"""What a method of a controller and the microversions it serves are recorded as."""


class VersionedMethod:
    """One of several methods of a name, and the microversions that it serves."""

    def __init__(self, name, start_version, end_version, func):
        self.name = name
        self.start_version = start_version
        self.end_version = end_version
        self.func = func

    def __str__(self):
        return f'Version Method {self.name}: min: {self.start_version}, max: {self.end_version}'
