#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command on two hosts at once: two_hosts.py COMMAND …, where HOST stands for the host's number.

The hosts, host0 (10.77.0.1) and host1 (10.77.0.2), have a network, processes, shared memory and a name of their own, by
Linux's namespaces, and a cable (veth) between them. The machine's network is not touched. Needs unshare (util-linux)
and ip (iproute2), and leave to make namespaces. The exit code is the first one that is not 0.
"""

import os
import subprocess
import sys
import time

OWN = ["--net", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"]
# The cable comes when the host is there: it waits for a line.
START = """
hostname "host$0"
mount -t tmpfs none /dev/shm
read -r _
exec "$@"
"""


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def start(number, command):
    words = [word.replace("HOST", str(number)) for word in command]
    host = subprocess.Popen(["unshare", *OWN, "sh", "-ec", START, str(number), *words], stdin=subprocess.PIPE)
    ours = os.readlink("/proc/self/ns/net")
    while host.poll() is None and os.readlink(f"/proc/{host.pid}/ns/net") == ours:
        time.sleep(0.01)
    return host


def connect(hosts):
    run("ip", "link", "add", "cable0", "type", "veth", "peer", "name", "cable1")
    for number, host in enumerate(hosts):
        within = ["nsenter", f"--net=/proc/{host.pid}/ns/net"]
        run("ip", "link", "set", f"cable{number}", "netns", str(host.pid))
        run(*within, "ip", "address", "add", f"10.77.0.{number + 1}/24", "dev", f"cable{number}")
        run(*within, "ip", "link", "set", f"cable{number}", "up")
        run(*within, "ip", "link", "set", "lo", "up")


def inside(command):
    hosts = [start(number, command) for number in range(2)]
    try:
        connect(hosts)
        for host in hosts:
            host.stdin.write(b"\n")
            host.stdin.close()
        return next((code for code in [host.wait() for host in hosts] if code), 0)
    finally:
        for host in hosts:
            host.kill()


def main():
    if sys.argv[1] == "--inside":
        sys.exit(inside(sys.argv[2:]))
    root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    os.execvp("unshare", ["unshare", *root, "--net", "--mount", sys.executable, __file__, "--inside", *sys.argv[1:]])


if __name__ == "__main__":
    main()
