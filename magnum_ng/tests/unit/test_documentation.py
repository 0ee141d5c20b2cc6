# SPDX-License-Identifier: Apache-2.0
"""What the documentation names is there: options, policy rules, files, entries of the API."""

import pathlib
import re

from oslo_config import generator
from oslo_log import log as oslo_log  # noqa: F401  (its options are listed below)

from magnum_ng.common import policies
from magnum_ng.tests import base

TOP = pathlib.Path(__file__).parents[3]
PAGES = TOP / 'doc' / 'source'

OPTION = re.compile(r'\[(\w+)\]\s?([a-z]\w+)')
LITERAL = re.compile(r'``([^`]+)``')
RULE = re.compile(r'(?:cluster|clustertemplate|nodegroup|certificate|credential|quota):[a-z_]+')
FILE = re.compile(r'(?:magnum_ng|doc|api-ref|tools|etc|releasenotes)/[\w./-]+')
# Below magnum_ng, as the architecture names them.
MODULE = re.compile(r'(?:api|cmd|common|conductor|conf|db|drivers|objects|service)/[\w./]+')

# Options of libraries whose lists need their services.
FOREIGN = {('DEFAULT', 'graceful_shutdown_timeout'), ('oslo_middleware', 'max_request_body_size'),
           ('oslo_middleware', 'enable_proxy_headers_parsing'),
           ('oslo_messaging_rabbit', 'rabbit_retry_interval')}

# Groups of tempest.conf, which a page for contributors names.
TEMPEST = frozenset({'magnum', 'compute', 'identity', 'network', 'auth'})


def options():
    namespaces = ('magnum.conf', 'oslo.db', 'oslo.log', 'oslo.messaging', 'oslo.policy',
                  'oslo.concurrency', 'oslo.service.service', 'keystonemiddleware.auth_token')
    found = set(FOREIGN)
    for _namespace, groups in generator._list_opts(namespaces):
        for group, opts in groups:
            name = getattr(group, 'name', group) or 'DEFAULT'
            for opt in opts:
                found.add((name, opt.dest))
    return found


class TestDocumentation(base.TestCase):
    def setUp(self):
        super().setUp()
        if not PAGES.is_dir():
            self.skipTest('there is no doc/source: this is no checkout')
        self.pages = {path.relative_to(PAGES): path.read_text()
                      for path in sorted(PAGES.rglob('*.rst'))}

    def literals(self, *folders):
        for path, text in self.pages.items():
            if path.parts[0] in folders or not folders:
                for literal in LITERAL.findall(text):
                    yield path, ' '.join(literal.split())

    def test_options_exist(self):
        known = options()
        self.assertGreater(len(known), 200)
        unknown = sorted({(str(path), *named) for path, literal in self.literals()
                          for named in OPTION.findall(literal)
                          if named not in known and named[0] not in TEMPEST})
        self.assertEqual([], unknown)

    def test_policy_rules_exist(self):
        known = {rule.name for rule in policies.list_rules()}
        unknown = sorted({(str(path), literal) for path, literal in self.literals()
                          if RULE.fullmatch(literal) and literal not in known})
        self.assertEqual([], unknown)

    def test_files_exist(self):
        missing = set()
        for path, literal in self.literals('contributor', 'install', 'admin'):
            word = literal.split()[0]
            if FILE.fullmatch(word) and not (TOP / word).exists():
                missing.add((str(path), word))
            elif path.parts[0] == 'contributor' and MODULE.fullmatch(word) \
                    and not (TOP / 'magnum_ng' / word).exists():
                missing.add((str(path), word))
        self.assertEqual([], sorted(missing))
