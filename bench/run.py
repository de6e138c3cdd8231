#!/usr/bin/env python3
"""Measures Taquilla against a server that answers constant bytes, in one run on one machine.

Each row is measured in alternating rounds (Taquilla, reference, Taquilla, ...) and shown as medians and their ratio,
because the machine's own speed changes from minute to minute. Load comes from wrk over loopback, with keep-alive.
"""

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TAQUILLA = ROOT / "target/release/taquilla"
REFERENCE = ROOT / "target/release/examples/bench-reference"
LOAD_THREADS = 1
# Bytes of an answer to an order of one free ticket, as curl counted them.
ORDER_BYTES = 464


@contextlib.contextmanager
def process(arguments, stream, log_path):
    """Starts a server, waits until it says where it listens, and ends it politely."""
    with open(log_path, "w+") as log:
        server = subprocess.Popen(arguments, cwd=ROOT, **{stream: log})
        try:
            deadline = time.monotonic() + 30
            while not (found := re.search(r"127\.0\.0\.1:\d+", Path(log_path).read_text())):
                if server.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"{arguments[0]} did not start: {Path(log_path).read_text()}")
                time.sleep(0.02)
            yield "http://" + found.group()
        finally:
            server.terminate()
            server.wait(timeout=60)


def wrk(url, script, connections, seconds):
    """One run of load. Requests a second, and latencies in microseconds."""
    output = subprocess.run(
        ["wrk", f"-t{LOAD_THREADS}", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", script, url],
        cwd=ROOT, capture_output=True, text=True, check=True).stdout
    result = json.loads(re.search(r"^RESULT (.*)$", output, re.M).group(1))
    if result["failed"]:
        raise SystemExit(f"{result['failed']} requests failed: {output}")
    return {
        "per_second": result["requests"] / (result["micros"] / 1e6),
        "requests": result["requests"],
        "p50_us": result["p50"],
        "p99_us": result["p99"],
    }


def syncs_of_postgres(address):
    """How often PostgreSQL's log was synced to disk, ever."""
    return int(subprocess.run(["psql", "-qtA", "-c", "SELECT wal_sync FROM pg_stat_wal", address],
                              capture_output=True, text=True, check=True).stdout)


def orders(engine, address, folder, options):
    """Orders for one hot item."""
    lines = [
        {"kind": "event", "id": "ev_hot", "name": "Hot", "currency": "EUR"},
        {"kind": "ticket_type", "id": "tt_hot", "event_id": "ev_hot", "name": "Hot item", "price": 0,
         "currency": "EUR", "limit": 1_000_000_000},
    ]
    run = lambda *arguments, **more: subprocess.run([TAQUILLA, *arguments, "--database", address], cwd=ROOT,
                                                    check=True, stdout=subprocess.DEVNULL, **more)
    run("producer", "create", "--name", "Bench", "--id", "pr_bench")
    run("import", "--producer", "pr_bench", "-", input="\n".join(map(json.dumps, lines)), text=True)
    rows = []
    for connections in (1, 16, 64):
        ours, theirs, writes = [], [], []
        for number in range(options.rounds):
            log = f"{folder}/{engine}-{connections}-{number}.log"
            before = syncs_of_postgres(address) if engine == "postgres" else 0
            serve = [TAQUILLA, "serve", "--listen", "127.0.0.1:0", "--shop-rate-limit", "off", "--database", address,
                     "--log", "info"]
            with process(serve, "stderr", log) as url:
                ours.append(wrk(url, "bench/order.lua", connections, options.seconds))
            if engine == "postgres":
                syncs = syncs_of_postgres(address) - before
            else:
                syncs = int(re.search(r'"commits":(\d+)', Path(log).read_text()).group(1))
            writes.append(ours[-1]["requests"] / max(syncs, 1))
            constant = [REFERENCE, "127.0.0.1:0", "201", str(ORDER_BYTES)]
            with process(constant, "stdout", f"{folder}/reference.log") as url:
                theirs.append(wrk(url, "bench/order.lua", connections, options.seconds))
        rows.append(row(engine, f"orders of one hot item, {connections} at once", ours, theirs,
                        {"orders_per_sync": round(statistics.median(writes), 1)}))
        show(rows[-1])
    return rows


def row(engine, what, ours, theirs, more):
    median = lambda results, field: statistics.median(result[field] for result in results)
    return {
        "engine": engine, "what": what,
        "per_second": round(median(ours, "per_second")), "reference_per_second": round(median(theirs, "per_second")),
        "ratio": round(median(ours, "per_second") / median(theirs, "per_second"), 3),
        "p50_us": median(ours, "p50_us"), "p99_us": median(ours, "p99_us"), **more,
    }


def show(row):
    more = "  ".join(f"{name} {value}" for name, value in row.items() if name == "orders_per_sync")
    print(f"{row['engine']:<9} {row['what']:<40} {row['per_second']:>8}/s  reference {row['reference_per_second']:>7}/s  "
          f"ratio {row['ratio']:<6}  p50 {row['p50_us'] / 1000:>7.2f} ms  p99 {row['p99_us'] / 1000:>7.2f} ms  {more}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=5, help="length of one measurement (default: 5)")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each side, in turns (default: 3)")
    parser.add_argument("--quick", action="store_true", help="one round of two seconds: a first impression")
    parser.add_argument("--json", type=Path, default=ROOT / "target/bench.json", help="where the results are kept")
    options = parser.parse_args()
    if options.quick:
        options.seconds, options.rounds = 2, 1
    results = []
    with tempfile.TemporaryDirectory(dir=ROOT / "target") as folder:
        results += orders("sqlite", f"sqlite:{folder}/bench.db", folder, options)
        cluster = os.environ["TAQUILLA_TEST_POSTGRES"]
        subprocess.run(["psql", "-q", "-c", "CREATE DATABASE bench", f"{cluster}/postgres"], check=True)
        results += orders("postgres", f"{cluster}/bench", folder, options)
    options.json.write_text(json.dumps(results, indent=2) + "\n")
    print(f"\nAlso as JSON: {options.json}")


if __name__ == "__main__":
    main()
