# SPDX-License-Identifier: Apache-2.0
"""What ``magnum-status upgrade check`` looks at.

The checks read with plain SQL and only the columns that are there: they also run on the database
of an earlier release, before it is upgraded.
"""
