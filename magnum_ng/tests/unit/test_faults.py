# SPDX-License-Identifier: Apache-2.0
"""Which test shows that a fault of the original is not there: kinds state to quota.

Each of the tests named fails on what the original does. The faults of the other kinds are shown
next to what they are faults of: input and policy in ``api``, contents of certificates in
``common/x509``, back ends in ``common``.
"""

import importlib
import importlib.util
import pathlib
import unittest

_API = 'unit.api.controllers.v1.test_'
_CLUSTER = _API + 'cluster.'
_ACTIONS = _API + 'cluster_actions.'
_NODEGROUP = _API + 'nodegroup.'
_DECISIONS = 'unit.conductor.test_decisions.'
_OPERATIONS = 'unit.conductor.test_operations.'
_ENDINGS = 'unit.conductor.test_endings.'
_STATUS = 'unit.service.test_status.'
_CERTIFICATES = 'unit.conductor.handlers.common.test_cert_manager.'
_BACKENDS = 'unit.common.cert_manager.test_backends.'

STATE = {
    'a cluster keeps its status after an accepted deletion':
        [_CLUSTER + 'TestDeleteCluster.test_the_deletion_shows_at_once_and_is_asked_for_once'],
    'a cluster keeps its status and size after an accepted resize':
        [_ACTIONS + 'TestResize.test_the_new_size_shows_at_once'],
    'a nodegroup keeps its status after its deletion':
        [_NODEGROUP + 'TestDeleteNodeGroup.test_the_deletion_shows_at_once_and_is_asked_for_once',
         _OPERATIONS + 'TestNodegroups.test_deletion_stays_visible_whatever_the_driver_saves'],
    'two quick scale-downs ask for the same size':
        [_ACTIONS + 'TestResize.test_a_second_scale_down_builds_on_the_first',
         _DECISIONS + 'TestSizes.test_second_scale_down_builds_on_the_first',
         _ENDINGS + 'TestQueues.test_driver_sees_its_own_size_and_not_that_of_a_poll_or_of_a_'
                    'later_request'],
    'the label max_node_count is ignored':
        [_CLUSTER + 'TestCreateCluster.test_bounds_of_the_workers_come_from_labels',
         _DECISIONS + 'TestCreate.test_cluster_and_nodegroups_are_there_at_once'],
    'a size fails on drivers without update':
        [_OPERATIONS + 'TestClusters.test_update_that_the_driver_does_not_know_becomes_a_resize'],
    'a failed upgrade locks out any other':
        [_ACTIONS + 'TestUpgrade.test_statuses',
         _API + 'certificate.TestRotation.test_it_may_be_tried_again_after_a_failed_update',
         'unit.conductor.test_states.TestTable.test_every_operation_in_every_status'],
    'an upgrade leaves the reference at the old template':
        [_STATUS + 'TestEnds.test_template_is_switched_when_the_upgrade_is_complete',
         'unit.conductor.test_sweeper.TestSweeper.test_upgrade_whose_end_nobody_has_seen'],
    'a new nodegroup is invisible':
        [_NODEGROUP + 'TestCreateNodeGroup.test_the_answer_is_what_is_read_at_once'],
    'health reports are refused while something goes on':
        [_CLUSTER + 'TestPatchCluster.test_health_is_stored_in_any_status',
         _DECISIONS + 'TestHealthReport.test_is_stored_in_every_status_and_touches_nothing_else'],
    'a health report resizes':
        [_OPERATIONS + 'TestOriginalApi.test_health_report_does_not_resize',
         _CLUSTER + 'TestPatchCluster.test_a_health_report_leaves_the_rest_of_it'],
    'a hidden template takes its clusters away':
        [_CLUSTER + 'TestReadClusters.test_a_template_that_is_hidden_hides_no_cluster',
         _CLUSTER + 'TestReadClusters.test_a_template_that_is_gone_leaves_the_differences_empty',
         _CLUSTER + 'TestDeleteCluster.test_the_cluster_of_a_hidden_or_missing_template',
         _NODEGROUP + 'TestCreateNodeGroup.test_a_template_that_is_gone',
         _OPERATIONS + 'TestClusters.test_template_that_is_hidden_or_gone_blocks_nothing'],
    'a queued resize brings a deleted cluster back':
        [_OPERATIONS + 'TestOrder.test_deletion_wins_over_what_is_queued',
         _ENDINGS + 'TestQueues.test_sizes_that_a_deletion_has_overtaken_have_never_been'],
    'a failed resize restores an outdated size':
        [_OPERATIONS + 'TestClusters.test_failed_resize_restores_the_size_before_it',
         _ENDINGS + 'TestQueues.test_three_queued_resizes_restore_what_the_driver_did_last'],
    'nodegroup operations ignore the status of the cluster':
        [_NODEGROUP + 'TestCreateNodeGroup.test_a_status_that_forbids_it',
         _NODEGROUP + 'TestPatchNodeGroup.test_a_status_that_forbids_it',
         _NODEGROUP + 'TestDeleteNodeGroup.test_a_status_that_forbids_it'],
    'refusals are silent':
        [_ACTIONS + 'TestResize.test_statuses',
         _CLUSTER + 'TestPatchCluster.test_a_status_that_forbids_it',
         'unit.conductor.test_states.TestWalk.test_what_is_refused_changes_nothing_and_what_is_'
         'accepted_shows'],
    'health_status and discovery_url are taken from the client':
        [_CLUSTER + 'TestCreateCluster.test_server_owned_fields_are_ignored'],
    'a new cluster cannot be read at once':
        [_CLUSTER + 'TestCreateCluster.test_the_cluster_and_its_nodegroups_exist_when_it_is_'
                    'answered'],
    'a cluster without nodegroups cannot be read':
        [_CLUSTER + 'TestReadClusters.test_a_cluster_without_nodegroups_can_be_read'],
}

CONDUCTOR = {
    'deleted nodegroups never go away':
        [_STATUS + 'TestEnds.test_deleted_nodegroups_go',
         _OPERATIONS + 'TestNodegroups.test_deletion_of_what_the_driver_cannot_find_removes_the_'
                       'row',
         _CLUSTER + 'TestReadClusters.test_nodegroups_that_are_deleted_do_not_count'],
    'the size drifts from what the driver knows':
        [_STATUS + 'TestEnds.test_size_that_the_driver_reports_is_kept'],
    'parallel creations of nodegroups break each other':
        [_OPERATIONS + 'TestNodegroups.test_many_at_once_run_one_after_another'],
    'create and update of nodegroups wait for a lock of the driver':
        [_OPERATIONS + 'TestOrder.test_two_conductors_do_not_call_a_driver_at_the_same_time',
         _OPERATIONS + 'TestOrder.test_operations_run_in_the_order_of_acceptance_not_of_arrival'],
    'every conductor polls every cluster, and polls overlap':
        [_STATUS + 'TestShares.test_each_cluster_has_one_owner',
         _STATUS + 'TestShares.test_ticks_do_not_overlap',
         _STATUS + 'TestTrouble.test_driver_that_hangs_holds_up_nobody_and_is_not_asked_twice',
         _STATUS + 'TestNewerDecisions.test_poll_does_not_overwrite_a_deletion'],
    'drivers get stale objects':
        [_OPERATIONS + 'TestOriginalApi.test_guard_reads_the_row_not_the_message',
         _OPERATIONS + 'TestClusters.test_resize_reaches_the_driver_with_all_it_needs'],
    'errors of the back end never reach the user':
        [_STATUS + 'TestTrouble.test_last_error_is_shown_until_it_is_over'],
    'create_timeout does nothing':
        [_STATUS + 'TestTimeout.test_creation_that_takes_too_long_is_given_up',
         _STATUS + 'TestTimeout.test_without_a_timeout_it_may_take_for_ever',
         _STATUS + 'TestTimeout.test_driver_that_completes_it_after_all_is_believed'],
    'what cannot be connected to is called unhealthy':
        [_STATUS + 'TestHealth.test_what_cannot_be_known_is_unknown_with_the_reason',
         'unit.drivers.test_k8s_monitor.TestHealth.test_an_api_that_does_not_answer_is_unknown_in_'
         'time'],
    'health is optimistic about missing nodes':
        ['unit.drivers.test_k8s_monitor.TestHealth.test_missing_nodes_make_it_unhealthy',
         'unit.drivers.test_k8s_monitor.TestHealth.test_nonsense_is_unknown'],
    'the conductor runs out of connections':
        ['functional.test_state.TestMariaDB.test_more_polls_than_connections',
         'unit.db.sqlalchemy.test_session.PoolTest.test_no_method_keeps_a_connection'],
    'a slow management cluster stalls the API':
        ['unit.conductor.test_server.TestMessages.test_slow_driver_does_not_fail_the_request',
         _ACTIONS + 'TestUpgrade.test_a_conductor_that_is_slow',
         _ENDINGS + 'TestDriversThatHang.test_operation_fails_and_the_cluster_can_be_deleted',
         'unit.drivers.test_k8s_monitor.TestHealth.test_an_answer_that_drips_for_ever_is_cut_off'],
    'a bad label leaves a zombie':
        [_CLUSTER + 'TestCreateCluster.test_labels_with_a_meaning',
         _OPERATIONS + 'TestOriginalApi.test_create_with_a_bad_label_ends_with_a_reason'],
    'lists keep a database connection':
        ['unit.db.sqlalchemy.test_session.PoolTest.test_no_method_keeps_a_connection'],
    'a deletion is lost when the driver is not installed':
        [_OPERATIONS + 'TestClusters.test_driver_that_is_not_installed_fails_with_a_reason',
         _STATUS + 'TestTrouble.test_driver_that_is_missing_stops_nobody_else',
         _CLUSTER + 'TestDeleteCluster.test_force_removes_the_record_and_tells_what_is_left'],
    'a broken notification bus breaks deletion':
        [_OPERATIONS + 'TestClusters.test_broken_notifications_change_nothing',
         'unit.conductor.test_notifications.TestNotifications.test_trouble_is_kept_from_the_'
         'caller'],
    'API and conductor choose different drivers':
        [_CLUSTER + 'TestCreateCluster.test_the_driver_stored_on_the_template_is_the_one_asked',
         'unit.drivers.test_driver.TestResolve.test_the_stored_name_goes_first'],
    'status_reason publishes credentials':
        ['unit.common.test_masking.TestWaysOut.test_reasons',
         'unit.conductor.test_reasons.TestReasons.test_length_is_bounded',
         _OPERATIONS + 'TestClusters.test_failed_create_fails_its_nodegroups_and_tells_why',
         _ENDINGS + 'TestKeysInTheDatabase.test_reason_has_no_sql'],
    'notifications carry secrets, and one key is misspelt':
        ['unit.conductor.test_notifications.TestNotifications.test_secrets_in_labels_are_masked',
         'unit.conductor.test_notifications.TestNotifications.test_event_is_as_recorded'],
    'messages carry all that is known about the token':
        ['unit.common.test_context.RequestContextTest.test_a_message_carries_everything_but_what_'
         'was_found_out_about_the_token',
         _DECISIONS + 'TestCreate.test_token_is_not_recorded'],
    'dead conductors are listed for ever':
        ['unit.conductor.test_sweeper.TestSweeper.test_dead_conductors_leave_the_list',
         _API + 'magnum_services.TestServices.test_there_are_pages'],
}

CERTIFICATES = {
    'files of private keys are readable for an instant':
        [_CERTIFICATES + 'TestFiles.test_the_files_are_for_the_service_alone',
         _BACKENDS + 'TestFiles.test_bytes_and_text_are_stored_for_the_service_alone'],
    'a rotation that the driver does not support cuts everybody off':
        [_OPERATIONS + 'TestRotation.test_driver_that_cannot_rotate_changes_nothing',
         _ENDINGS + 'TestRotationCutShort.test_driver_that_saves_the_cluster_in_the_middle_stores_'
                    'no_references'],
    'certificates leak':
        [_ENDINGS + 'TestKeysInTheDatabase.test_life_of_a_cluster_leaves_no_keys',
         _ENDINGS + 'TestKeysInTheDatabase.test_cluster_and_keys_go_in_one_transaction'],
    'cached client certificates are poisoned, stale, left behind':
        [_CERTIFICATES + 'TestFiles.test_a_failure_in_the_middle_leaves_nothing_that_poisons_the_'
                         'next_time',
         _CERTIFICATES + 'TestFiles.test_files_of_other_certificates_are_replaced',
         _CERTIFICATES + 'TestFiles.test_they_go_with_the_certificates',
         'unit.conductor.test_sweeper.TestSweeper.test_files_of_clusters_that_are_gone_go_too'],
    'a failure of the key storage leaks what was stored':
        [_CERTIFICATES + 'TestGenerate.test_what_was_stored_before_a_failure_is_deleted_again',
         _CERTIFICATES + 'TestGenerate.test_the_database_takes_all_or_nothing',
         _BACKENDS + 'TestBarbican.test_a_container_that_cannot_be_made_leaves_no_secrets'],
    'the local back end takes no bytes':
        [_BACKENDS + 'TestFiles.test_bytes_and_text_are_stored_for_the_service_alone'],
}

QUOTA = {
    'an empty change resets a quota to 1':
        [_API + 'quota.TestQuotas.test_what_a_change_leaves_out_stays'],
    'all_tenants is lost on the second page':
        [_API + 'quota.TestList.test_pages_keep_the_parameters'],
    'the quota of clusters is not atomic':
        [_DECISIONS + 'TestQuotaRace.test_parallel_requests_do_not_exceed_the_limit',
         'functional.test_state.TestMariaDB.test_parallel_requests_do_not_exceed_the_quota',
         'functional.test_state.TestPostgreSQL.test_parallel_requests_do_not_exceed_the_quota'],
}


class TestTheTable(unittest.TestCase):

    def test_every_test_named_exists(self):
        for kind in (STATE, CONDUCTOR, CERTIFICATES, QUOTA):
            for fault, tests in kind.items():
                self.assertTrue(tests, fault)
                for name in tests:
                    with self.subTest(fault=fault, test=name):
                        self._check(name)

    def _check(self, name):
        path, cls, method = f'magnum_ng.tests.{name}'.rsplit('.', 2)
        if '.functional.' in path:
            # Read, not imported: it needs a checkout.
            source = pathlib.Path(importlib.util.find_spec(path).origin).read_text()
            self.assertIn(f'class {cls}(', source)
            self.assertIn(f'def {method}(', source)
            return
        self.assertTrue(callable(getattr(getattr(importlib.import_module(path), cls), method)))
