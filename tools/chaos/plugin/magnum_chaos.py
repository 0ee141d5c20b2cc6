# SPDX-License-Identifier: Apache-2.0
"""A driver for the fault test: it builds nothing, takes a moment, sometimes fails, and keeps a log.

Each call is two lines of JSON in the file CHAOS_LOG, one when it begins and one when it ends. A
call without an end was cut off with its process.
"""

import contextlib
import json
import os
import random
import threading
import time
import uuid

from magnum.common import exception
from magnum.drivers.common import driver
from magnum.objects import fields

S = fields.ClusterStatus


class ChaosFailure(exception.MagnumException):
    message = 'The driver was to fail.'


@contextlib.contextmanager
def logged(call, context, cluster, **more):
    line = {'id': uuid.uuid4().hex, 'call': call, 'cluster': cluster.uuid, 'pid': os.getpid(),
            'thread': threading.get_ident(), 'request': context.request_id, **more}
    _write(dict(line, event='begin'))
    done = False
    try:
        yield
        done = True
    finally:
        _write(dict(line, event='end', done=done))


def _write(line):
    line['time'] = time.monotonic()
    with open(os.environ['CHAOS_LOG'], 'ab', buffering=0) as log:
        log.write((json.dumps(line) + '\n').encode())


def work(context, failing=0.05):
    time.sleep(random.uniform(0, 0.2))
    if random.random() < failing:
        raise ChaosFailure()


class ChaosDriver(driver.Driver):

    @property
    def provides(self):
        return [{'server_type': 'vm', 'os': 'ubuntu', 'coe': 'kubernetes'}]

    def create_cluster(self, context, cluster, cluster_create_timeout):
        with logged('create', context, cluster):
            cluster.stack_id = f'chaos-{cluster.uuid}'
            work(context)

    def update_cluster(self, context, cluster, scale_manager=None, rollback=False):
        with logged('update', context, cluster, count=cluster.default_ng_worker.node_count):
            work(context)

    def resize_cluster(self, context, cluster, resize_manager, node_count, nodes_to_remove,
                       nodegroup=None):
        with logged('resize', context, cluster, count=node_count):
            work(context)

    def upgrade_cluster(self, context, cluster, cluster_template, max_batch_size, nodegroup,
                        scale_manager=None, rollback=False):
        with logged('upgrade', context, cluster):
            work(context)

    def delete_cluster(self, context, cluster):
        with logged('delete', context, cluster):
            work(context, 0.02)

    def create_nodegroup(self, context, cluster, nodegroup):
        with logged('nodegroup_create', context, cluster):
            work(context)

    def update_nodegroup(self, context, cluster, nodegroup):
        with logged('nodegroup_update', context, cluster):
            work(context)

    def delete_nodegroup(self, context, cluster, nodegroup):
        with logged('nodegroup_delete', context, cluster):
            work(context)

    def rotate_ca_certificate(self, context, cluster):
        with logged('rotate_ca_certificate', context, cluster):
            work(context)

    def rotate_credential(self, context, cluster):
        with logged('rotate_credential', context, cluster):
            work(context)

    def create_federation(self, context, federation):
        raise NotImplementedError()

    update_federation = delete_federation = create_federation

    def update_cluster_status(self, context, cluster):
        with logged('poll', context, cluster):
            time.sleep(random.uniform(0, 0.05))
            action, _sep, progress = cluster.status.partition('_')
            if progress != 'IN_PROGRESS' or random.random() < 0.3:
                return
            for nodegroup in cluster.nodegroups:
                self._end(nodegroup)
            cluster.status = f'{action}_COMPLETE'
            cluster.save()

    @staticmethod
    def _end(nodegroup):
        action, _sep, progress = (nodegroup.status or '').partition('_')
        if progress != 'IN_PROGRESS':
            return
        if action == 'DELETE':
            nodegroup.destroy()
            return
        nodegroup.status = f'{action}_COMPLETE'
        nodegroup.save()
