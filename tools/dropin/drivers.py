# SPDX-License-Identifier: Apache-2.0
"""The drivers in the field: found, loaded, and content in their own unit tests."""

import dataclasses
import os
import pathlib
import re
import xml.etree.ElementTree

from lab import RELEASE, check, ensure, equal

TEST_TOOLS = ('pytest<10', 'pytest-mock', 'oslotest', 'fixtures', 'testtools', 'WebTest',
              'python-novaclient', 'responses', 'lark', 'setuptools<81')

# Enough of a helm for tests that look at what it is called with.
HELM = """#!/bin/sh
cat > /dev/null
case $1 in
    template) printf -- '---\\nkind: List\\nmetadata: {name: stub}\\n' ;;
    *) echo '{}' ;;
esac
"""


@dataclasses.dataclass
class Driver:
    requirement: str
    package: str
    tests: str
    names: tuple
    total: int
    #: Tests that fail with the original as well.
    stale: str = '$'
    extra: str = ''

    @property
    def title(self):
        return self.requirement.partition('=')[0]


DRIVERS = (
    Driver('magnum-capi-helm==1.4.0', 'magnum_capi_helm', 'tests', ('k8s_capi_helm_v1',), 175),
    Driver('magnum-cluster-api==0.38.2', 'magnum_cluster_api', 'tests/unit',
           ('k8s_cluster_api_ubuntu', 'k8s_cluster_api_flatcar'), 226,
           stale=r'test_update_nodegroup(_with_multiple_node_groups)?\[', extra='[cluster-api]'),
)


@check('A21', 'the drivers in the field are found, and pass their own unit tests')
def drivers(lab):
    # One at a time: both provide the same kinds of clusters.
    for driver in DRIVERS:
        venv = lab.venv(f'driver-{driver.title}', f'{lab.wheel}{driver.extra}',
                        driver.requirement, *TEST_TOOLS, fresh=True)
        equal(RELEASE, lab.version(venv), driver.title)
        out = lab.run(venv / 'bin' / 'magnum-driver-manage', 'list-drivers', '-f', 'value')
        for name in driver.names:
            ensure(name in out, f'{name} is not listed: {out}')
        _entry_points_load(lab, venv, driver)
        _unit_tests_pass(lab, venv, driver)


def _entry_points_load(lab, venv, driver):
    equal('', lab.python(venv, '''
import importlib.metadata as m
for entry in m.entry_points(group="magnum.drivers"):
    try:
        entry.load()
    except Exception as error:
        print(entry.name, repr(error))
'''), f'{driver.title}: entry points that do not load')


def _unit_tests_pass(lab, venv, driver):
    folder = pathlib.Path(lab.python(
        venv, 'import importlib.util, sys;'
              'print(importlib.util.find_spec(sys.argv[1]).origin)', driver.package).strip()).parent
    helm = lab.path('stub', 'helm')
    helm.write_text(HELM)
    helm.chmod(0o755)
    report = lab.path(f'{driver.title}.xml')
    report.unlink(missing_ok=True)
    # In one process: the fixtures of a session do not survive several.
    _, out = lab.run(venv / 'bin' / 'python', '-m', 'pytest', '-q', '-W', 'ignore', '--tb=short',
                     '-p', 'no:cacheprovider', '-c', os.devnull, '--rootdir', folder,
                     '--junitxml', report, folder / driver.tests, fail=False, timeout=1800,
                     env={'PATH': f'{helm.parent}{os.pathsep}{os.environ["PATH"]}'})
    ensure(report.exists(), f'{driver.title}: no tests were run: {out[-2000:]}')
    cases = list(xml.etree.ElementTree.parse(report).getroot().iter('testcase'))
    equal(driver.total, len(cases), f'{driver.title}: number of tests')
    failed = [case.get('name') for case in cases
              if case.find('failure') is not None or case.find('error') is not None]
    new = [name for name in failed if not re.match(driver.stale, name)]
    ensure(not new, f'{driver.title}: {len(new)} tests failed: {new[:10]}\n{out[-3000:]}')
