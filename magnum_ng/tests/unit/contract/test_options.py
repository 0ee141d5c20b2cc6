# SPDX-License-Identifier: Apache-2.0
"""Options, entry points and generator files, compared with what release 23.0.0 has."""

import configparser
import importlib.metadata
import json
import os
import subprocess
import sys
import unittest

from oslo_config import cfg

import magnum_ng
import magnum_ng.conf
from magnum_ng.conf import opts as conf_opts

PACKAGE = os.path.dirname(os.path.abspath(magnum_ng.__file__))
TOP = os.path.dirname(PACKAGE)

with open(os.path.join(os.path.dirname(__file__), 'data', 'options.json')) as _file:
    RECORDED = json.load(_file)

# What we have and the original does not. An addition belongs here and into the documentation.
ADDED = {
    'api': {'graceful_timeout', 'max_json_depth', 'max_request_body_size', 'threads'},
    'conductor': {'health_poll_threads', 'operation_claim_timeout', 'operation_lease',
                  'operation_threads', 'operation_timeout', 'send_retries', 'service_expire_time',
                  'status_poll_interval', 'status_poll_threads'},
    'kubernetes': {'monitor_timeout'},
    'metrics': {'conductor_port', 'directory', 'enabled', 'host', 'port'},
    'openstack_client': {'connect_retries', 'connect_timeout', 'pool_size', 'read_timeout'},
}

# The options of these groups come from libraries and change with them.
LIBRARY_GROUPS = {'profiler', 'profiler_jaeger', 'profiler_otlp'}


def listed():
    """What the sample generator gets: {group: {name: option}}."""
    found = {}
    for group, options in conf_opts.list_opts():
        found.setdefault(getattr(group, 'name', group), {}).update(
            (option.name, option) for option in options)
    return found


def registered():
    conf = cfg.ConfigOpts()
    for name in conf_opts._list_module_names():
        module = getattr(magnum_ng.conf, name)
        module.register_opts(conf)
    return conf


def describe(option):
    kind = type(option).__name__
    facts = {'class': 'Opt' if kind == '_AuthOpt' else kind,
             'default': option.default,
             'required': bool(option.required),
             'secret': bool(option.secret),
             'deprecated_names': [{'group': old.group, 'name': old.name}
                                  for old in option.deprecated_opts]}
    for limit in ('min', 'max'):
        value = getattr(option.type, limit, None)
        if value is not None:
            facts[limit] = value
    choices = getattr(option.type, 'choices', None)
    if choices:
        facts['choices'] = list(choices)
    return facts


class OptionsTestCase(unittest.TestCase):
    maxDiff = None

    def test_every_recorded_option_is_there_unchanged(self):
        conf, ours = registered(), listed()
        for recorded in RECORDED['options']:
            group, name = recorded['group'], recorded['name']
            with self.subTest(group=group, name=name):
                option = ours[group][name]
                facts = describe(option)
                expected = {key: recorded[key] for key in facts if key in recorded}
                expected = {'required': False, 'secret': False, 'deprecated_names': [],
                            **expected}
                if (group, name) == ('keystone_auth', 'auth_type'):
                    # Declared by a library; the default in effect is set at registration.
                    expected['default'] = None
                if name == 'pybasedir':
                    expected['default'] = PACKAGE
                self.assertEqual(expected, facts)
                if recorded.get('registered_on_import_of_conf', True):
                    self.assertIn(option.dest, conf if group == 'DEFAULT' else conf[group])

    def test_the_defaults_set_for_libraries_are_in_effect(self):
        conf = registered()
        self.assertEqual('password', conf.keystone_auth.auth_type)
        self.assertEqual(f'sqlite:///{PACKAGE}/magnum.sqlite', conf.database.connection)

    def test_nothing_is_there_beyond_the_listed_additions(self):
        recorded = {}
        for option in RECORDED['options']:
            recorded.setdefault(option['group'], set()).add(option['name'])
        added = {}
        for group, options in listed().items():
            extra = set(options) - recorded.get(group, set())
            if extra and group not in LIBRARY_GROUPS:
                added[group] = extra
        self.assertEqual(ADDED, added)

    def test_additions_refuse_senseless_numbers(self):
        for group, names in ADDED.items():
            for name in names:
                option = listed()[group][name]
                if isinstance(option, cfg.IntOpt | cfg.FloatOpt):
                    with self.subTest(group=group, name=name):
                        self.assertGreaterEqual(option.type.min, 0)

    def test_every_option_is_documented(self):
        for group, options in listed().items():
            for name, option in options.items():
                if group not in LIBRARY_GROUPS:
                    self.assertTrue(option.help, f'[{group}]{name}')

    def test_the_library_options_available_after_an_import_are_the_recorded_ones(self):
        for group, names in RECORDED['library_options'].items():
            for name in set(names) - {'asyncio_connection', 'asyncio_slave_connection'}:
                self.assertIn(name, magnum_ng.conf.CONF[group])

    def test_the_options_are_on_the_global_object_of_the_library(self):
        self.assertIs(cfg.CONF, magnum_ng.conf.CONF)

    def test_unknown_groups_and_options_are_accepted(self):
        conf = registered()
        conf.register_opts([])
        path = os.path.join(TOP, 'magnum_ng', 'tests', 'unit', 'contract', 'data',
                            'retired.conf')
        conf(['--config-file', path], project='magnum')
        self.assertEqual('internalURL', conf.nova_client.endpoint_type)

    def test_nothing_is_said_about_unknown_groups_and_options(self):
        path = os.path.join(os.path.dirname(__file__), 'data', 'retired.conf')
        program = ('from magnum_ng.common import service\n'
                   'import logging\n'
                   f'service.prepare_service(["magnum-api", "--config-file", {path!r}])\n'
                   'logging.getLogger("magnum.check").info("ready")')
        done = subprocess.run([sys.executable, '-W', 'ignore', '-c', program], cwd='/',
                              env=dict(os.environ, PYTHONPATH=TOP), capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        lines = (done.stdout + done.stderr).splitlines()
        self.assertEqual(1, len(lines), lines)
        self.assertIn('ready', lines[0])


class GeneratorTestCase(unittest.TestCase):

    def test_the_generator_file_lists_the_recorded_namespaces(self):
        with open(os.path.join(TOP, 'etc', 'magnum', 'magnum-config-generator.conf')) as file:
            names = [line.split('=')[1].strip() for line in file
                     if line.startswith('namespace')]
        self.assertEqual(RECORDED['generator_namespaces'], names)


class EntryPointTestCase(unittest.TestCase):
    """Names as recorded; what they name lives in our package."""

    ADDED = {'console_scripts': {'magnum-api-wsgi'}}

    def declared(self):
        parser = configparser.ConfigParser()
        parser.read(os.path.join(TOP, 'setup.cfg'))
        groups = {}
        for group, text in parser['entry_points'].items():
            groups[group] = dict(line.split(' = ') for line in text.strip().split('\n'))
        return groups

    def test_the_names_are_the_recorded_ones(self):
        declared = self.declared()
        self.assertEqual(set(RECORDED['entry_points']), set(declared))
        for group, names in RECORDED['entry_points'].items():
            self.assertEqual(set(names) | self.ADDED.get(group, set()), set(declared[group]))

    def test_every_entry_point_loads(self):
        for group, names in self.declared().items():
            for name, value in names.items():
                if name == 'magnum-api-wsgi':   # needs a configured service to load
                    continue
                with self.subTest(group=group, name=name):
                    importlib.metadata.EntryPoint(name, value, group).load()
