# SPDX-License-Identifier: Apache-2.0
"""``openstack coe``: python-magnumclient under python-openstackclient.

The client is loaded once and then forked for each command: that spares its imports, and changes
nothing of what it does.
"""

import contextlib
import io
import os
import pathlib
import signal
import sys
import tempfile

from magnum_clients import pki
from magnum_clients import report

TIMEOUT = 120


class Client:
    def __init__(self, variables, folder):
        self.variables = variables
        self.folder = folder

    def __call__(self, *words, fails=False):
        """Run a command; what it prints. ``fails``: it must end with an error."""
        status, text = self._run(words)
        report.ensure((status != 0) == fails, f'exit status {status}: {text[-400:]}')
        return text

    def _run(self, words):
        from openstackclient import shell

        sys.stdout.flush()
        with tempfile.TemporaryFile('w+') as out:
            pid = os.fork()
            if pid == 0:
                os._exit(self._child(shell, words, out))
            _pid, status = os.waitpid(pid, 0)
            out.seek(0)
            return os.waitstatus_to_exitcode(status), out.read()

    def _child(self, shell, words, out):
        signal.alarm(TIMEOUT)
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
        for name in [name for name in os.environ if name.startswith('OS_')]:
            del os.environ[name]
        os.environ.update(self.variables, SHELL='/bin/sh')
        os.chdir(self.folder)
        sys.stdout = sys.stderr = io.TextIOWrapper(os.fdopen(1, 'wb', closefd=False),
                                                   write_through=True)
        status = 1
        with contextlib.suppress(SystemExit):
            try:
                status = shell.main(['coe', *words]) or 0
            except Exception as error:
                print(f'{type(error).__name__}: {error}')
        sys.stdout.flush()
        return status if isinstance(status, int) else 1


def warm_up():
    """Have imported what every command imports."""
    from openstackclient import shell

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        shell.main(['coe', 'cluster', 'list', '--help'])


class Walk:
    """All commands, in the order of a cluster's life."""

    def __init__(self, found, cloud, prefix):
        self.report = found
        self.prefix = prefix
        self.cloud = cloud
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='magnum-clients-'))
        self.magnum = cloud.connection.container_infrastructure_management
        self.user = Client(cloud.variables, self.folder)
        self.admin = Client(cloud.admin_variables, self.folder)
        self.template = f'{prefix}-template'
        self.newer = f'{prefix}-newer'

    def run(self):
        self.report.begin('openstack coe')
        warm_up()
        try:
            self.templates()
            self.cluster()
            self.nodegroups()
            self.certificates()
            self.administration()
        finally:
            self.clean()

    def yes(self, *words, has='', as_admin=False):
        def run():
            text = (self.admin if as_admin else self.user)(*words)
            report.ensure(has in text, f'no "{has}" in: {text[-300:]}')
            return text

        return self.report.check(' '.join(words[:4 if words[0] == 'cluster' else 3]), run)

    def no(self, *words, has):
        def run():
            text = self.user(*words, fails=True)
            report.ensure(has in text, f'no "{has}" in: {text[-300:]}')

        return self.report.check('refused: ' + ' '.join(words[:3]), run)

    def reach(self, status):
        def ready():
            # Not with the command, which would take longer than the operation.
            found = self.magnum.get_cluster(self.prefix).status
            report.ensure(found == status or not found.endswith('FAILED'), found)
            return found == status

        self.report.check(f'the cluster becomes {status}',
                          lambda: report.until(status, ready))

    # -- the commands ------------------------------------------------------------------------
    def _create_template(self, name, *more):
        self.yes('cluster', 'template', 'create', name, '--image', self.cloud.image,
                 '--external-network', self.cloud.network, '--flavor', self.cloud.flavor,
                 '--coe', 'kubernetes', '--network-driver', 'flannel', *more, has='cluster_distro')

    def templates(self):
        # Without --master-flavor, which the client then sends as null.
        self._create_template(self.template, '--keypair', self.cloud.keypair)
        self._create_template(self.newer, '--labels', 'kube_tag=v1.36.0', '--tags', 'a,b')
        self.yes('cluster', 'template', 'list', has=self.template)
        self.yes('cluster', 'template', 'show', self.template, has='8.8.8.8')
        self.yes('cluster', 'template', 'update', self.newer, '--dns-nameserver', '9.9.9.9')
        self.no('cluster', 'template', 'create', 'x', '--image', 'no-such', '--coe',
                'kubernetes', '--external-network', self.cloud.network, has='could not be found')

    def cluster(self):
        self.yes('cluster', 'create', self.prefix, '--cluster-template', self.template,
                 '--node-count', '2', '--labels', 'kube_tag=v1.35.0', '--merge-labels',
                 has='accepted')
        self.reach('CREATE_COMPLETE')
        self.yes('cluster', 'list', has=self.prefix)
        self.yes('cluster', 'show', self.prefix, has='CREATE_COMPLETE')
        self.yes('cluster', 'config', self.prefix, '--dir', str(self.folder), '--force',
                 has='KUBECONFIG')
        self.yes('cluster', 'resize', self.prefix, '3', has='accepted')
        self.reach('UPDATE_COMPLETE')
        self.yes('cluster', 'update', self.prefix, '--node-count', '2', has='accepted')
        self.reach('UPDATE_COMPLETE')
        self.no('cluster', 'update', self.prefix, '--name', 'other',
                has='cannot change cluster property')
        self.yes('cluster', 'upgrade', self.prefix, self.newer, has='accepted')
        self.reach('UPDATE_COMPLETE')
        self.no('cluster', 'show', 'no-such', has='could not be found')

    def nodegroups(self):
        self.yes('nodegroup', 'create', self.prefix, 'extra', '--node-count', '1', '--role',
                 'gpu', has='accepted')
        self.reach('UPDATE_COMPLETE')
        self.yes('nodegroup', 'list', self.prefix, has='default-worker')
        self.yes('nodegroup', 'list', self.prefix, '--role', 'gpu', has='extra')
        self.yes('nodegroup', 'show', self.prefix, 'extra', has='CREATE_COMPLETE')
        self.yes('nodegroup', 'update', self.prefix, 'extra', '--max-nodes', '5', has='accepted')
        self.reach('UPDATE_COMPLETE')
        self.yes('cluster', 'resize', self.prefix, '2', '--nodegroup', 'extra', has='accepted')
        self.reach('UPDATE_COMPLETE')
        self.yes('nodegroup', 'delete', self.prefix, 'extra')
        self.reach('UPDATE_COMPLETE')

    def certificates(self):
        self.yes('ca', 'show', self.prefix, has='BEGIN CERTIFICATE')
        (self.folder / 'request.csr').write_text(pki.request('somebody'))
        self.report.check('ca sign', self._sign)
        self.yes('ca', 'rotate', self.prefix, has='accepted')
        self.reach('UPDATE_COMPLETE')
        self.yes('credential', 'rotate', self.prefix)
        self.reach('UPDATE_COMPLETE')

    def _sign(self):
        def pem(text):
            mark = '-----END CERTIFICATE-----'
            return text[text.index('-----BEGIN'):text.index(mark) + len(mark)] + '\n'

        pki.check_signed(pem(self.user('ca', 'sign', self.prefix, 'request.csr')),
                         pem(self.user('ca', 'show', self.prefix)))

    def administration(self):
        project = self.cloud.project_id
        quota = ('--project-id', project, '--resource', 'Cluster')
        self.yes('service', 'list', has='magnum-conductor', as_admin=True)
        self.yes('stats', 'list', project, has='clusters', as_admin=True)
        self.yes('quotas', 'create', *quota, '--hard-limit', '20', has='20', as_admin=True)
        self.yes('quotas', 'show', *quota, has='20', as_admin=True)
        self.yes('quotas', 'list', '--all-tenants', has=project, as_admin=True)
        self.yes('quotas', 'update', *quota, '--hard-limit', '30', has='30', as_admin=True)
        self.yes('quotas', 'delete', *quota, as_admin=True)

    def clean(self):
        self.yes('cluster', 'delete', self.prefix)

        def gone():
            return all(each.name != self.prefix for each in self.magnum.clusters())

        self.report.check('the cluster is gone', lambda: report.until('deletion', gone))
        for name in (self.template, self.newer):
            self.yes('cluster', 'template', 'delete', name)
        self.report.check('no template is left', lambda: report.ensure(
            self.prefix not in self.user('cluster', 'template', 'list'), 'one is'))
        for path in self.folder.iterdir():
            path.unlink()
        self.folder.rmdir()
