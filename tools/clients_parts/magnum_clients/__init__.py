# SPDX-License-Identifier: Apache-2.0
"""tools/clients: what the usual clients send, against a running service."""
