# SPDX-License-Identifier: Apache-2.0
"""``status`` and ``openrc``: the commands that only look. Standard library only."""

import os
import shlex
import sys

from magnum_lab import processes
from magnum_lab import settings

USERS = ('demo', 'demo-reader', 'other', 'admin')
PROJECTS = {'demo-reader': 'demo'}


def status():
    """Print a table. Returns 0 if everything runs, 3 if something does not."""
    well = True
    for name in settings.SERVICES + settings.MAGNUM:
        pid = processes.pid_of(name)
        address = settings.url(name) if name in settings.PORTS else ''
        if not pid:
            state = 'down'
        elif not address or processes.answers(address):
            state = 'up'
        else:
            state = 'does not answer'
        well &= state == 'up'
        print(f'{name:<17} {state:<16} {pid or "-":>7}  {address}')
    return 0 if well else 3


def variables(user):
    return {
        'OS_AUTH_TYPE': 'password', 'OS_AUTH_URL': settings.url('keystone'),
        'OS_IDENTITY_API_VERSION': '3', 'OS_USERNAME': user,
        'OS_PASSWORD': settings.password(), 'OS_PROJECT_NAME': PROJECTS.get(user, user),
        'OS_USER_DOMAIN_ID': 'default', 'OS_PROJECT_DOMAIN_ID': 'default',
        'OS_REGION_NAME': settings.REGION}


def openrc_text(user):
    lines = [f'# The lab as {user}: eval "$(tools/lab openrc {user})"',
             'for _name in $(env | sed -n "s/^\\(OS_[A-Z_]*\\)=.*/\\1/p"); '
             'do unset "$_name"; done; unset _name']
    lines += [f'export {name}={shlex.quote(value)}' for name, value in variables(user).items()]
    path = os.path.join(settings.VENV, 'bin')
    lines.append(f'case :$PATH: in *:{path}:*) ;; '
                 f'*) export PATH={shlex.quote(path)}:$PATH ;; esac')
    return '\n'.join(lines) + '\n'


def openrc(user):
    try:
        sys.stdout.write(openrc_text(user))
    except OSError:
        print('tools/lab: there is no lab; start it with "tools/lab up"', file=sys.stderr)
        return 1
    return 0
