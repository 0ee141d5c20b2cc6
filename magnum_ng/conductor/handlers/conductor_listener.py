# SPDX-License-Identifier: Apache-2.0
"""Endpoint: is anybody there?"""


class Handler:

    def ping_conductor(self, context):
        return True
