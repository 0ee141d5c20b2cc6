# SPDX-License-Identifier: Apache-2.0
"""Who asks in the tests."""

USER_ID = 'fake_user'
PROJECT_ID = 'fake_project'
OTHER_PROJECT_ID = 'other_project'
TOKEN = 'fake-token'  # noqa: S105 (not a secret)


def token_info(**values):
    """What keystonemiddleware finds out about a token."""
    return {'token': {
        'methods': ['token'],
        'project': {'id': PROJECT_ID, 'name': PROJECT_ID,
                    'domain': {'id': 'default', 'name': 'Default'}},
        'user': {'id': USER_ID, 'name': USER_ID, 'domain': {'id': 'default', 'name': 'Default'}},
        'roles': [{'id': 'r1', 'name': 'member'}, {'id': 'r2', 'name': 'reader'}],
        'catalog': [],
        **values,
    }}
