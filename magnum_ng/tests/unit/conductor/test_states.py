# SPDX-License-Identifier: Apache-2.0

import contextlib
import itertools
import pathlib
import runpy

from magnum_ng.common import exception
from magnum_ng.conductor import decisions
from magnum_ng.conductor import states
from magnum_ng import objects
from magnum_ng.tests import base as tests_base
from magnum_ng.tests.unit.conductor import base

S = states.S

# Written down here a second time, operation by operation: what the table says is what was meant.
SETTLED = {'CREATE_COMPLETE', 'UPDATE_COMPLETE', 'RESUME_COMPLETE', 'RESTORE_COMPLETE',
           'ROLLBACK_COMPLETE', 'SNAPSHOT_COMPLETE', 'CHECK_COMPLETE', 'ADOPT_COMPLETE'}
ALLOWED = {
    'create': set(),
    'update': SETTLED,
    'resize': SETTLED | {'UPDATE_IN_PROGRESS', 'UPDATE_FAILED'},
    'upgrade': SETTLED | {'UPDATE_FAILED'},
    'delete': set(S.ALL),
    'nodegroup_create': SETTLED | {'UPDATE_IN_PROGRESS', 'UPDATE_FAILED'},
    'nodegroup_update': SETTLED | {'UPDATE_IN_PROGRESS', 'UPDATE_FAILED'},
    'nodegroup_delete': SETTLED | {'UPDATE_IN_PROGRESS', 'UPDATE_FAILED', 'ROLLBACK_FAILED',
                                   'RESUME_FAILED'},
    'rotate_ca_certificate': SETTLED | {'UPDATE_FAILED'},
    'rotate_credential': SETTLED | {'UPDATE_IN_PROGRESS', 'UPDATE_FAILED'},
}


class TestTable(tests_base.TestCase):

    def test_every_operation_in_every_status(self):
        self.assertEqual(set(ALLOWED), set(states.GUARDS))
        for action, status in itertools.product(ALLOWED, S.ALL):
            with self.subTest(action=action, status=status):
                if status in ALLOWED[action]:
                    states.check(action, status)
                    continue
                error = self.assertRaises(exception.OperationNotAllowed, states.check,
                                          action, status)
                self.assertEqual(409, error.code)
                self.assertIn(f'when status is "{status}" is not supported.', str(error))

    def test_refusals_read_as_the_original_has_them(self):
        for action, text in (
                ('update', 'Updating a cluster when status is "CREATE_FAILED" is not supported.'),
                ('resize', 'Resizing a cluster when status is "CREATE_FAILED" is not supported.'),
                ('upgrade',
                 'Upgrading a cluster when status is "CREATE_FAILED" is not supported.'),
                ('rotate_ca_certificate',
                 'Updating a cluster when status is "CREATE_FAILED" is not supported.')):
            error = self.assertRaises(exception.OperationNotAllowed, states.check, action,
                                      'CREATE_FAILED')
            self.assertEqual(text, str(error))

    def test_a_nodegroup_that_does_not_exist_in_the_cloud_is_left_alone(self):
        for action in ('resize', 'upgrade', 'nodegroup_update'):
            for status in ('CREATE_FAILED', 'DELETE_IN_PROGRESS', 'DELETE_FAILED'):
                error = self.assertRaises(exception.OperationNotAllowed, states.check, action,
                                          'CREATE_COMPLETE', status)
                self.assertIn(status, str(error))

    def test_a_nodegroup_without_status_refuses_nothing(self):
        states.check('nodegroup_update', 'CREATE_COMPLETE', None)

    def test_statuses_written_are_known(self):
        for action, guard in states.GUARDS.items():
            for status in (guard.cluster_status, guard.failed, guard.nodegroup_status,
                           guard.nodegroup_failed):
                self.assertIn(status, (None, *S.ALL), action)


class TestDiagram(tests_base.TestCase):

    def test_page_in_the_documentation_is_made_from_the_table(self):
        root = pathlib.Path(__file__).resolve().parents[4]
        tool, page = root / 'tools/states_to_dot.py', root / 'doc/source/contributor/states.rst'
        if not tool.exists():
            self.skipTest('there is no tools/states_to_dot.py: this is no checkout')
        made = runpy.run_path(str(tool))['page']()
        self.assertEqual(page.read_text(), made,
                         'run tools/states_to_dot.py > doc/source/contributor/states.rst')


class TestWalk(base.ConductorTestCase):
    """The table holds where requests are decided: every operation on a cluster in every status."""

    def setUp(self):
        super().setUp()
        self.target = self.template

    def _decide(self, action, cluster):
        group = self.worker(cluster)
        context = self.context
        if action == 'update':
            return decisions.update_cluster(context, cluster, 2)
        if action == 'resize':
            return decisions.resize_cluster(context, cluster, 2, [], group)
        if action == 'upgrade':
            return decisions.upgrade_cluster(context, cluster, self.target, 1, group)
        if action == 'delete':
            return decisions.delete_cluster(context, cluster)
        if action == 'nodegroup_create':
            return decisions.create_nodegroup(context, cluster, objects.NodeGroup(
                context, name='extra', cluster_id=cluster.uuid, project_id=cluster.project_id,
                role='worker', node_count=1))
        if action == 'nodegroup_update':
            group.max_node_count = 7
            return decisions.update_nodegroup(context, cluster, group)
        if action == 'nodegroup_delete':
            return decisions.delete_nodegroup(context, cluster,
                                              self.make_nodegroup(cluster, 'other'))
        if action == 'rotate_ca_certificate':
            return decisions.rotate_ca_certificate(context, cluster)
        return decisions.rotate_credential(context, cluster)

    def test_what_is_refused_changes_nothing_and_what_is_accepted_shows(self):
        for action, status in itertools.product(sorted(set(ALLOWED) - {'create'}), S.ALL):
            with self.subTest(action=action, status=status):
                self._walk(action, status)

    def _walk(self, action, status):
        cluster = self.make_cluster(status)
        before = self.count('ng_operation')
        if status not in ALLOWED[action]:
            self.assertRaises(exception.OperationNotAllowed,
                              contextlib.ExitStack().enter_context,
                              self._decide(action, cluster))
            self.assertEqual(status, self.reload(cluster).status)
            self.assertEqual(1, self.worker(cluster).node_count)
            self.assertEqual(before, self.count('ng_operation'))
            return
        with self._decide(action, cluster) as operation:
            pass
        if action == 'delete' and status in ('DELETE_IN_PROGRESS', 'DELETE_COMPLETE'):
            self.assertIsNone(operation)
            self.assertEqual(status, self.reload(cluster).status)
            return
        expected = states.GUARDS[action].cluster_status or status
        self.assertEqual(expected, self.reload(cluster).status)
        self.assertEqual(expected, cluster.status)
        self.assertEqual(before + 1, self.count('ng_operation'))
