# SPDX-License-Identifier: Apache-2.0
"""What configuration, policy, database and driver tools see."""

import json
import re
import socket

import samples
from lab import TOP, Skip, check, ensure, equal

# Groups with options that the sample of the original lacks.
DOCUMENTED = {'api', 'conductor', 'keystone_auth', 'kubernetes', 'metrics', 'openstack_client',
              'profiler_jaeger', 'profiler_otlp'}

GENERATOR = TOP / 'etc' / 'magnum' / 'magnum-config-generator.conf'


def _options(text):
    """{(group, option)} of a sample file."""
    found, group = set(), 'DEFAULT'
    for line in text.splitlines():
        section = re.match(r'\[(\w+)\]', line)
        option = re.match(r'#([a-z][\w-]*) = ', line)
        if section:
            group = section.group(1)
        elif option:
            found.add((group, option.group(1)))
    return found


@check('A15', 'the sample configuration has the options of the original, and validates')
def sample_configuration(lab):
    samples_of = {}
    for name, venv in (('ours', lab.installed), ('original', lab.original)):
        target = lab.path(f'{name}.conf.sample')
        lab.run(venv / 'bin' / 'oslo-config-generator', '--config-file', GENERATOR,
                '--output-file', target)
        samples_of[name] = _options(target.read_text())
    missing = samples_of['original'] - samples_of['ours']
    ensure(not missing, f'options that are missing: {sorted(missing)}')
    added = {group for group, _ in samples_of['ours'] - samples_of['original']}
    equal(set(), added - DOCUMENTED, 'groups with options that are not documented')
    config = lab.path('kolla.conf')
    config.write_text(samples.CONFIG['kolla'].replace('{paste}', '/etc/magnum/api-paste.ini')
                      .replace('{folder}', str(lab.folder)).replace('{transport}', 'fake://'))
    errors = {}
    for name, venv in (('ours', lab.installed), ('original', lab.original)):
        _, out = lab.run(venv / 'bin' / 'oslo-config-validator', '--config-file', GENERATOR,
                         '--input-file', config, fail=False)
        errors[name] = set(re.findall(r'^ERROR:[^:]*:(.*)$', out, re.MULTILINE))
    ensure(errors['original'], 'the validator of the original finds nothing to say')
    ensure(errors['ours'] <= errors['original'], errors['ours'] - errors['original'])


@check('A16', 'the sample policy has the rules and checks of the original')
def sample_policy(lab):
    script = ('import json; from magnum.common import policies;'
              'print(json.dumps({r.name: r.check_str for r in policies.list_rules()}))')
    ours, theirs = (json.loads(lab.python(venv, script).splitlines()[-1])
                    for venv in (lab.installed, lab.original))
    differs = {name for name in theirs if ours.get(name) != theirs[name]}
    ensure(not differs, f'rules that differ: {sorted(differs)}')
    for tool in ('oslopolicy-sample-generator', 'oslopolicy-policy-generator'):
        out = lab.run(lab.installed / 'bin' / tool, '--namespace', 'magnum')
        ensure('cluster:create' in out, f'{tool}: {out[-500:]}')


@check('A19', 'the database comes out as with the original, on MariaDB')
def database(lab):
    try:
        socket.create_connection(('127.0.0.1', 3306), 1).close()
    except OSError as exc:
        raise Skip('no MariaDB answers on 127.0.0.1:3306') from exc

    def sql(statement):
        return lab.python(lab.installed, '''
import pymysql, sys
connection = pymysql.connect(host="127.0.0.1", user="root", autocommit=True)
cursor = connection.cursor()
cursor.execute(sys.argv[1])
for row in cursor.fetchall():
    print(*row)
''', statement)

    def dump(name):
        tables = sql(f"SELECT table_name FROM information_schema.tables WHERE table_schema = "
                     f"'{name}' AND table_name NOT LIKE 'ng\\_%' ORDER BY 1").split()
        text = {table: sql(f'SHOW CREATE TABLE {name}.{table}') for table in tables}
        text['revision'] = sql(f'SELECT version_num FROM {name}.alembic_version')
        # An index of ours on a table of the original does not disturb it.
        return {table: re.sub(r',?\n\s+KEY `ng_\w+`[^\n]*?(?=,?\n)', '', value)
                for table, value in text.items()}

    found = {}
    for name, venv in (('dropin_ours', lab.installed), ('dropin_original', lab.original)):
        sql(f'DROP DATABASE IF EXISTS {name}')
        sql(f'CREATE DATABASE {name} CHARACTER SET utf8mb4')
        config = lab.path(f'{name}.conf')
        config.write_text(f'[database]\nconnection = mysql+pymysql://root@127.0.0.1/{name}\n')
        manage = venv / 'bin' / 'magnum-db-manage'
        for form in (['--config-file', config, 'upgrade'], [f'--config-file={config}',
                     'upgrade', 'head'], ['--config-file', config, 'version']):
            lab.run(manage, *form)
        status, _ = lab.run(manage, '--config-file', config, 'upgrade', '0123456789ab',
                            fail=False)
        equal(1, status, f'{name}: exit status for an unknown revision')
        found[name] = dump(name)
    try:
        # And back: the original is content with our database.
        lab.run(lab.original / 'bin' / 'magnum-db-manage', '--config-file',
                lab.path('dropin_ours.conf'), 'upgrade')
    finally:
        for name in found:
            sql(f'DROP DATABASE IF EXISTS {name}')
    equal(set(found['dropin_original']), set(found['dropin_ours']), 'tables')
    for table, text in found['dropin_original'].items():
        equal(text, found['dropin_ours'][table], table)
