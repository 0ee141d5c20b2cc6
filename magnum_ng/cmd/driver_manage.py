# SPDX-License-Identifier: Apache-2.0
"""``magnum-driver-manage``: which cluster drivers are installed, and what is wrong with them."""

import json
import sys

from cliff import app
from cliff import commandmanager
from cliff import lister

import magnum_ng.conf
from magnum_ng.common import service
from magnum_ng import version
from magnum_ng.drivers.common import driver

CONF = magnum_ng.conf.CONF

_NOT_KNOWN = 'n/a'


class DriverList(lister.Lister):
    """List the installed cluster drivers"""

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument('-d', '--details', action='store_true',
                            help='one line for each kind of cluster, with version, entry point, '
                                 'optional operations and what is wrong')
        parser.add_argument('-p', '--paths', action='store_true',
                            help='the path of the template of each driver that has one')
        parser.add_argument('--json', action='store_const', const='json', dest='formatter',
                            help='the same as --format json')
        return parser

    def run(self, parsed_args):
        if parsed_args.formatter == 'json' and parsed_args.details:
            # nested, where a table has one line for each kind of cluster
            json.dump([_facts(info, parsed_args.paths) for info in driver.report()],
                      self.app.stdout, indent=2)
            self.app.stdout.write('\n')
            return 0
        return super().run(parsed_args)

    def take_action(self, parsed_args):
        columns = ['Name']
        if parsed_args.details:
            columns += ['Server_Type', 'OS', 'COE', 'Version', 'Entry Point', 'Optional',
                        'State']
        if parsed_args.paths:
            columns.append('Template Path')
        return columns, [row for info in driver.report()
                         for row in self._rows(info, parsed_args)]

    @staticmethod
    def _rows(info, parsed_args):
        kinds = [()]
        if parsed_args.details:
            state = _state(info)
            shared = (_version(info), info.entry_point, ', '.join(info.optional), state)
            kinds = [(*kind, *shared) for kind in info.provides or [(_NOT_KNOWN,) * 3]]
        path = (info.template_path or _NOT_KNOWN,) if parsed_args.paths else ()
        return [(info.name, *kind, *path) for kind in kinds]


def _version(info):
    return f'{info.distribution} {info.version}' if info.distribution else _NOT_KNOWN


def _state(info):
    if info.error:
        return f'cannot be used: {info.error}'
    if info.disabled:
        return 'disabled ([drivers] disabled_drivers)'
    if info.beta and info.name not in CONF.drivers.enabled_beta_drivers:
        return 'beta, not enabled ([drivers] enabled_beta_drivers)'
    return 'ready'


def _facts(info, paths):
    facts = {
        'name': info.name,
        'entry_point': info.entry_point,
        'distribution': info.distribution,
        'version': info.version,
        'provides': [dict(zip(('server_type', 'os', 'coe'), kind)) for kind in info.provides],
        'optional_operations': list(info.optional),
        'beta': info.beta,
        'disabled': info.disabled,
        'state': _state(info),
        'error': info.error,
    }
    if paths:
        facts['template_path'] = info.template_path
    return facts


class DriverCommandManager(commandmanager.CommandManager):
    """The commands of this program; none come from entry points."""

    COMMANDS = {'list-drivers': DriverList}

    def load_commands(self, namespace):
        for name, command in self.COMMANDS.items():
            self.add_command(name, command)


class DriverManager(app.App):
    """Looks at drivers without starting the service."""

    def __init__(self):
        super().__init__(description='Magnum Driver Manager', version=version.version_string(),
                         command_manager=DriverCommandManager('magnum.driver_manage'),
                         deferred_help=True)


def main(args=None):
    if args is None:
        args = sys.argv[1:]
    service.check_alias()
    # the configuration files alone: the command line is cliff's
    CONF([], project='magnum', version=version.version_string())
    return DriverManager().run(args)


if __name__ == '__main__':
    sys.exit(main())
