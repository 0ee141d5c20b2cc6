# SPDX-License-Identifier: Apache-2.0
"""Certificates of clusters that end soon, or have ended."""

import datetime
import time
from collections.abc import Iterator

from cryptography import x509

import magnum_ng.conf
from magnum_ng.cmd.upgrade_checks import finding
from magnum_ng.cmd.upgrade_checks.finding import Code, Database, Finding
from magnum_ng.common import cert_manager as backends
from magnum_ng.common import context as magnum_context
from magnum_ng.conductor.handlers.common import cert_manager

CONF = magnum_ng.conf.CONF

#: Days before the end that are reason to act.
NEAR = 90
#: Seconds for the look at certificates that are kept elsewhere.
PATIENCE = 60
#: Rows that are read at once.
BATCH = 500


@finding.reads_database('cluster')
def check(database: Database) -> Iterator[Finding]:
    names = [name for name in cert_manager.REFERENCES if name in database.columns['cluster']]
    if not names:
        return
    clusters: dict[str, str] = {}
    for uuid, *references in database.rows(
            f'SELECT uuid, {", ".join(names)} '  # noqa: S608 (columns)  # nosec B608
            'FROM cluster ORDER BY uuid'):
        clusters.update({reference: uuid for reference in references if reference})
    ended, near, unread = set(), set(), 0
    now = datetime.datetime.now(datetime.timezone.utc)
    for reference, pem in _read(database, list(clusters)):
        end = _end(pem)
        if end is None:
            unread += 1
        elif end < now:
            ended.add(clusters[reference])
        elif end < now + datetime.timedelta(days=NEAR):
            near.add(clusters[reference])
    yield from _tell(sorted(ended), sorted(near - ended), unread)


def _tell(ended: list, near: list, unread: int) -> Iterator[Finding]:
    advice = ('Rotate them with PATCH /v1/certificates/{id} (openstack coe ca rotate), if the '
              'driver can.')
    if ended:
        yield Finding(Code.WARNING, f'{len(ended)} cluster(s) have a certificate that has ended',
                      len(ended), finding.some(ended), advice)
    if near:
        yield Finding(
            Code.WARNING, f'{len(near)} cluster(s) have a certificate that ends within {NEAR} '
            'days', len(near), finding.some(near), advice)
    if unread:
        yield Finding(
            Code.WARNING, f'{unread} certificate(s) could not be read', unread, (),
            f'They are kept by {CONF.certificates.cert_manager_type}; see '
            '[certificates]cert_manager_type.')


def _read(database: Database, references: list[str]) -> Iterator[tuple[str, str | None]]:
    if CONF.certificates.cert_manager_type == 'x509keypair':
        if not database.has('x509keypair'):
            return
        for start in range(0, len(references), BATCH):
            chunk = references[start:start + BATCH]
            names = {f'r{number}': reference for number, reference in enumerate(chunk)}
            yield from database.rows(
                'SELECT uuid, certificate FROM x509keypair '  # noqa: S608 (values)  # nosec B608
                f'WHERE uuid IN ({", ".join(":" + name for name in names)})', **names)
        return
    yield from _ask(references)


def _ask(references: list[str]) -> Iterator[tuple[str, str | None]]:
    """Certificates that are kept elsewhere; whatever takes too long counts as not read."""
    context = magnum_context.make_admin_context(all_tenants=True)
    deadline, failures = time.monotonic() + PATIENCE, 0
    for reference in references:
        pem = None
        if time.monotonic() < deadline and failures < 3:
            try:
                pem = backends.get_backend().CertManager.get_cert(
                    reference, context=context).get_certificate()
                failures = 0
            except Exception:
                # One that is missing is no reason to give up, a storage that is down is.
                failures += 1
        yield reference, pem


def _end(pem) -> datetime.datetime | None:
    if pem is None:
        return None
    try:
        return x509.load_pem_x509_certificate(
            pem if isinstance(pem, bytes) else pem.encode()).not_valid_after_utc
    except ValueError:
        return None
