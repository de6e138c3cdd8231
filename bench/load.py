"""Starting servers, sending load, and telling what was measured."""

import contextlib
import http.client
import json
import re
import socket
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TAQUILLA = ROOT / "target/release/taquilla"
REFERENCE = ROOT / "target/release/examples/bench-reference"
LOAD_THREADS = 1


class Server:
    """A server that was started and is listening."""

    def __init__(self, process, address, log):
        self.process, self.address, self.log = process, address, log
        self.url = f"http://{address}"

    def get(self, path, key, more={}):
        """One request: status, headers, body."""
        connection = http.client.HTTPConnection(self.address)
        connection.request("GET", path, headers={"Authorization": f"Bearer {key}", **more})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def resident_mb(self):
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text()).group(1)) / 1024


@contextlib.contextmanager
def process(arguments, log_path):
    """Starts a server on a free port, waits until it listens, and ends it politely."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % free.getsockname()[1]
    with open(log_path, "w") as log:
        server = subprocess.Popen([text.replace("ADDRESS", address) for text in map(str, arguments)], cwd=ROOT,
                                  stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + 30
            while not listens(address):
                if server.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"{arguments[0]} did not start: {Path(log_path).read_text()}")
                time.sleep(0.002)
            yield Server(server, address, log_path)
        finally:
            server.terminate()
            server.wait(timeout=60)


def listens(address):
    host, port = address.split(":")
    with socket.socket() as attempt:
        return attempt.connect_ex((host, int(port))) == 0


def serve(database, log_path, *more):
    return process([TAQUILLA, "serve", "--listen", "ADDRESS", "--database", database, *more], log_path)


def constant(status, size, folder):
    return process([REFERENCE, "constant", "ADDRESS", status, size], f"{folder}/reference.log")


def taquilla(database, *arguments, **more):
    """Runs a command and gives back what it printed."""
    return subprocess.run([TAQUILLA, *arguments, "--database", database], cwd=ROOT, check=True, capture_output=True,
                          text=True, **more).stdout


def syncs_of_postgres(address):
    """How often PostgreSQL's log was synced to disk, ever."""
    return int(subprocess.run(["psql", "-qtA", "-c", "SELECT wal_sync FROM pg_stat_wal", address],
                              capture_output=True, text=True, check=True).stdout)


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
            "p50_us": result["p50"], "p99_us": result["p99"]}


def median(results, field="per_second"):
    return statistics.median(result[field] for result in results)


def row(engine, what, ours, theirs, bar=None, against="constant bytes", **more):
    """One line of the table: medians of both sides and their ratio."""
    ratio = median(ours) / median(theirs)
    return {"engine": engine, "what": what, "per_second": round(median(ours)), "against": against,
            "reference_per_second": round(median(theirs)), "ratio": round(ratio, 3), "bar": bar,
            "p50_us": median(ours, "p50_us"), "p99_us": median(ours, "p99_us"), **more}


def figure(engine, what, value, unit, bar=None, at_most=True):
    """One line of the table that is a single number."""
    return {"engine": engine, "what": what, "value": round(value, 3), "unit": unit, "bar": bar, "at_most": at_most}


def verdict(row):
    if row.get("bar") is None:
        return ""
    value, at_most = (row["ratio"], False) if "ratio" in row else (row["value"], row["at_most"])
    met = value <= row["bar"] if at_most else value >= row["bar"]
    return f"{'≤' if at_most else '≥'} {row['bar']} {'met' if met else 'MISSED'}"


HEADER = (f"{'engine':<9} {'what':<44} {'taquilla':>10} {'reference':>10} {'ratio':>6} {'p50 ms':>7} {'p99 ms':>7}  bar")


def show(row):
    if "value" in row:
        line = f"{row['engine']:<9} {row['what']:<44} {row['value']:>10,.6g} {row['unit']:<34}  {verdict(row)}"
    else:
        more = f"  {row['per_sync']} a sync" if "per_sync" in row else ""
        more += f", {row['syncs_per_second']:,} syncs/s" if "syncs_per_second" in row else ""
        against = "" if row["against"] == "constant bytes" else f"  against {row['against']}"
        # Deliveries have no latency of their own.
        latency = f"{row['p50_us'] / 1000:>7.2f} {row['p99_us'] / 1000:>7.2f}" if row["p50_us"] else " " * 15
        line = (f"{row['engine']:<9} {row['what']:<44} {row['per_second']:>10,} {row['reference_per_second']:>10,} "
                f"{row['ratio']:>6.3f} {latency}  "
                f"{verdict(row)}{against}{more}")
    print(line.rstrip(), flush=True)
