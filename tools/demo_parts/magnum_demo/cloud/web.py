# SPDX-License-Identifier: Apache-2.0
"""The little that the embedded services share: routes, JSON answers, errors, filters."""

import json
import re

import webob
import webob.exc


class Problem(Exception):
    """An error answer; each service words its body in its own manner."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
        self.message = message


class Answer:
    """A status other than 200, or headers, beside the body."""

    def __init__(self, body=None, status=200, headers=None, text=None):
        self.body = body
        self.status = status
        self.headers = headers or {}
        self.text = text


def route(method, path, public=False):
    """Mark a method of a Service as the one that answers; {name} in the path is an argument."""
    pattern = re.compile('^' + re.sub(r'{(\w+)}', r'(?P<\1>[^/]+)', path) + '/?$')

    def mark(function):
        function.routes = getattr(function, 'routes', []) + [(method, pattern, public)]
        return function
    return mark


class Service:
    """One service of the embedded cloud, below its own path prefix."""

    name = type = prefix = suffix = ''

    def __init__(self, cloud):
        self.cloud = cloud
        self.table = [
            (method, pattern, public, getattr(self, attribute))
            for attribute in dir(type(self))
            for method, pattern, public in getattr(getattr(type(self), attribute), 'routes', ())]

    @property
    def url(self):
        return self.cloud.url + self.prefix

    def problem(self, status, message):
        """The body of an error answer."""
        title = webob.exc.status_map[status].title
        return {'error': {'code': status, 'title': title, 'message': message}}

    def handle(self, request):
        """Answer a webob request whose path_info is already relative to the prefix."""
        try:
            answer = self._dispatch(request)
        except Problem as e:
            answer = Answer(self.problem(e.status, e.message), e.status)
            if e.status == 401:
                answer.headers['WWW-Authenticate'] = f'Keystone uri="{self.cloud.auth_url}"'
        response = webob.Response(status=answer.status)
        if answer.text is not None:
            response.content_type = 'application/octet-stream'
            response.body = answer.text.encode()
        elif answer.body is not None:
            response.content_type = 'application/json'
            response.charset = None
            response.body = json.dumps(answer.body).encode()
        else:
            response.headers.pop('Content-Type', None)
        response.headers.update(answer.headers)
        return response

    def _dispatch(self, request):
        known = False
        for method, pattern, public, function in self.table:
            match = pattern.match(request.path_info or '/')
            if match is None:
                continue
            known = True
            if method != request.method and not (method == 'GET' and request.method == 'HEAD'):
                continue
            if not public:
                request.token = self.cloud.identity.require(request.headers.get('X-Auth-Token'))
            answer = function(request, **match.groupdict())
            return answer if isinstance(answer, Answer) else Answer(answer)
        if known:
            raise Problem(405, 'The method is not allowed for this resource.')
        raise Problem(404, 'The resource could not be found.')


def body_of(request, key=None):
    """The JSON object a client sent, or the object below its only key."""
    try:
        body = request.json_body
        if key is not None:
            body = body[key]
    except (ValueError, KeyError, TypeError):
        body = None
    if not isinstance(body, dict):
        raise Problem(400, f'A JSON object {key or ""} was expected in the body.')
    return body


def select(items, request, *fields):
    """Filter rows by the query's exact values, then page with limit and marker."""
    for field in fields:
        wanted = {value.lower() for value in request.GET.getall(field)}
        if wanted:
            items = [item for item in items if str(item.get(field)).lower() in wanted]
    marker = request.GET.get('marker')
    if marker:
        ids = [item['id'] for item in items]
        items = items[ids.index(marker) + 1:] if marker in ids else []
    limit = request.GET.get('limit', '')
    return items[:int(limit)] if limit.isdigit() and int(limit) else items


def find(items, ident, what, key='id'):
    """The one row with this id, or a 404."""
    for item in items:
        if item[key] == ident:
            return item
    raise Problem(404, f'{what} {ident} could not be found.')
