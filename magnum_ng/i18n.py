# SPDX-License-Identifier: Apache-2.0
"""Translation of the texts that users see."""

import oslo_i18n

DOMAIN = 'magnum'

_translators = oslo_i18n.TranslatorFactory(domain=DOMAIN)
_ = _translators.primary
