# SPDX-License-Identifier: Apache-2.0
"""What the demo's user does, with nothing but the clients that any user has."""

import json
import os
import time

from magnum_demo import console

TEMPLATE = 'demo-template'
CLUSTER = 'demo'
POOL = 'pool'
WAIT = 120


def tell(demo):
    show = demo.show
    kube = os.path.join(demo.state, 'kube')
    env = {'KUBECONFIG': os.path.join(kube, 'config')}
    with show.step('Create a cluster template'):
        create_template(demo)
    with show.step('Create a cluster with 1 master and 2 workers'):
        demo_call(demo, 'openstack', 'coe', 'cluster', 'create', CLUSTER, '--cluster-template',
                  TEMPLATE, '--master-count', '1', '--node-count', '2')
        wait_for(demo, 'status', 'CREATE_COMPLETE')
    with show.step('Fetch the kubeconfig and ask the cluster for its nodes'):
        demo_call(demo, 'openstack', 'coe', 'cluster', 'config', CLUSTER, '--dir', kube,
                  '--force')
        nodes(demo, env, 3)
    with show.step('Wait for the health monitor'):
        wait_for(demo, 'health_status', 'HEALTHY')
    with show.step('Add a nodegroup'):
        demo_call(demo, 'openstack', 'coe', 'nodegroup', 'create', CLUSTER, POOL,
                  '--node-count', '1', '--flavor', 'm1.large')
        wait_for(demo, 'status', 'UPDATE_COMPLETE')
        nodes(demo, env, 4)
    with show.step('Resize the nodegroup to 3 nodes'):
        demo_call(demo, 'openstack', 'coe', 'cluster', 'resize', CLUSTER, '3', '--nodegroup',
                  POOL)
        wait_for(demo, 'status', 'UPDATE_COMPLETE')
        nodes(demo, env, 6)
    with show.step('Delete the cluster and the template'):
        demo_call(demo, 'openstack', 'coe', 'cluster', 'delete', CLUSTER)
        wait_gone(demo)
        demo_call(demo, 'openstack', 'coe', 'cluster', 'template', 'delete', TEMPLATE)


def create_template(demo):
    demo_call(demo, 'openstack', 'coe', 'cluster', 'template', 'create', TEMPLATE,
              '--coe', 'kubernetes', '--image', 'ubuntu-demo', '--external-network', 'public',
              '--keypair', 'demo-key', '--master-flavor', 'm1.medium', '--flavor', 'm1.small',
              '--network-driver', 'calico')


def demo_call(demo, *words):
    """Show the command and the first line of its answer."""
    done = demo.call(*words)
    said = done.stdout.strip().splitlines()
    if said and not said[0].startswith('+'):
        demo.show.output(said[0])
    if 'failed' in done.stdout:
        raise console.Failed(said[0], os.path.join(demo.logs, 'user.log'))
    return done


def show_cluster(demo, shown):
    """The cluster as the client sees it, or None when there is none."""
    words = ('openstack', 'coe', 'cluster', 'show', CLUSTER, '-f', 'json')
    done = demo.call(*words, show=shown, check=False)
    if done.returncode == 0:
        return json.loads(done.stdout)
    if 'HTTP 404' in done.stderr or 'could not be found' in done.stderr:
        return None
    raise console.Failed(f'"{" ".join(words)}" failed: {done.stderr.strip()}',
                         os.path.join(demo.logs, 'user.log'))


def poll(demo, what):
    """Yield the cluster again and again, showing what it says of itself."""
    deadline = time.monotonic() + WAIT
    shown = True
    while time.monotonic() < deadline:
        cluster = show_cluster(demo, shown)
        shown = False
        if cluster is not None:
            reason = cluster['status_reason']
            text = f'{cluster["status"]}  {cluster["health_status"] or ""}'.strip()
            demo.show.progress(text + (f'  ({reason})' if reason and reason != '-' else ''))
        yield cluster
        time.sleep(0.2)
    raise console.Failed(f'the cluster did not come to {what} within {WAIT} s',
                         os.path.join(demo.logs, 'magnum.log'))


def wait_for(demo, field, wanted):
    for cluster in poll(demo, wanted):
        if cluster is None:
            raise console.Failed('the cluster has gone')
        if cluster[field] == wanted:
            demo.show.output(f'{field} is {wanted}')
            return
        if str(cluster['status']).endswith('FAILED'):
            raise console.Failed(f'{cluster["status"]}: {cluster["status_reason"]}',
                                 os.path.join(demo.logs, 'magnum.log'))


def wait_gone(demo):
    for cluster in poll(demo, 'an end'):
        if cluster is None:
            demo.show.output('the cluster is gone')
            return


def nodes(demo, env, wanted):
    done = demo.call('kubectl', 'get', 'nodes', env=env)
    demo.show.output(done.stdout)
    rows = done.stdout.strip().splitlines()[1:]
    ready = [row for row in rows if ' Ready ' in row]
    if len(ready) != wanted:
        raise console.Failed(f'{wanted} ready nodes were expected, not {len(ready)}')
