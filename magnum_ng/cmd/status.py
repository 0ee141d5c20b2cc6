# SPDX-License-Identifier: Apache-2.0
"""``magnum-status``: what an operator should know before and after an upgrade."""

import json
import sys

from oslo_upgradecheck import common_checks
from oslo_upgradecheck import upgradecheck

from magnum_ng.cmd.upgrade_checks import certificates
from magnum_ng.cmd.upgrade_checks import database
from magnum_ng.cmd.upgrade_checks import drivers
from magnum_ng.cmd.upgrade_checks import rows
from magnum_ng.cmd.upgrade_checks.finding import Code, Finding, Report
from magnum_ng.common import alias
import magnum_ng.conf

CONF = magnum_ng.conf.CONF

Result = upgradecheck.Result


def check_policy_file(commands):
    return common_checks.check_policy_json(commands, CONF)


def check_alias(commands):
    try:
        alias.check()
    except alias.AliasBroken as exc:
        return Report([Finding(Code.FAILURE, str(exc).rstrip('.'))])
    return Report()


# Title and check, in the order shown. The first is the original's.
CHECKS = (
    ('Policy File JSON to YAML Migration', check_policy_file),
    ('Python Package magnum', check_alias),
    ('Database', database.check),
    ('Conductors', database.check_conductors),
    ('Cluster Drivers', drivers.check),
    ('Clusters Without Driver', drivers.check_clusters),
    ('Cluster Templates Without Driver', drivers.check_templates),
    ('Clusters In Progress', rows.check_progress),
    ('Recorded Operations', rows.check_operations),
    ('Rows That Point At Nothing', rows.check_references),
    ('Certificates', certificates.check),
)


class Checks(upgradecheck.UpgradeCommands):
    _upgrade_checks = CHECKS

    def check(self):
        """Run all checks and print them; the worst code is the exit status.

        As JSON, each check has its findings too, with count, examples and advice as values.
        """
        if not ('command' in CONF and CONF.command.json):
            return super().check()
        results = [(title, check(self)) for title, check in self._upgrade_checks]
        print(json.dumps({'name': str(self.display_title), 'checks': [
            {'check': title, 'result': result.code, 'details': result.details,
             'findings': [_document(found) for found in getattr(result, 'findings', ())]}
            for title, result in results]}))
        return max(result.code for _title, result in results)


def _document(found):
    return {'result': found.code, 'what': found.what, 'count': found.count,
            'examples': list(found.examples), 'advice': found.advice}


def main():
    return upgradecheck.main(CONF, project='magnum', upgrade_command=Checks())


if __name__ == '__main__':
    sys.exit(main())
