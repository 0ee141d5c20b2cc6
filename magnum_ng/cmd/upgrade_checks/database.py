# SPDX-License-Identifier: Apache-2.0
"""Is the database there, at which revision is it, and who works on it?"""

import datetime
from collections.abc import Iterator

from oslo_utils import timeutils

import magnum_ng.conf
from magnum_ng.cmd.upgrade_checks import finding
from magnum_ng.cmd.upgrade_checks.finding import Code, Database, Finding, Report
from magnum_ng.db.sqlalchemy import migration
from magnum_ng.servicegroup import fleet

CONF = magnum_ng.conf.CONF

UPGRADE = 'Run magnum-db-manage upgrade.'


def check(commands) -> Report:
    """Reachable, and at a revision that this release knows."""
    if not CONF.database.connection:
        return Report([Finding(Code.WARNING, '[database]connection is not set',
                               advice='Set it, or run this where magnum.conf is.')])
    try:
        upstream, own = migration.versions()
    except Exception as error:
        # Not its text, which may quote the connection with its password.
        return Report([Finding(
            Code.FAILURE, f'The database cannot be reached ({type(error).__name__})',
            advice='See [database]connection.')])
    return Report([_revision(upstream, own)])


def _revision(upstream: str | None, own: str | None) -> Finding:
    if upstream is None:
        return Finding(Code.WARNING, 'The database has no schema', advice=UPGRADE)
    known = {name: migration.knows(revision, chain) for name, revision, chain in (
        (f'revision {upstream}', upstream, migration.UPSTREAM),
        (f'own revision {own}', own, migration.OWN)) if revision}
    strange = [name for name, is_known in known.items() if not is_known]
    if strange:
        return Finding(Code.FAILURE, f'The database is at a newer or unknown {strange[0]}',
                       advice='It belongs to a later release: install that, or restore a dump.')
    heads = migration.head(migration.UPSTREAM), migration.head(migration.OWN)
    text = f'The database is at revision {upstream}, own tables at {own or "none"}'
    if (upstream, own) == heads:
        return Finding(Code.SUCCESS, f'{text}, the newest')
    return Finding(Code.SUCCESS, f'{text}; this release needs {heads[0]} and {heads[1]}',
                   advice=f'{UPGRADE} Take a dump before.')


@finding.reads_database('magnum_service')
def check_conductors(database: Database) -> Iterator[Finding]:
    """Conductors that report, ours and those of the original."""
    oldest = timeutils.utcnow() - datetime.timedelta(seconds=fleet.SILENCE)
    # The name of the column is a reserved word, but for a table's name before it.
    alive = database.rows(
        'SELECT s.host, s.last_seen_up FROM magnum_service s '
        'WHERE s.binary = :binary AND s.last_seen_up >= :oldest',
        binary=fleet.BINARY, oldest=oldest)
    # Compared here: the collations of the two tables need not agree, and MySQL then refuses.
    reports = dict(database.rows('SELECT host, last_seen_up FROM ng_conductor')
                   if database.has('ng_conductor') else ())
    rows = [(host, host in reports and reports[host] >= seen) for host, seen in alive]
    ours = [host for host, own in rows if own]
    foreign = [host for host, own in rows if not own]
    if ours:
        yield Finding(Code.SUCCESS, f'{len(ours)} conductor(s) of this release run', len(ours),
                      finding.some(ours))
    if foreign:
        yield Finding(
            Code.WARNING if ours else Code.SUCCESS,
            f'{len(foreign)} conductor(s) of the original run', len(foreign),
            finding.some(foreign),
            'Replace them before the API: while one runs, magnum_ng\'s API accepts no changes.')
