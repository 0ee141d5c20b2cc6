# SPDX-License-Identifier: Apache-2.0
"""A database, rows in it, and what a check makes of them."""

from unittest import mock

from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy as sa

from magnum_ng.cmd import status
from magnum_ng.cmd.upgrade_checks import finding
from magnum_ng.drivers.common import driver
from magnum_ng.tests.unit.db import base

Code = finding.Code


class Driver:
    def __init__(self):
        self.provides = [{'server_type': 'vm', 'os': 'ubuntu', 'coe': 'kubernetes'}]


def installed(*names):
    """Let drivers of these names be installed, each for Kubernetes on Ubuntu."""
    entries = []
    for name in names:
        entry_point = mock.Mock(value=f'{name}:Driver')
        entry_point.name = name
        entries.append((entry_point, Driver))
    return mock.patch.multiple(
        driver.Driver, load_entry_points=lambda: iter(entries), definitions=None)


class ChecksTestCase(base.DbTestCase):
    """``self.engine`` is the database; ``insert`` writes rows as they are in it."""

    TITLE = ''

    def setUp(self):
        super().setUp()
        self.engine = base.session.get_engine()

    def insert(self, table, **values):
        values.setdefault('created_at', timeutils.utcnow().isoformat(' '))
        names = ', '.join(values)
        holders = ', '.join(f':{name}' for name in values)
        with self.engine.begin() as connection:
            connection.execute(sa.text(f'INSERT INTO {table} ({names}) '  # noqa: S608
                                       f'VALUES ({holders})'), values)

    def template(self, driver_name=None, distro='ubuntu', **values):
        uuid = uuidutils.generate_uuid()
        if driver_name:
            values['driver'] = driver_name
        self.insert('cluster_template', uuid=uuid, server_type='vm', cluster_distro=distro,
                    coe='kubernetes', **values)
        return uuid

    def cluster(self, template=None, status='CREATE_COMPLETE', groups=True, **values):
        uuid = uuidutils.generate_uuid()
        self.insert('cluster', uuid=uuid, cluster_template_id=template or self.template(),
                    status=status, **values)
        if groups:
            for role in ('master', 'worker'):
                self.nodegroup(uuid, role)
        return uuid

    def nodegroup(self, cluster, role='worker', default=True):
        uuid = uuidutils.generate_uuid()
        self.insert('nodegroup', uuid=uuid, cluster_id=cluster, name=f'{role}-{uuid}', role=role,
                    is_default=default, node_count=1, project_id='p')
        return uuid

    def check(self):
        return dict(status.CHECKS)[self.TITLE](status.Checks())

    def only(self):
        """The one finding of the check."""
        found, = self.check().findings
        return found

    def assertFine(self):
        result = self.check()
        self.assertEqual(Code.SUCCESS, result.code, result.details)
