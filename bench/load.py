"""Starting servers and sending load."""

import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "target/release/examples/bench-reference"
LOAD_THREADS = 1
# Seconds of load before a server is measured: connections are made and statements are prepared.
WARM_UP = 1


class Server:
    """A server that was started and is listening."""

    def __init__(self, process, address, log):
        self.process, self.address, self.log = process, address, log
        self.url = f"http://{address}"
        # Bytes that it wrote to files, its log not counted. Known once it has ended.
        self.written = None

    def get(self, path, key, more={}):
        """One request: status, headers, body."""
        return self.ask("GET", path, {"Authorization": f"Bearer {key}", **more})

    def post(self, path, body, more={}):
        return self.ask("POST", path, {"Content-Type": "application/json", **more}, json.dumps(body))

    def ask(self, method, path, headers, body=None):
        connection = http.client.HTTPConnection(self.address)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def resident_mb(self):
        """All of its memory, with the pages of files that the operating system keeps anyway."""
        return self.memory_mb("VmRSS")

    def own_mb(self):
        """Memory that is its own: pages of mapped files, such as SQLite's, are not counted."""
        return self.memory_mb("RssAnon")

    def memory_mb(self, kind):
        return int(re.search(rf"{kind}:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text()).group(1)) / 1024

    def end(self):
        """Ends it politely, and notes what the kernel counted of it."""
        self.process.terminate()
        deadline = time.monotonic() + 60
        while not (ended := os.wait4(self.process.pid, os.WNOHANG))[0]:
            if time.monotonic() > deadline:
                self.process.kill()
            time.sleep(0.002)
        self.process.returncode = os.waitstatus_to_exitcode(ended[1])
        self.written = ended[2].ru_oublock * 512 - Path(self.log).stat().st_size


@contextlib.contextmanager
def process(arguments, log_path):
    """Starts a server on a free port, waits until it listens, and ends it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % free.getsockname()[1]
    with open(log_path, "w") as log:
        started = subprocess.Popen([text.replace("ADDRESS", address) for text in map(str, arguments)], cwd=ROOT,
                                   stdout=log, stderr=log)
    server = Server(started, address, log_path)
    try:
        deadline = time.monotonic() + 30
        while not listens(address):
            # Whether it has ended is asked without taking its last accounts from the kernel.
            if os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) or time.monotonic() > deadline:
                raise SystemExit(f"{arguments[0]} did not start: {Path(log_path).read_text()}")
            time.sleep(0.002)
        yield server
    finally:
        server.end()


def listens(address):
    host, port = address.split(":")
    with socket.socket() as attempt:
        return attempt.connect_ex((host, int(port))) == 0


def constant(status, size, folder):
    return process([REFERENCE, "constant", "ADDRESS", status, size], f"{folder}/reference.log")


def reference(*arguments):
    """Runs a program of the bench, and gives back what it measured."""
    return finish(begin_reference(*arguments))


def begin_reference(*arguments):
    return subprocess.Popen([REFERENCE, *map(str, arguments)], cwd=ROOT, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def finish(running):
    output = running.communicate()[0]
    if running.returncode:
        raise SystemExit(f"{' '.join(map(str, running.args))}: {output}")
    return json.loads(output)


def wrk(url, script, connections, seconds, arguments=(), refused=False):
    """One run of load. Requests a second, and latencies in microseconds."""
    output = subprocess.run(
        ["wrk", f"-t{LOAD_THREADS}", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", script, url, "--",
         *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    result = json.loads(re.search(r"^RESULT (.*)$", output, re.M).group(1))
    expected = result["requests"] if refused else 0
    if result["failed"] or abs(result["refused"] - expected) > connections:
        raise SystemExit(f"not every answer was the expected one: {output}")
    return {"per_second": result["requests"] / (result["micros"] / 1e6), "requests": result["requests"],
            "p50_us": result["p50"], "p99_us": result["p99"], "worst_us": result["worst"]}
