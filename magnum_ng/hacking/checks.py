# SPDX-License-Identifier: Apache-2.0
"""Rules of this project for flake8; HACKING.rst explains them.

flake8 loads this file by its path, so it imports nothing of the project.
"""

import re

from hacking import core

_IMPORT_ALIAS = re.compile(r'^\s*(?:from|import)\s+magnum(?:\.|\s|,|$)')
_NAMED_ALIAS = re.compile(
    r'\b(?:import_module|__import__|patch)\(\s*[\'"]magnum[.\'"]')
_GET_LOGGER = re.compile(r'\bgetLogger\(__name__\)')
_OWN_LOG = re.compile(r'^from magnum_ng\.common import log as logging\b', re.MULTILINE)
_EVENTLET = re.compile(r'^\s*(?:from|import)\s+eventlet\b')
_TRANSLATED_LOG = re.compile(
    r'\bLOG\.(?:debug|info|warning|error|exception|critical)\(\s*_\(')
_TRANSLATED_TEXT = re.compile(r'(?<![\w.])_\(\s*(.*)')
_LITERAL = re.compile(r'[\'"]')


@core.flake8ext
def no_import_of_the_alias(logical_line, filename):
    """Name modules of this package by their real name.

    M301
    """
    if '/magnum_ng/' not in f'/{filename}':
        return
    if _IMPORT_ALIAS.match(logical_line):
        yield 0, 'M301 import magnum_ng, not its alias magnum'


@core.flake8ext
def no_alias_in_strings(physical_line, filename):
    """Name modules of this package by their real name in strings too.

    M306
    """
    if '/magnum_ng/' in f'/{filename}':
        match = _NAMED_ALIAS.search(physical_line)
        if match:
            return match.start(), 'M306 import magnum_ng, not its alias magnum'
    return None


@core.flake8ext
def loggers_have_the_public_name(logical_line, lines, filename):
    """Operators' logging configurations select the logger "magnum".

    M302
    """
    if _GET_LOGGER.search(logical_line) and not _OWN_LOG.search(''.join(lines)):
        yield 0, 'M302 get the logger from magnum_ng.common.log'


@core.flake8ext
def no_eventlet(logical_line, filename):
    """Services run on threads.

    M303
    """
    if _EVENTLET.match(logical_line):
        yield 0, 'M303 do not use eventlet'


@core.flake8ext
def no_translated_log(logical_line):
    """Logs are for operators, in English.

    M304
    """
    if _TRANSLATED_LOG.search(logical_line):
        yield 0, 'M304 do not translate log messages'


@core.flake8ext
def translated_text_is_a_literal(logical_line):
    """A text put together before it is looked up is never found in a catalogue.

    M305
    """
    for match in _TRANSLATED_TEXT.finditer(logical_line):
        if match.group(1) and not _LITERAL.match(match.group(1)):
            yield match.start(), 'M305 pass a literal string to _()'
