# SPDX-License-Identifier: Apache-2.0
"""Clusters of the Heat driver, which the original has lost, in the database."""

import os
import signal
import time

import serving
from lab import check, ensure

# Nothing asks who sends the headers that the script sends.
PASTE = '''
[app:main]
paste.app_factory = magnum.api.app:app_factory
'''

# The templates as they are after releases 15 to 22: with the name of the driver, and without.
SCRIPT = '''
import io, json, sys, time, uuid
from wsgiref.util import setup_testing_defaults
from magnum.api import app
application = app.build_wsgi_app(["magnum-api", "--config-file", sys.argv[1]])
from magnum import objects
from magnum.common import context
admin = context.make_admin_context()
HEADERS = {"HTTP_X_PROJECT_ID": "p", "HTTP_X_USER_ID": "u", "HTTP_X_ROLES": "member,reader",
           "HTTP_X_AUTH_TOKEN": "t", "CONTENT_TYPE": "application/json",
           "HTTP_OPENSTACK_API_VERSION": "container-infra latest"}

def ask(expected, method, path, body=None):
    body = json.dumps(body).encode() if body is not None else b""
    environ = {"REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": path,
               "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body), **HEADERS}
    setup_testing_defaults(environ)
    answer = []
    text = b"".join(application(environ, lambda status, headers, exc=None: answer.append(status)))
    if int(answer[0].split()[0]) != expected:
        print("WRONG", method, path, answer[0], text.decode()[:500])
    return json.loads(text) if text else None

def wait(uuid, statuses):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = ask(200, "GET", "/v1/clusters/" + uuid)
        if found["status"] in statuses:
            return found
        time.sleep(0.5)
    print("WRONG", "still", found["status"], "not", statuses)
    return found

for number, driver in enumerate(("k8s_fedora_coreos_v1", None)):
    template = objects.ClusterTemplate(
        admin, uuid=str(uuid.uuid4()), name=f"template{number}", project_id="p", user_id="u",
        image_id="fedora-coreos", coe="kubernetes", cluster_distro="fedora-coreos",
        server_type="vm", driver=driver, labels={}, public=False, hidden=False,
        tls_disabled=False, external_network_id="public")
    template.create()
    clusters = []
    for status in ("CREATE_COMPLETE", "CREATE_COMPLETE", "UPDATE_IN_PROGRESS"):
        cluster = objects.Cluster(
            admin, uuid=str(uuid.uuid4()), name=f"c{number}{len(clusters)}", project_id="p",
            user_id="u", cluster_template_id=template.uuid, status=status, stack_id="heat",
            api_address="https://192.0.2.1:6443", labels={}, keypair="k", create_timeout=60)
        cluster.create()
        for role, count in (("master", 1), ("worker", 2)):
            objects.NodeGroup(
                admin, uuid=str(uuid.uuid4()), name="default-" + role, cluster_id=cluster.uuid,
                project_id="p", role=role, node_count=count, is_default=True, flavor_id="f",
                image_id="fedora-coreos", labels={}, status=status,
                min_node_count=1).create()
        clusters.append(cluster.uuid)
    one, two, three = clusters
    ask(200, "GET", "/v1/clusters/detail")
    shown = ask(200, "GET", "/v1/clusters/" + one)
    ask(202, "PATCH", "/v1/clusters/" + one,
        [{"op": "replace", "path": "/health_status", "value": "UNHEALTHY"}])
    if ask(200, "GET", "/v1/clusters/" + one)["health_status"] != "UNHEALTHY":
        print("WRONG", "the report of health is lost")
    refused = ask(400, "POST", "/v1/clusters", {"name": "new", "keypair": "k",
                                                "cluster_template_id": template.uuid})
    print(refused["errors"][0]["detail"])
    ask(202, "POST", f"/v1/clusters/{one}/actions/resize", {"node_count": 5})
    found = wait(one, ("UPDATE_FAILED", "CREATE_COMPLETE"))
    if found["node_count"] != 2:
        print("WRONG", "the size is", found["node_count"])
    ask(204, "DELETE", "/v1/clusters/" + two)
    print(wait(two, ("DELETE_FAILED",))["status_reason"])
    # In progress for ever, and the periodic task has seen it by now.
    wait(three, ("UPDATE_IN_PROGRESS",))
print("done")
'''


@check('A25', 'clusters of the removed Heat driver stay readable and can be told apart')
def heat(lab):
    transport = serving._broker()
    lab.add_driver(lab.installed)
    folder, config = serving.write_config(lab, 'leftovers', paste=PASTE, transport=transport)
    config.write_text(config.read_text() + f'''
[conductor]
workers = 1
topic = dropin-{os.getpid()}-leftovers
[certificates]
cert_manager_type = x509keypair
''')
    lab.run(lab.installed / 'bin' / 'magnum-db-manage', '--config-file', config, 'upgrade')
    command = [lab.installed / 'bin' / 'magnum-conductor', '--config-file', config]
    with serving.running(command, folder, stop=signal.SIGTERM):
        time.sleep(8)
        out = lab.python(lab.installed, SCRIPT, config, timeout=300)
        time.sleep(12)
    ensure('done' in out and 'WRONG' not in out, out[-3000:])
    ensure('k8s_fedora_coreos_v1' in out, f'the driver is not named: {out[-1500:]}')
    log = (folder / 'output.log').read_text()
    ensure('Traceback' not in log, log[-3000:])
