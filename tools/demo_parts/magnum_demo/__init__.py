# SPDX-License-Identifier: Apache-2.0
"""Parts of the demo and of the functional tests: never installed, never on a production path.

The directory above this one is put on ``sys.path`` by ``tools/demo`` and by the functional
tests, and by nothing else. No wheel contains it and no entry point names it.
"""
