# SPDX-License-Identifier: Apache-2.0
"""Run one of the service's own commands with the simulated driver registered in its process.

    python -m magnum_demo.command magnum-conductor --config-file ...
"""

import importlib
import sys

from magnum_demo import driver

COMMANDS = {'magnum-api': 'api', 'magnum-conductor': 'conductor',
            'magnum-db-manage': 'db_manage'}


def main():
    name = sys.argv[1]
    sys.argv = [name] + sys.argv[2:]
    module = importlib.import_module('magnum_ng.cmd.' + COMMANDS[name])
    driver.register(serve=name == 'magnum-conductor')
    return module.main()


if __name__ == '__main__':
    sys.exit(main())
