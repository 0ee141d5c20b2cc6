# SPDX-License-Identifier: Apache-2.0
"""Microversions: the list of them, and what a request asks for."""

import functools
import re

from webob import exc

from magnum_ng.i18n import _

# Everything that a version changed. Rules and fields name the version themselves (``since``,
# ``until``); adding one begins here.
VERSIONS = (
    '1.1',   # the first one
    '1.2',   # cluster create, update and delete answer before the work is done
    '1.3',   # rollback of a cluster update
    '1.4',   # statistics
    '1.5',   # rotation of the certificate authority
    '1.6',   # quotas
    '1.7',   # resize
    '1.8',   # upgrade
    '1.9',   # nodegroups
    '1.10',  # nodegroups without nodes
    '1.11',  # bays and baymodels are gone
    '1.12',  # rotation of the cluster's credentials
    '1.13',  # cluster_id in place of stack_id
    '1.14',  # node_labels and node_taints
)

SERVICE = 'container-infrastructure-management'
SERVICES = frozenset((SERVICE, 'container-infrastructure', 'container-infra'))

BASE_VER = VERSIONS[0]
CURRENT_MAX_VER = VERSIONS[-1]
MIN_VER = f'{SERVICE} {BASE_VER}'
MAX_VER = f'{SERVICE} {CURRENT_MAX_VER}'

_NUMBER = re.compile(r'([0-9]{1,9})\.([0-9]{1,9})\Z')


@functools.total_ordering
class Version:
    """A version as a client or this service names it; compares by its numbers."""

    string = 'OpenStack-API-Version'
    min_string = 'OpenStack-API-Minimum-Version'
    max_string = 'OpenStack-API-Maximum-Version'
    service_string = 'container-infra'

    __slots__ = ('major', 'minor')

    def __init__(self, headers, default_version, latest_version, from_string=None):
        """Read a version from ``from_string`` ("1.5") if given, else from request headers.

        :raises: webob's HTTPNotAcceptable if the header cannot be read.
        """
        if from_string:
            major, minor = from_string.split('.')[:2]
            self.major, self.minor = int(major), int(minor)
        else:
            self.major, self.minor = self.parse_headers(headers, default_version, latest_version)

    @classmethod
    def parse_headers(cls, headers, default_version, latest_version):
        """The pair of numbers that request headers ask for.

        The header may name several services ("container-infra 1.5, compute 2.1"): ours counts.
        The default is for a request without the header.
        """
        header = headers.get(cls.string)
        entries = [header or default_version]
        if header and ',' in header:
            entries = header.split(',')
        named = [entry.split() for entry in entries]
        for words in named:
            if len(words) == 2 and (words[0] in SERVICES or words[1].lower() == 'latest'
                                    and len(named) == 1):
                return cls._numbers(words[1], latest_version)
        if len(named) == 1 and len(named[0]) != 2 and named[0][:1] != [] \
                and named[0][0] in SERVICES:
            raise exc.HTTPNotAcceptable(_('Invalid value for %s header') % cls.string)
        raise exc.HTTPNotAcceptable(_('Invalid service type for %s header') % cls.string)

    @classmethod
    def _numbers(cls, word, latest_version):
        if word.lower() == 'latest':
            word = latest_version.split()[1]
        match = _NUMBER.match(word)
        if not match:
            raise exc.HTTPNotAcceptable(_('Invalid value for %s header') % cls.string)
        return int(match[1]), int(match[2])

    def is_null(self):
        return self.major == 0 and self.minor == 0

    def matches(self, start_version, end_version):
        """Whether this version lies between two others, both included."""
        if self.is_null():
            raise ValueError('a null version is no version')
        return start_version <= self <= end_version

    def _pair(self):
        return self.major, self.minor

    def __eq__(self, other):
        return isinstance(other, Version) and self._pair() == other._pair()

    def __lt__(self, other):
        return self._pair() < other._pair()

    def __hash__(self):
        return hash(self._pair())

    def __repr__(self):
        return f'{self.major}.{self.minor}'


MINIMUM = Version(None, None, None, from_string=BASE_VER)
MAXIMUM = Version(None, None, None, from_string=CURRENT_MAX_VER)
