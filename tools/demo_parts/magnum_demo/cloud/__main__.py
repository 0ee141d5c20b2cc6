# SPDX-License-Identifier: Apache-2.0
"""Serve the embedded cloud as a process: python -m magnum_demo.cloud SETTINGS.json

The settings hold port, password and magnum_url.
"""

import json
import signal
import sys
import threading

from magnum_demo import cloud


def main():
    with open(sys.argv[1]) as f:
        settings = json.load(f)
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    try:
        embedded = cloud.Cloud(port=settings['port'], password=settings['password'])
    except OSError as e:
        sys.exit(f'the embedded cloud cannot listen on port {settings["port"]}: {e}')
    embedded.set_endpoint('magnum', 'container-infra', settings['magnum_url'])
    cloud.serve_until_stopped(embedded, stopped)


if __name__ == '__main__':
    main()
