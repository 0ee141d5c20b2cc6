# SPDX-License-Identifier: Apache-2.0
"""What package tools and image builders read from the source tree."""

import configparser
import json
import os
import re
import subprocess
import unittest

import magnum_ng

TOP = os.path.dirname(os.path.dirname(os.path.abspath(magnum_ng.__file__)))


def read(*names):
    with open(os.path.join(TOP, *names)) as file:
        return file.read()


class SetupTestCase(unittest.TestCase):

    def setUp(self):
        self.setup = configparser.ConfigParser()
        self.setup.read_string(read('setup.cfg'))

    def test_devstack_finds_the_name_of_the_distribution(self):
        names = [line.split()[2] for line in read('setup.cfg').splitlines()
                 if re.match('name.*=', line)]
        self.assertEqual(['magnum'], names)

    def test_a_clone_without_tags_satisfies_the_drivers(self):
        self.assertRegex(self.setup['metadata']['version'], r'^23\.0\.\d+$')

    def test_only_the_paste_file_is_installed_outside_of_the_packages(self):
        self.assertEqual('etc/magnum =\netc/magnum/api-paste.ini',
                         self.setup['files']['data_files'].strip())

    def test_both_packages_are_shipped(self):
        self.assertEqual(['magnum_ng', 'magnum'], self.setup['files']['packages'].split())

    def test_the_extras_that_tools_ask_for_are_there(self):
        self.assertLessEqual({'osprofiler', 'cluster_api'}, set(self.setup['extras']))

    def test_the_build_needs_what_openstack_ansible_has_in_place_and_no_more(self):
        text = read('pyproject.toml')
        wanted = re.search(r'^requires = \[(.*)\]$', text, re.MULTILINE).group(1)
        self.assertEqual({'pbr', 'setuptools', 'wheel'},
                         {re.match(r'[a-z]+', name.strip(' "')).group(0)
                          for name in wanted.split(',')})


class FilesTestCase(unittest.TestCase):

    def test_the_files_that_tools_copy_are_there(self):
        for name in ('etc/magnum/api-paste.ini',
                     'etc/magnum/keystone_auth_default_policy.sample',
                     'etc/magnum/magnum-config-generator.conf',
                     'etc/magnum/magnum-policy-generator.conf', 'requirements.txt',
                     'devstack/settings', 'devstack/plugin.sh', 'devstack/lib/magnum',
                     'magnum/wsgi/api.py'):
            self.assertTrue(os.path.isfile(os.path.join(TOP, name)), name)

    def test_the_alias_holds_nothing_else(self):
        found = []
        for folder, folders, files in os.walk(os.path.join(TOP, 'magnum')):
            folders[:] = [name for name in folders if name != '__pycache__']
            found += [os.path.relpath(os.path.join(folder, name), TOP) for name in files]
        self.assertEqual(['magnum/__init__.py', 'magnum/wsgi/__init__.py',
                          'magnum/wsgi/api.py'], sorted(found))

    def test_the_paste_file_uses_the_names_that_deployed_files_use(self):
        text = read('etc', 'magnum', 'api-paste.ini')
        for name in ('magnum.api:root_app_factory', 'magnum.api.app:app_factory',
                     'magnum.api.middleware.auth_token:AuthTokenMiddleware.factory',
                     'magnum.common.profiler:WsgiMiddleware.factory'):
            self.assertIn(name, text)
        self.assertIn('sizelimit', text)

    def test_the_sample_policy_knows_the_three_roles_of_clusters(self):
        rules = json.loads(read('etc', 'magnum', 'keystone_auth_default_policy.sample'))
        self.assertEqual(['k8s_admin', 'k8s_developer', 'k8s_viewer'],
                         [rule['users']['roles'][0] for rule in rules])
        for rule in rules:
            self.assertEqual(['$PROJECT_ID'], rule['users']['projects'])
            self.assertTrue(rule['resource_permissions'])
        viewer = rules[2]['resource_permissions']
        self.assertEqual({'get', 'list', 'watch'}, set().union(*viewer.values()))

    def test_what_devstack_sources_is_valid_shell(self):
        for name in ('settings', 'plugin.sh', 'lib/magnum'):
            done = subprocess.run(['bash', '-n', os.path.join(TOP, 'devstack', name)],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((0, ''), (done.returncode, done.stderr), name)
