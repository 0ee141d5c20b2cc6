# SPDX-License-Identifier: Apache-2.0
"""Drivers that are installed, and what needs a driver that is not."""

import collections
from collections.abc import Iterator

from magnum_ng.cmd.upgrade_checks import finding
from magnum_ng.cmd.upgrade_checks.finding import Code, Database, Finding, Report
from magnum_ng.common import exception
from magnum_ng.drivers.common import driver

#: A driver that the original had before 23.0.0, and its distribution.
REMOVED = 'k8s_fedora_coreos_v1'
REMOVED_DISTRO = 'fedora-coreos'

Kind = collections.namedtuple('Kind', 'driver server_type cluster_distro coe')


def check(commands) -> Report:
    """Every installed driver can be used, and there is one."""
    infos = [info for info in driver.report() if not info.disabled]
    broken = [f'{info.name}: {info.error}' for info in infos if info.error]
    usable = [info.name for info in infos if not info.error]
    found = []
    if usable:
        found.append(Finding(Code.SUCCESS, f'{len(usable)} driver(s) can be used', len(usable),
                             finding.some(usable)))
    else:
        found.append(Finding(
            Code.WARNING, 'No cluster driver can be used, so clusters cannot be created', 1, (),
            'Install one (entry-point group magnum.drivers) or see '
            '[drivers]disabled_drivers.'))
    if broken:
        found.append(Finding(
            Code.WARNING, f'{len(broken)} driver(s) cannot be constructed', len(broken),
            finding.some(broken),
            'Configure or uninstall them, or name them in [drivers]disabled_drivers.'))
    return Report(found)


def _missing(kind: Kind) -> str | None:
    """Why no installed driver can work on what is of this kind."""
    try:
        driver.resolve(kind, existing=True)
    except exception.MagnumException as error:
        return error.message
    return None


def _advice(kind: Kind, what: str) -> str:
    if kind.driver == REMOVED or not kind.driver and kind.cluster_distro == REMOVED_DISTRO:
        if what == 'cluster':
            return ('They belong to the Heat driver that 23.0.0 removed: delete them with the '
                    'release before. What is left can be removed by an administrator with '
                    'DELETE /v1/clusters/{id}?force=true, which leaves the stack.')
        return 'They belong to the Heat driver that 23.0.0 removed: delete or hide them.'
    if what == 'cluster':
        return ('Install the driver. If it is gone for good, delete them: that ends in '
                'DELETE_FAILED, after which an administrator can remove the records with '
                'DELETE /v1/clusters/{id}?force=true.')
    return 'Install the driver, or delete or hide them.'


def _label(kind: Kind) -> str:
    return (f'driver {kind.driver or "not named"}, {kind.server_type} {kind.cluster_distro} '
            f'{kind.coe}')


def _kinds(database: Database, source: str) -> list:
    """[(kind, how many)] of what is in the source."""
    columns = [database.column('cluster_template', name, 't.') for name in Kind._fields]
    found = database.rows(
        f'SELECT k1, k2, k3, k4, COUNT(*) FROM (SELECT '  # noqa: S608 (columns)  # nosec B608
        f'{", ".join(f"{column} AS k{n}" for n, column in enumerate(columns, 1))} '
        f'FROM {source}) kinds GROUP BY k1, k2, k3, k4')
    return [(Kind(*row[:4]), row[4]) for row in found]


def _examples(database: Database, kind: Kind, source: str, uuid: str) -> tuple:
    conditions, values = [], {}
    for name in Kind._fields:
        column, value = database.column('cluster_template', name, 't.'), getattr(kind, name)
        if value is None:
            conditions.append(f'{column} IS NULL')
        else:
            conditions.append(f'{column} = :{name}')
            values[name] = value
    return finding.some(row[0] for row in database.rows(
        f'SELECT {uuid} FROM {source} WHERE '  # noqa: S608 (columns)  # nosec B608
        f'{" AND ".join(conditions)} ORDER BY {uuid} LIMIT {finding.EXAMPLES}', **values))


def _without_driver(database: Database, what: str, source: str, uuid: str) -> Iterator[Finding]:
    for kind, count in _kinds(database, source):
        reason = _missing(kind)
        if reason:
            yield Finding(
                Code.WARNING, f'{count} {what}(s) with {_label(kind)}: {reason.rstrip(".")}',
                count, _examples(database, kind, source, uuid), _advice(kind, what))


@finding.reads_database('cluster', 'cluster_template')
def check_clusters(database: Database) -> Iterator[Finding]:
    """No cluster is left whose driver is not installed."""
    return _without_driver(
        database, 'cluster',
        'cluster c JOIN cluster_template t ON t.uuid = c.cluster_template_id', 'c.uuid')


@finding.reads_database('cluster_template')
def check_templates(database: Database) -> Iterator[Finding]:
    """No template is offered that nobody can make a cluster of."""
    return _without_driver(database, 'cluster template', 'cluster_template t', 't.uuid')
