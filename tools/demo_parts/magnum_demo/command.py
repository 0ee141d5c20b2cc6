# SPDX-License-Identifier: Apache-2.0
"""Run one of the service's own commands with the simulated driver registered in its process.

    python -m magnum_demo.command magnum-conductor --config-file ...
"""

import sys

from magnum_ng.cmd import api
from magnum_ng.cmd import conductor
from magnum_ng.cmd import db_manage

from magnum_demo import driver

COMMANDS = {'magnum-api': api.main, 'magnum-conductor': conductor.main,
            'magnum-db-manage': db_manage.main}


def main():
    name = sys.argv[1]
    sys.argv = [name] + sys.argv[2:]
    driver.register(serve=name == 'magnum-conductor')
    return COMMANDS[name]()


if __name__ == '__main__':
    sys.exit(main())
