# SPDX-License-Identifier: Apache-2.0
"""JSON patch as this API understands it.

A patch is checked operation by operation against the stored document, then applied as a whole.
Which attributes a client may change is a table per type, next to the type's controller.
"""

import ast
import copy
from dataclasses import dataclass
import json
import re

import jsonpatch
import wsme

from magnum_ng.common import exception
from magnum_ng.i18n import _

# RFC 6901, without the empty pointer and without control characters.
POINTER = re.compile(r'(/(?:[^/~\x00-\x1f\x7f]|~[01])+)+')

# Attributes that hold objects or lists: the value may be one, or a text that says one.
STRUCTURED = {
    '/labels': dict,
    '/health_status_reason': dict,
    '/node_labels': dict,
    '/node_taints': list,
    '/properties': dict,
    '/member_ids': list,
}

MAX_TEXT = 65535
MAX_NESTING = 8


@dataclass(frozen=True)
class PatchRules:
    """What a patch of one type may change.

    ``mutable`` names the attributes that may differ afterwards; None means all that the type of
    the operations lets pass. ``refusal`` is the text for the others, with ``%s`` for their names.
    """

    mutable: frozenset | None = None
    refusal: str = ''

    def check_changes(self, before, after):
        """Refuse a change of what is not mutable. Saying a stored value again is no change.

        :raises: InvalidParameterValue.
        """
        if self.mutable is None:
            return
        changed = sorted(name for name in set(before) | set(after)
                         if before.get(name) != after.get(name) and name not in self.mutable)
        if changed:
            raise exception.InvalidParameterValue(self.refusal % ', '.join(changed))


def check_value(path, value):
    """Refuse a value of a kind that no attribute at the path takes.

    :raises: InvalidInput (400).
    """
    if isinstance(value, (str, int)):
        return
    kind = STRUCTURED.get(path)
    # Monitors send the reasons of a health report as a text; an object has always been refused.
    if kind is not None and isinstance(value, kind) and path != '/health_status_reason':
        return
    raise wsme.exc.InvalidInput(
        'value', str(value)[:1024],
        _("Wrong type. Expected '%(type)s', got '%(value)s'")
        % {'type': (str, int), 'value': type(value)})


def apply(document, operations):
    """The document after a patch; the one given stays as it is.

    :param operations: dictionaries with ``op``, ``path`` and ``value``.
    :raises: ClientSideError or PatchError (400).
    """
    operations = [dict(operation) for operation in operations]
    for operation in operations:
        _check_addition(document, operation)
    try:
        prepared = [_prepare(operation) for operation in operations]
        return jsonpatch.apply_patch(copy.deepcopy(document), prepared)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, ValueError, TypeError,
            KeyError, IndexError, AttributeError) as error:
        shown = str(operations)
        if len(shown) > 1024:
            shown = f'{shown[:1024]}...'
        raise exception.PatchError(patch=shown, reason=_reason(error)) from None


def _reason(error):
    known = (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, ValueError)
    return str(error) if isinstance(error, known) else _('The path does not fit the document.')


def _check_addition(document, operation):
    """An addition at the root is for attributes that exist and are null."""
    path = operation['path']
    if operation['op'] != 'add' or path.count('/') != 1:
        return
    name = unescape(path[1:])
    if name not in document:
        raise wsme.exc.ClientSideError(
            _('Adding a new attribute %s to the root of the resource is not allowed.') % path)
    if document[name] is not None:
        raise wsme.exc.ClientSideError(
            _("The attribute %s has existed, please use 'replace' operation instead.") % path)


def _prepare(operation):
    kind = STRUCTURED.get(operation['path'])
    if kind is None or 'value' not in operation:
        return operation
    value = operation['value']
    if not isinstance(value, kind):
        value = literal(value)
        if not isinstance(value, kind):
            raise ValueError(_('the value is not a %(kind)s')
                             % {'kind': 'JSON object' if kind is dict else 'JSON list'})
    return {**operation, 'value': value}


def unescape(segment):
    """A segment of a JSON pointer as the name it means."""
    return segment.replace('~1', '/').replace('~0', '~')


_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.S)
_HARMLESS = re.compile(r'(?:[\s\[\](){},:\w.]|(?<![\w.\])}])[-+](?=[\d.]))*')


def literal(text):
    """The value that a text says, as JSON or as a Python literal.

    :raises: ValueError for any other text; nothing in it is ever executed, nor deeply nested.
    """
    if not isinstance(text, str):
        raise ValueError(_('the value is neither an object, a list nor a text'))
    if len(text) > MAX_TEXT:
        raise ValueError(_('the value is longer than %d characters') % MAX_TEXT)
    bare = _QUOTED.sub(' ', text)
    if _nesting(bare) > MAX_NESTING:
        raise ValueError(_('the value nests deeper than %d levels') % MAX_NESTING)
    try:
        return json.loads(text, parse_constant=_no_number)
    except ValueError:
        pass
    if not _HARMLESS.fullmatch(bare):
        raise ValueError(_('malformed JSON or Python literal'))
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError(_('malformed JSON or Python literal')) from None


def _no_number(word):
    raise ValueError(word)


def _nesting(bare):
    depth = deepest = 0
    for character in bare:
        if character in '[({':
            depth += 1
            deepest = max(deepest, depth)
        elif character in '])}':
            depth -= 1
    return deepest
