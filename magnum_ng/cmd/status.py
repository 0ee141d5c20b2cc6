# SPDX-License-Identifier: Apache-2.0
"""``magnum-status``: what an operator should know before and after an upgrade."""

import collections
import sys

from oslo_upgradecheck import common_checks
from oslo_upgradecheck import upgradecheck
import sqlalchemy as sa

from magnum_ng.common import alias
from magnum_ng.common import exception
import magnum_ng.conf
from magnum_ng.db.sqlalchemy import session
from magnum_ng.drivers.common import driver

CONF = magnum_ng.conf.CONF

Result = upgradecheck.Result
Code = upgradecheck.Code

ClusterKind = collections.namedtuple('ClusterKind',
                                     'driver server_type cluster_distro coe clusters')

# Plain SQL: the check also runs on the database of the release before, whose columns differ.
_KINDS = sa.text('''
    SELECT t.driver, t.server_type, t.cluster_distro, t.coe, COUNT(*)
    FROM cluster c JOIN cluster_template t ON t.uuid = c.cluster_template_id
    GROUP BY t.driver, t.server_type, t.cluster_distro, t.coe
''')


def check_policy_file(commands):
    return common_checks.check_policy_json(commands, CONF)


def check_alias(commands):
    try:
        alias.check()
    except alias.AliasBroken as exc:
        return Result(Code.FAILURE, str(exc))
    return Result(Code.SUCCESS)


def check_drivers(commands):
    """Every installed driver can be used, and there is one."""
    drivers = [info for info in driver.report() if not info.disabled]
    broken = [f'{info.name}: {info.error}' for info in drivers if info.error]
    if broken:
        return Result(Code.WARNING, 'Drivers that cannot be used: ' + '; '.join(broken))
    if not drivers:
        return Result(Code.WARNING, 'No cluster driver is installed or all are disabled: '
                                    'clusters cannot be created.')
    return Result(Code.SUCCESS)


def check_clusters_have_driver(commands):
    """No cluster is left whose driver is not installed, such as the removed Heat driver."""
    try:
        with session.get_engine().connect() as connection:
            kinds = [ClusterKind(*row) for row in connection.execute(_KINDS)]
    except Exception as exc:
        # The text of a database error may quote the connection with its password.
        return Result(Code.WARNING, 'The database set in [database]connection could not be '
                                    f'read ({type(exc).__name__}).')
    orphans = []
    for kind in kinds:
        try:
            driver.resolve(kind, existing=True)
        except exception.MagnumException as exc:
            orphans.append(f'{kind.clusters} cluster(s): {exc}')
    if orphans:
        return Result(Code.WARNING, 'Clusters that no installed driver can work on: '
                                    + ' '.join(orphans))
    return Result(Code.SUCCESS)


# Title and check, in the order shown.
CHECKS = (
    ('Policy File JSON to YAML Migration', check_policy_file),
    ('Python Package magnum', check_alias),
    ('Cluster Drivers', check_drivers),
    ('Clusters Without Driver', check_clusters_have_driver),
)


class Checks(upgradecheck.UpgradeCommands):
    _upgrade_checks = CHECKS


def main():
    return upgradecheck.main(CONF, project='magnum', upgrade_command=Checks())


if __name__ == '__main__':
    sys.exit(main())
