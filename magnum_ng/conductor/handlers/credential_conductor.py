# SPDX-License-Identifier: Apache-2.0
"""Endpoint: the credentials with which a cluster reaches the cloud."""

from magnum_ng.conductor import acceptance
from magnum_ng.conductor import intake
from magnum_ng.conductor import states


class Handler:

    def credential_rotate(self, context, cluster):
        def accept(owner):
            return acceptance.rotate(context, states.ROTATE_CREDENTIAL, cluster, owner)

        intake.take(context, states.ROTATE_CREDENTIAL, accept, cluster,
                    ('credential_rotate', {'cluster': cluster}), wait=True)
