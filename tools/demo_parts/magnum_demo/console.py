# SPDX-License-Identifier: Apache-2.0
"""What the demo shows: steps with their times, commands, and one line that changes in place.

Standard library only: tools/demo needs this before anything is installed.
"""

import os
import shlex
import shutil
import sys
import time


class Failed(Exception):
    """The demo cannot go on; the text is one line for the user, ``log`` where to read more."""

    def __init__(self, text, log=None):
        super().__init__(text)
        self.log = log


class Console:
    def __init__(self, stream=None):
        self.stream = stream or sys.stdout
        self.live = self.stream.isatty() and os.environ.get('TERM') != 'dumb'
        self.colour = self.live and not os.environ.get('NO_COLOR')
        self.steps = []
        self._shown = None

    def _paint(self, code, text):
        return f'\033[{code}m{text}\033[0m' if self.colour else text

    def say(self, text=''):
        self._clear()
        print(text, file=self.stream, flush=True)

    def title(self, text):
        self.say(self._paint('1', text))

    def command(self, words):
        self.say('    ' + self._paint('36', '$ ' + ' '.join(shlex.quote(w) for w in words)))

    def output(self, text):
        for line in text.rstrip().splitlines():
            self.say('      ' + line)

    def progress(self, text):
        """A line that the next one replaces; where that is not possible, each new one once."""
        if text == self._shown:
            return
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write('\r\033[K' + ('      ' + text)[:width])
            self.stream.flush()
        else:
            print('      ' + text, file=self.stream, flush=True)
        self._shown = text

    def _clear(self):
        if self.live and self._shown is not None:
            self.stream.write('\r\033[K')
        self._shown = None

    def step(self, title):
        return Step(self, title)

    def summary(self, total):
        self.say()
        self.title('Summary')
        width = max(len(title) for title, _ in self.steps)
        for title, seconds in self.steps:
            self.say(f'  {title:<{width}}  {seconds:6.1f} s')
        self.say(f'  {"-" * width}  --------')
        self.say(f'  {"all":<{width}}  {total:6.1f} s')


class Step:
    """A step of the demo; its title is shown when it begins, its time when it has ended."""

    def __init__(self, console, title):
        self.console = console
        self.title = title

    def __enter__(self):
        self.start = time.monotonic()
        self.console.say(f'{self.console._paint("1", "==>")} {self.title}')
        return self

    def __exit__(self, kind, *_):
        seconds = time.monotonic() - self.start
        if kind is None:
            self.console.steps.append((self.title, seconds))
            self.console.say(f'    {self.console._paint("32", "done")} in {seconds:.1f} s')
        else:
            self.console._clear()
