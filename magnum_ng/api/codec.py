# SPDX-License-Identifier: Apache-2.0
"""From JSON to API types and back, as WSME does it, at a fraction of its cost.

Writers are compiled once per type. Readers are stricter than WSME's where its own leniency ends
in an internal error: nulls inside dictionaries, lists where an object belongs, fractions.
"""

import datetime
import json
import re

from wsme import exc
from wsme import types as wtypes

from magnum_ng.i18n import _

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.S)
_NUL = re.compile(r'(?<!\\)(?:\\\\)*\\u0000')
_PLAIN = (str, int, float, bool)
_writers = {}


class WrongValue(ValueError):
    """A value whose attribute has to be named in the error."""


# --- writing

def dumps(datatype, value):
    """The text of an answer; a dictionary is one that its view has finished."""
    return json.dumps(value if type(value) is dict else writer(datatype)(value))


def writer(datatype):
    """The function that turns a value of an API type into what json can write."""
    try:
        return _writers[datatype]
    except KeyError:
        _writers[datatype] = made = _compile(datatype)
        return made


def _as_it_is(value):
    return value


def _compile(datatype):
    if wtypes.iscomplex(datatype):
        return _object_writer(datatype)
    if wtypes.isarray(datatype):
        item = writer(datatype.item_type)
        if item is _as_it_is:
            return _as_it_is
        return lambda value: None if value is None else [item(entry) for entry in value]
    if wtypes.isdict(datatype):
        return _dict_writer(datatype)
    if wtypes.isusertype(datatype):
        return _user_writer(datatype)
    if datatype in (datetime.datetime, datetime.date, datetime.time):
        return lambda value: None if value is None else value.isoformat()
    return _as_it_is


def _dict_writer(datatype):
    if datatype.value_type in _PLAIN or wtypes.isusertype(datatype.value_type):
        return _as_it_is
    item = writer(datatype.value_type)
    if item is _as_it_is:
        return _as_it_is
    return lambda value: None if value is None else {key: item(entry)
                                                     for key, entry in value.items()}


def _user_writer(datatype):
    convert = datatype.tobasetype
    if getattr(convert, '__func__', None) in (wtypes.UserType.tobasetype, wtypes.Enum.tobasetype):
        return _as_it_is
    return lambda value: None if value is None else convert(value)


def _object_writer(datatype):
    stored, computed = [], []
    for attribute in wtypes.list_attributes(datatype):
        entry = (attribute.name, attribute.key, getattr(attribute, 'default', wtypes.Unset),
                 writer(attribute.datatype))
        (stored if isinstance(attribute, wtypes.wsattr) else computed).append(entry)
    order = [attribute.name for attribute in wtypes.list_attributes(datatype)]
    unset, empty = wtypes.Unset, object()

    def write(value):
        if value is None or type(value) is dict:
            # A dict is an answer that somebody has put together already.
            return value
        holder = getattr(value, '_wsme_dataholder', empty)
        result = {}
        for name, key, default, convert in stored:
            item = getattr(holder, key, default)
            if item is not unset:
                result[name] = item if item is None or convert is _as_it_is else convert(item)
        if not computed:
            return result
        for name, key, _default, convert in computed:
            item = getattr(value, key)
            if item is not unset:
                result[name] = convert(item)
        return {name: result[name] for name in order if name in result}

    return write


# --- reading

def loads(body, max_depth):
    """A request body's JSON.

    :raises: ClientSideError (400) if it is not JSON, or has what no database and no other
        service can take: NaN, characters that are no text, endless nesting.
    """
    if body.count(b'[') + body.count(b'{') > max_depth and _depth(body) > max_depth:
        raise exc.ClientSideError(
            _('The request body nests lists and objects deeper than %d levels.') % max_depth)
    try:
        data = json.loads(body.decode('utf-8'), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise exc.ClientSideError(_('Request is not in valid JSON format')) from None
    if b'\\u' in body or b'\x00' in body:
        _check_characters(data)
    return data


def _depth(body):
    depth = deepest = 0
    for match in _TOKEN.finditer(body):
        first = match[0][:1]
        if first in b'[{':
            depth += 1
            deepest = max(deepest, depth)
        elif first in b']}':
            depth -= 1
    return deepest


def _no_number(word):
    raise ValueError(word)


def _check_characters(data):
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode('utf-8')
    except UnicodeEncodeError:
        raise exc.ClientSideError(_('The request body has half of a surrogate pair.')) from None
    if _NUL.search(text):
        raise exc.ClientSideError(_('The request body has a NUL character.'))


def read(datatype, value, name):
    """The value of an API type from what json has read.

    :param name: the argument's name, for errors.
    :raises: ClientSideError (400) of some kind.
    """
    try:
        if value is None and not wtypes.iscomplex(datatype) and not wtypes.isarray(datatype):
            return None
        if value is None:
            wanted = 'list' if wtypes.isarray(datatype) else 'dict'
            raise ValueError(f'Value not a valid {wanted}: {value}')
        return _read(datatype, value)
    except exc.UnknownAttribute as error:
        error.add_fieldname(name)
        raise
    except exc.ClientSideError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise invalid(name, value, error) from None


def invalid(name, value, reason):
    """The error about a value, which is quoted in bounded length."""
    quoted = str(value)
    if len(quoted) > 1024:
        quoted = f'{quoted[:1024]}...'
    return exc.InvalidInput(name, quoted, str(reason))


def _read(datatype, value):
    if wtypes.iscomplex(datatype):
        return _read_object(datatype, value)
    if value is None:
        return None
    if wtypes.isarray(datatype):
        if not isinstance(value, list):
            raise ValueError(f'Value not a valid list: {value}')
        return [_read_item(datatype.item_type, item) for item in value]
    if wtypes.isdict(datatype):
        if not isinstance(value, dict):
            raise ValueError(f'Value not a valid dict: {value}')
        return {key: _read_item(datatype.value_type, item) for key, item in value.items()}
    if wtypes.isusertype(datatype):
        return datatype.frombasetype(_read_base(datatype.basetype, value))
    return _read_base(datatype, value)


def _read_item(datatype, value):
    if value is None and not wtypes.iscomplex(datatype):
        raise WrongValue(_('Value should not hold null'))
    return _read(datatype, value)


def _read_base(datatype, value):
    if datatype is int or datatype is float:
        if isinstance(value, (list, dict)):
            raise WrongValue(f"Wrong type. Expected '{datatype}', got '{type(value)}'")
        if isinstance(value, float) and datatype is int:
            if not value.is_integer():
                raise WrongValue(_('Value should be a whole number'))
        return datatype(value)
    if datatype is bool:
        return _read_bool(value)
    if datatype in (datetime.datetime, datetime.date, datetime.time):
        if not isinstance(value, str):
            raise WrongValue(f"Wrong type. Expected '{datatype}', got '{type(value)}'")
        return datatype.fromisoformat(value)
    return value


def _read_bool(value):
    if isinstance(value, (bool, int)):
        return bool(value)
    if isinstance(value, str) and value in ('true', 't', 'yes', 'y', 'on', '1'):
        return True
    if isinstance(value, str) and value in ('false', 'f', 'no', 'n', 'off', '0'):
        return False
    raise ValueError(f'Value not an unambiguous boolean: {value}')


def _read_object(datatype, value):
    if not isinstance(value, dict):
        raise ValueError(f'Value not a valid dict: {value}')
    attributes = wtypes.list_attributes(datatype)
    unknown = set(value).difference(attribute.name for attribute in attributes)
    if unknown:
        raise exc.UnknownAttribute(None, sorted(unknown))
    result = datatype()
    for attribute in attributes:
        item = value.get(attribute.name)
        if item is None and attribute.mandatory:
            raise exc.InvalidInput(attribute.name, None, 'Mandatory field missing.')
        if attribute.name not in value:
            continue
        if getattr(attribute, 'readonly', False):
            raise invalid(attribute.name, item, 'Cannot set read only field.')
        try:
            setattr(result, attribute.key, _read(attribute.datatype, item))
        except exc.InvalidInput as error:
            if len(str(error.value)) > 1024:
                raise invalid(error.fieldname, error.value, error.msg) from None
            raise
        except exc.UnknownAttribute as error:
            error.add_fieldname(attribute.name)
            raise
        except WrongValue as error:
            raise invalid(attribute.name, item, error) from None
    return wtypes.validate_value(datatype, result)
