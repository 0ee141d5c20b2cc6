#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the guard table: which operation leads from which status of a cluster to which.

Writes the page ``doc/source/contributor/states.rst`` to standard output; with ``--dot`` the graph
alone, in the language of Graphviz. A test compares the page with the table.
"""

import sys
import textwrap

from magnum_ng.conductor import states

SETTLED = 'settled'

PAGE = """\
=====================
Statuses of a cluster
=====================

.. Made by tools/states_to_dot.py from magnum_ng/conductor/states.py; do not edit.

Every request is compared with one table while the row of the cluster is locked. What the table
does not allow is refused with 409. Solid lines are requests, dashed lines what drivers and
conductors report.

.. image:: /images/states.svg
   :alt: The statuses that are met every day, and what leads from one to the next
   :width: 420px

The graph and the table have all of them. ``settled`` stands for {settled}.

.. graphviz::

{dot}

{table}
"""


def name(status):
    return SETTLED if status in states.SETTLED else status


def edges():
    """{(status before, status after): {operation}}, from the guard table alone."""
    found: dict = {}
    for action, guard in states.GUARDS.items():
        for status in guard.cluster or {'start'}:
            if not (action == states.DELETE and status in states.DELETING):
                after = name(guard.cluster_status or status)
                found.setdefault((name(status), after), set()).add(action)
    return found


def dot():
    lines = ['digraph states {', 'rankdir = LR;', 'node [shape = box];',
             'start [shape = point];']
    for (before, after), actions in sorted(edges().items()):
        label = '\\n'.join(sorted(actions))
        lines.append(f'{before} -> {after} [label = "{label}"];')
    for status in sorted(states.IN_PROGRESS):
        action = status.partition('_')[0]
        for end in (f'{action}_COMPLETE', f'{action}_FAILED'):
            lines.append(f'{status} -> {name(end)} [style = dashed];')
    return '\n'.join([*lines, '}'])


def _statuses(allowed):
    if allowed == states.EVERY:
        return 'any'
    names = sorted({name(status) for status in allowed}, key=lambda text: (text.isupper(), text))
    return ', '.join(names) or 'not there yet'


def table():
    lines = ['.. list-table::', '   :header-rows: 1', '', '   * - operation',
             '     - allowed when the cluster is', '     - status afterwards',
             '     - when it has failed']
    for action, guard in states.GUARDS.items():
        lines += [f'   * - ``{action}``', f'     - {_statuses(guard.cluster)}',
                  f'     - {guard.cluster_status or "as before"}', f'     - {guard.failed}']
    return '\n'.join(lines)


def page():
    settled = textwrap.fill(', '.join(sorted(states.SETTLED)), 90)
    return PAGE.format(settled=settled, dot=textwrap.indent(dot(), '   '), table=table())


if __name__ == '__main__':
    print(dot() if '--dot' in sys.argv[1:] else page(), end='')
