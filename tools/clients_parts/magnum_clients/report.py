# SPDX-License-Identifier: Apache-2.0
"""One line for each check, and a summary."""

import time


class Failed(Exception):
    """A check has failed; the text says how."""


class Report:
    def __init__(self):
        self.passed = {}
        self.failed = []
        self.group = ''

    def begin(self, group):
        self.group = group
        self.passed[group] = 0
        print(f'\n{group}', flush=True)

    def check(self, name, function, *args, **kwargs):
        """Run a check; what it returns, or None if it has failed."""
        begun = time.monotonic()
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            text = ' '.join(str(error).split()) or type(error).__name__
            self.failed.append(f'{self.group}: {name}')
            self._line('FAIL', begun, name)
            print(f'               {text[:400]}', flush=True)
            return None
        self.passed[self.group] += 1
        self._line('ok', begun, name)
        return result

    @staticmethod
    def _line(verdict, begun, name):
        print(f'  {verdict:<4} {time.monotonic() - begun:6.1f} s  {name}', flush=True)

    def finish(self):
        """Print the summary; the exit status."""
        print('\nSummary')
        for group, count in self.passed.items():
            bad = sum(name.startswith(group + ': ') for name in self.failed)
            print(f'  {group:<28} {count:3d} passed, {bad} failed')
        for name in self.failed:
            print(f'  FAILED  {name}')
        print(f'{sum(self.passed.values())} passed, {len(self.failed)} failed')
        return 1 if self.failed else 0


def ensure(condition, text):
    if not condition:
        raise Failed(text)


def until(what, ready, seconds=90):
    """Ask again and again; what was ready."""
    deadline = time.monotonic() + seconds
    while True:
        found = ready()
        if found:
            return found
        ensure(time.monotonic() < deadline, f'{what}: not within {seconds} s')
        time.sleep(0.5)
