# SPDX-License-Identifier: Apache-2.0
"""Rows that wait for something that never comes, and rows that point at nothing."""

import collections
import datetime
import json
from collections.abc import Iterator

from oslo_utils import timeutils

import magnum_ng.conf
from magnum_ng.cmd.upgrade_checks import finding
from magnum_ng.cmd.upgrade_checks.finding import Code, Database, Finding
from magnum_ng.conductor.handlers.common import cert_manager

CONF = magnum_ng.conf.CONF

#: Minutes in progress that are reason to worry, unless the cluster's own timeout is longer.
LONG = 60


def _count(database: Database, select: str, uuid: str, **values) -> tuple[int, tuple]:
    """How many rows a ``FROM ... WHERE ...`` finds, and the first few."""
    count = database.rows(f'SELECT COUNT(*) {select}', **values)[0][0]
    if not count:
        return 0, ()
    return count, finding.some(row[0] for row in database.rows(
        f'SELECT {uuid} {select} ORDER BY {uuid} LIMIT {finding.EXAMPLES}', **values))


@finding.reads_database('cluster')
def check_progress(database: Database) -> Iterator[Finding]:
    """Clusters in progress, and which of them seem to be stuck."""
    now = timeutils.utcnow()
    stuck, fresh = [], []
    for uuid, status, since, timeout in database.rows(
            f"SELECT uuid, status, {_since(database)}, "  # noqa: S608 (columns)  # nosec B608
            f"{database.column('cluster', 'create_timeout')} FROM cluster "
            "WHERE status LIKE '%_IN_PROGRESS' ORDER BY uuid"):
        minutes = max(LONG, (timeout or 0) if status.startswith('CREATE') else 0)
        begun = _time(since)
        old = begun is None or now - begun > datetime.timedelta(minutes=minutes)
        (stuck if old else fresh).append(f'{uuid} {status}')
    if fresh:
        yield Finding(Code.SUCCESS, f'{len(fresh)} cluster(s) are in progress', len(fresh),
                      finding.some(fresh), 'Let them end before an upgrade.')
    if stuck:
        yield Finding(
            Code.WARNING, f'{len(stuck)} cluster(s) have been in progress for more than '
            f'{LONG} minutes or their own timeout', len(stuck), finding.some(stuck),
            'See status_reason and the log of the conductor. If nothing is at work any more: '
            'delete the cluster, or have an administrator remove its record with '
            'DELETE /v1/clusters/{id}?force=true.')


def _since(database: Database) -> str:
    known = [name for name in ('updated_at', 'created_at') if name in database.columns['cluster']]
    return f'COALESCE({", ".join(known)}, NULL)'


def _time(value) -> datetime.datetime | None:
    # SQLite knows no times.
    return datetime.datetime.fromisoformat(value) if isinstance(value, str) else value


@finding.reads_database('cluster', 'cluster_template')
def check_references(database: Database) -> Iterator[Finding]:
    """Rows that point at nothing.

    Compared here and not by the server: in databases that have come a long way, tables differ in
    their character set, and no index serves a comparison between them.
    """
    templates = {row[0] for row in database.rows('SELECT uuid FROM cluster_template')}
    clusters = dict(database.rows('SELECT uuid, cluster_template_id FROM cluster ORDER BY uuid'))
    yield from _found(
        'cluster(s) refer to a template that is gone',
        [uuid for uuid, template in clusters.items() if template not in templates],
        'They can be read and deleted; the default driver does it.')
    if database.has('nodegroup'):
        yield from _nodegroups(database, clusters)
    for table, what in (('ng_operation', 'recorded operation(s)'),
                        ('ng_cluster_lock', 'lock(s)'), ('ng_cluster_note', 'note(s)')):
        if database.has(table):
            yield from _found(
                f'{what} of a cluster that is gone ({table})',
                [row[0] for row in database.rows(
                    f'SELECT cluster_uuid FROM {table} '  # noqa: S608 # nosec B608 (one of ours)
                    'ORDER BY cluster_uuid') if row[0] not in clusters],
                'They do no harm; delete the rows.')
    if database.has('x509keypair') and 'ca_cert_ref' in database.columns['cluster']:
        yield from _certificates(database)


def _found(what: str, uuids: list, advice: str) -> Iterator[Finding]:
    if uuids:
        yield Finding(Code.WARNING, f'{len(uuids)} {what}', len(uuids), finding.some(uuids),
                      advice)


def _nodegroups(database: Database, clusters: dict) -> Iterator[Finding]:
    orphans, roles = [], collections.defaultdict(set)
    for uuid, cluster, role, is_default in database.rows(
            'SELECT uuid, cluster_id, role, is_default FROM nodegroup ORDER BY uuid'):
        if cluster not in clusters:
            orphans.append(uuid)
        elif is_default:
            roles[cluster].add(role)
    yield from _found('nodegroup(s) of a cluster that is gone', orphans,
                      'Nobody sees them; delete the rows.')
    yield from _found('cluster(s) without a default nodegroup of workers or of masters',
                      [uuid for uuid in clusters if len(roles[uuid]) < 2],
                      'They can be read and deleted, but not resized or upgraded.')


def _certificates(database: Database) -> Iterator[Finding]:
    stored = {row[0] for row in database.rows('SELECT uuid FROM x509keypair')}
    names = [name for name in cert_manager.REFERENCES if name in database.columns['cluster']]
    referred, broken = set(), []
    for uuid, *references in database.rows(
            f'SELECT uuid, {", ".join(names)} '  # noqa: S608 (columns)  # nosec B608
            'FROM cluster ORDER BY uuid'):
        found = {reference for reference in references if reference}
        referred |= found
        if not found <= stored:
            broken.append(uuid)
    if broken and CONF.certificates.cert_manager_type == 'x509keypair':
        yield Finding(
            Code.WARNING, f'{len(broken)} cluster(s) refer to certificates that are gone',
            len(broken), finding.some(broken),
            'Rotate the CA certificate of the cluster, if its driver can, or restore the rows '
            'of x509keypair.')
    left = sorted(stored - referred - _awaited(database))
    if left:
        yield Finding(
            Code.WARNING, f'{len(left)} certificate(s) in x509keypair that no cluster refers to',
            len(left), finding.some(left),
            'The original leaves them behind when it deletes clusters or rotates certificates; '
            'delete the rows, after a dump.')


def _awaited(database: Database) -> set[str]:
    """Certificates that an operation has made or is about to remove."""
    found = set()
    if database.has('ng_cluster_note'):
        found |= {row[0] for row in database.rows(
            "SELECT value FROM ng_cluster_note WHERE kind LIKE 'retired-%'")}
    if database.has('ng_operation'):
        for (arguments,) in database.rows('SELECT arguments FROM ng_operation'):
            new = json.loads(arguments or '{}').get('new_certificates') or ()
            found |= set(new.values() if isinstance(new, dict) else new)
    return found


@finding.reads_database('ng_operation')
def check_operations(database: Database) -> Iterator[Finding]:
    """Operations that are recorded and not ended: before the way back, there must be none."""
    count, examples = _count(database, 'FROM ng_operation', 'cluster_uuid')
    if count:
        yield Finding(Code.SUCCESS, f'{count} operation(s) are queued or at work', count, examples,
                      'Let them end before you go back to the original.')
