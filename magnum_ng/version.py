# SPDX-License-Identifier: Apache-2.0
"""The version of the installed distribution, which is named ``magnum``."""

import pbr.version

version_info = pbr.version.VersionInfo('magnum')
version_string = version_info.version_string
