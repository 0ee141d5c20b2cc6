# SPDX-License-Identifier: Apache-2.0
"""What drivers ask Nova for."""

from magnum_ng.common import clients


def get_ssh_key(context, keypair_ident):
    """The public key of a keypair of the context's user."""
    keypair = clients.OpenStackClients(context).nova().get_keypair(keypair_ident)
    return keypair.public_key.strip()
