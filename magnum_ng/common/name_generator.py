# SPDX-License-Identifier: Apache-2.0
"""Names for what is created without one."""

import random

_LETTERS = ('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa',
            'lambda', 'mu', 'nu', 'xi', 'omicron', 'pi', 'rho', 'sigma', 'tau', 'upsilon', 'phi',
            'chi', 'psi', 'omega')


class NameGenerator:
    letters = _LETTERS

    def generate(self):
        """A Greek letter and a number, such as ``rho-23``. Not unique."""
        # Nobody minds who can guess a name.
        return f'{random.choice(self.letters)}-{random.randint(1, 24)}'  # noqa: S311  # nosec B311
