# SPDX-License-Identifier: Apache-2.0
"""tools/lab. What it shares with the demo (console, keeper, driver) is magnum_demo's."""
