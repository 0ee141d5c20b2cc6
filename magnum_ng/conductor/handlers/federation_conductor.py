# SPDX-License-Identifier: Apache-2.0
"""Endpoint: federations, which nobody carries out."""

from magnum_ng.common import exception
from magnum_ng.i18n import _


class Handler:

    def federation_create(self, context, federation, create_timeout):
        self._refuse()

    def federation_update(self, context, federation, rollback=False):
        self._refuse()

    def federation_delete(self, context, uuid):
        self._refuse()

    @staticmethod
    def _refuse():
        raise exception.NotSupported(_('Federations are not supported.'))
