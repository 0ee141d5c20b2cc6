# SPDX-License-Identifier: Apache-2.0

import datetime
import types

from magnum_ng.api import cluster_views
from magnum_ng.tests import base


class TestClusterViews(base.TestCase):

    def test_labels_are_compared(self):
        self.assertEqual(
            {'labels_overridden': {'b': '2'}, 'labels_added': {'d': '5'},
             'labels_skipped': {'c': '3'}},
            cluster_views.label_diff({'a': '1', 'b': '4', 'd': '5'},
                                     {'a': '1', 'b': '2', 'c': '3'}))

    def test_moments_have_an_offset(self):
        plain = datetime.datetime(2026, 1, 2, 3, 4, 5)
        zone = datetime.timezone(datetime.timedelta(hours=2))
        self.assertEqual('2026-01-02T03:04:05+00:00', cluster_views.moment(plain))
        self.assertEqual('2026-01-02T01:04:05+00:00',
                         cluster_views.moment(plain.replace(tzinfo=zone)))
        self.assertIsNone(cluster_views.moment(None))

    def test_a_page_that_is_not_full_is_the_last(self):
        rows = [types.SimpleNamespace(uuid='u1'), types.SimpleNamespace(uuid='u2')]
        body = cluster_views.page('things', [1, 2], rows, 2, 'http://h', 'things',
                                  {'sort_key': 'id', 'name': 'a b', 'status': None})
        self.assertEqual('http://h/v1/things?sort_key=id&name=a+b&limit=2&marker=u2',
                         body['next'])
        for limit, found in ((3, rows), (2, [])):
            self.assertEqual({'things': []}, cluster_views.page(
                'things', [], found, limit, 'http://h', 'things', {}))

    def test_sizes_leave_out_what_is_deleted(self):
        def group(**values):
            return types.SimpleNamespace(**{
                'name': 'n', 'role': 'worker', 'node_count': 2, 'node_addresses': ['a'],
                'status': None, 'status_reason': None, **values})

        sizes = cluster_views.Sizes([
            group(), group(role='master', node_count=1, node_addresses=None),
            group(status='DELETE_COMPLETE'), group(role='gpu', node_count=None),
            group(name='bad', status='UPDATE_FAILED', status_reason='why')])
        self.assertEqual((4, 1, ['a', 'a', 'a'], [], {'bad': 'why'}), (
            sizes.node_count, sizes.master_count, sizes.node_addresses, sizes.master_addresses,
            sizes.faults))
