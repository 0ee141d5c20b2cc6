# SPDX-License-Identifier: Apache-2.0
"""A whole life of a cluster, logged at DEBUG: no secret is in the log, whoever keeps the keys."""

import re

from cryptography.hazmat.primitives import serialization
from oslo_config import cfg
import sqlalchemy as sa

from magnum_ng.common.x509 import operations
from magnum_ng.db.sqlalchemy import session
from magnum_ng.tests.functional import base

CONF = cfg.CONF

# Forms that no log line has a use for: PEM, Fernet tokens, and bodies of key pairs.
FORMS = re.compile(r'-----BEGIN|PRIVATE KEY|CERTIFICATE REQUEST|gAAAA[\w-]{20,}|'
                   r'[A-Za-z0-9+/]{60,}={0,2}(?:\\n|$)', re.M)


def lines_of(pem):
    """The lines of a PEM text that are only in this one."""
    text = pem.decode() if isinstance(pem, bytes) else pem
    return [line for line in text.splitlines() if len(line) > 40 and '-----' not in line]


class Secrets:
    """Run by one class for each keeper of the keys."""

    def test_a_whole_life_at_debug_logs_no_secret(self):
        secrets = {base.PASSWORD: 'the password of the service and of all users'}
        template = self.new_template(
            http_proxy='http://me:proxy-password@proxy.test:3128',
            labels={'registry_password': 'label-password'})
        secrets['proxy-password'] = 'a password in an address'
        cluster = self.new_cluster(template=template)
        self._note_keys(secrets)
        self._certificates(cluster, secrets)
        self.magnum.clusters.resize(cluster.uuid, 3)
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self._failures(cluster)
        self.magnum.certificates.rotate_ca(cluster_uuid=cluster.uuid)
        self.wait_for(cluster.uuid, 'UPDATE_COMPLETE')
        self.request('PATCH', f'/v1/credentials/{cluster.uuid}')
        self._note_keys(secrets)
        self.magnum.clusters.delete(cluster.uuid)
        self.wait_gone(cluster.uuid)
        secrets.update(dict.fromkeys(self.stack.cloud.identity._tokens, 'a token'))
        self._look(secrets)

    def _certificates(self, cluster, secrets):
        made = operations.generate_csr_and_key('admin')
        for kind in ('csr', 'private_key'):
            secrets.update(dict.fromkeys(lines_of(made[kind]), f'{kind} of the client'))
        self.magnum.certificates.get(cluster_uuid=cluster.uuid)
        self.magnum.certificates.create(cluster_uuid=cluster.uuid, csr=made['csr'])
        # What is refused is not logged either.
        for csr in (made['private_key'], made['csr'][:200], made['csr'].replace('A', 'B')):
            self.assertEqual(400, self.request('POST', '/v1/certificates', json={
                'cluster_uuid': cluster.uuid, 'csr': csr}).status_code)

    def _failures(self, cluster):
        """Errors are logged in more words than successes."""
        token = self.stack.cloud.token('demo')
        self.stack.cloud.identity.revoke(token)
        self.request('GET', '/v1/clusters', user=None, headers={'X-Auth-Token': token})
        for service in ('compute', 'image', 'network', 'key-manager'):
            self.stack.cloud.disturb(service, status=500)
            self.request('POST', '/v1/clusters', json={
                'name': 'x', 'cluster_template_id': cluster.cluster_template_id})
            self.request('GET', f'/v1/certificates/{cluster.uuid}')
            self.stack.cloud.mend()

    def _note_keys(self, secrets):
        for private, passphrase in self.keys():
            secrets[passphrase] = 'a passphrase'
            secrets.update(dict.fromkeys(lines_of(private), 'an encrypted key'))
            plain = serialization.load_pem_private_key(
                private.encode() if isinstance(private, str) else private,
                passphrase.encode()).private_bytes(
                    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                    serialization.NoEncryption())
            secrets.update(dict.fromkeys(lines_of(plain), 'a key'))

    def _look(self, secrets):
        with open(self.stack.log, errors='replace') as log:
            text = log.read()
        # It is the log of all that, and everything is in it.
        self.assertIn(' DEBUG ', text)
        for library in ('keystoneauth', 'keystonemiddleware', ' magnum.'):
            self.assertIn(library, text)
        self.assertGreater(len(secrets), 100)
        found = {meaning for secret, meaning in secrets.items()
                 if re.search(rf'(?<![\w-]){re.escape(secret)}(?![\w-])', text)
                 and secret != base.PASSWORD}
        self.assertEqual(set(), found)
        self.assertNotRegex(text, rf'password[^\n]{{0,10}}\b{base.PASSWORD}\b')
        self.assertIsNone(FORMS.search(text), FORMS.search(text))


DEBUG = {'DEFAULT': {'debug': 'true', 'default_log_levels': ''}}


class DatabaseTest(Secrets, base.TestCase):
    stack_options = {'certificates': 'x509keypair', 'options': DEBUG}

    def keys(self):
        with session.get_engine().connect() as connection:
            return connection.execute(sa.text(
                'SELECT private_key, private_key_passphrase FROM x509keypair')).all()


class BarbicanTest(Secrets, base.TestCase):
    stack_options = {'certificates': 'barbican', 'options': DEBUG}

    def keys(self):
        manager = self.stack.cloud.key_manager
        for container in manager.containers.values():
            parts = {ref['name']: manager.secrets[ref['secret_ref'].rsplit('/', 1)[1]]['payload']
                     for ref in container['body']['secret_refs']}
            yield parts['private_key'], parts['private_key_passphrase']
