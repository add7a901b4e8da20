"""In a network namespace with a name server that writes down every question: only hosts of the page are asked for.

Needs the right to make namespaces (Linux, root or user namespaces); skipped where the system does not give it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NAME_SERVER = """
import socket, sys
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
print("ready", flush=True)
while True:
    question, sender = server.recvfrom(512)
    at, labels = 12, []
    while question[at]:
        labels.append(question[at + 1 : at + 1 + question[at]].decode())
        at += 1 + question[at]
    print(".".join(labels), flush=True)
    # no such name
    server.sendto(question[:2] + b"\\x81\\x83" + question[4:6] + b"\\0\\0\\0\\0\\0\\0" + question[12:at + 5], sender)
"""
PAGE = """<title>t</title><p>x</p><img src=http://picture.example/a.png>
<link rel=dns-prefetch href=//prefetch.example><link rel=preconnect href=//preconnect.example>
<script>
try { new RTCPeerConnection({iceServers: [{urls: "stun:stun.example"}]}).createDataChannel("x") } catch (e) {}
navigator.serviceWorker && navigator.serviceWorker.register("/w.js").catch(() => 0);
</script>"""
VISIT = """
import contextlib, socket, sys
with contextlib.suppress(OSError):
    socket.getaddrinfo("control.example", 80)  # the name server is asked and writes it down
from peneira.sources.browser import Browser
with Browser() as browser:
    page = browser.read(sys.argv[1])
print("text:", page.visible_text(page.body))
"""


PREPARED = 'ip link set lo up && at="$(readlink -f /etc/resolv.conf)" && mount --bind "$at" "$at"'
SCRIPT = """
ip link set lo up
mount --bind resolv.conf "$(readlink -f /etc/resolv.conf)"
"$1" server.py > asked 2> errors &
server=$!
for wait in 1 2 3 4 5 6 7 8 9 10; do grep -q ready asked && break; sleep 0.5; done
"$1" visit.py "$PAGE"
kill $server
"""


def _in_namespace(*command: str) -> list[str]:
    return ["unshare", "--net", "--mount", "--fork", "--kill-child", *command]


def _has_namespaces() -> bool:
    if shutil.which("unshare") is None or sys.platform != "linux":
        return False
    return subprocess.run(_in_namespace("sh", "-c", PREPARED), capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _has_namespaces(), reason="the system gives no network namespaces")
def test_a_browser_asks_for_the_hosts_of_the_page_alone(tmp_path: Path):
    (tmp_path / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    (tmp_path / "server.py").write_text(NAME_SERVER)
    (tmp_path / "visit.py").write_text(VISIT)
    (tmp_path / "script.sh").write_text(SCRIPT)
    done = subprocess.run(
        _in_namespace("sh", "script.sh", sys.executable),
        cwd=tmp_path, capture_output=True, text=True, timeout=120, env={**os.environ, "PAGE": PAGE}, check=False,
    )  # fmt: skip
    assert "text: x" in done.stdout, done.stderr
    asked = set((tmp_path / "asked").read_text().split()) - {"ready"}
    assert "control.example" in asked
    assert asked <= {"control.example", "picture.example"}
