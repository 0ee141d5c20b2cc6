# SPDX-License-Identifier: Apache-2.0
"""magnum-db-manage: brings the database to the schema of this release."""

from alembic.util import CommandError
from oslo_config import cfg
from oslo_db import exception as db_exc
from sqlalchemy import exc as sa_exc

from magnum_ng.common import service
from magnum_ng.conductor import reasons
import magnum_ng.conf
from magnum_ng.db import migration
from magnum_ng.i18n import _

CONF = magnum_ng.conf.CONF


def do_version() -> None:
    """Show the revisions of both chains."""
    upstream, own = migration.versions()
    print(_('Current DB revision is %s') % upstream)
    print(_("Current revision of magnum_ng's own tables and indexes is %s") % own)


def do_upgrade() -> None:
    """Run the revisions that the database does not have yet."""
    migration.upgrade(CONF.command.revision)


def do_stamp() -> None:
    """Record a revision without running anything."""
    migration.stamp(CONF.command.revision)


def do_revision() -> None:
    """Write the skeleton of a new revision."""
    migration.revision(CONF.command.message, CONF.command.autogenerate)


def add_command_parsers(subparsers) -> None:
    """Define the sub-commands."""
    parser = subparsers.add_parser('version', help=_('Show the revision of the database.'))
    parser.set_defaults(func=do_version)

    parser = subparsers.add_parser('upgrade', help=_('Upgrade the database.'))
    parser.add_argument('revision', nargs='?', help=_('Where to stop; the newest by default.'))
    parser.set_defaults(func=do_upgrade)

    parser = subparsers.add_parser('stamp', help=_('Record a revision without running it.'))
    parser.add_argument('revision')
    parser.set_defaults(func=do_stamp)

    parser = subparsers.add_parser('revision', help=_('Write a new revision, for developers.'))
    parser.add_argument('-m', '--message')
    parser.add_argument('--autogenerate', action='store_true')
    parser.set_defaults(func=do_revision)


def main() -> None:
    """Run a command; what can be expected to go wrong is one line and exit status 1."""
    CONF.register_cli_opt(cfg.SubCommandOpt(
        'command', title=_('Command'), help=_('Available commands'),
        handler=add_command_parsers))
    # Whoever runs this wants to know at once; set the option to have it wait for a database.
    CONF.set_default('max_retries', 0, group='database')
    service.prepare_service(serving=False)
    try:
        CONF.command.func()
    except CommandError as error:
        service.fail(str(error))
    except migration.MigrationInProgress:
        service.fail(_('Another process has been migrating the database for an hour.'))
    except (db_exc.DBError, sa_exc.SQLAlchemyError, ImportError, ValueError) as error:
        service.fail(_('Cannot work with the database of [database]connection: %s')
                     % reasons.first_line(error))


if __name__ == '__main__':
    main()
