#!/usr/bin/env python3
"""Measures Taquilla against a server that answers constant bytes, in one run on one machine.

Each row is measured in alternating rounds (Taquilla, reference, Taquilla, ...) and shown as medians and their ratio,
because the machine's own speed changes from minute to minute. Load comes from wrk over loopback, with keep-alive.
Reading is measured with --log warn; one row says what the default, a log line for each request, costs.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

import orders
import reads
import scans
import webhooks
from load import HEADER, ROOT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tickets", type=int, default=1_000_000, help="tickets of the producer (default: 1000000)")
    parser.add_argument("--seconds", type=int, default=3, help="length of one measurement (default: 3)")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each side, in turns (default: 3)")
    parser.add_argument("--connections", type=int, default=16, help="connections that read at once (default: 16)")
    parser.add_argument("--engine", choices=["sqlite", "postgres"], help="only this one")
    parser.add_argument("--only", choices=["reads", "orders", "scans", "webhooks"], help="only these rows")
    parser.add_argument("--quick", action="store_true", help="a first impression in a few minutes: 10,000 tickets, one "
                        "round of one second")
    parser.add_argument("--json", type=Path, default=ROOT / "target/bench.json", help="where the results are kept")
    options = parser.parse_args()
    if options.quick:
        options.tickets, options.seconds, options.rounds = 10_000, 1, 1
    results = []
    print(HEADER, flush=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "target") as folder:
        for engine in [options.engine] if options.engine else ["sqlite", "postgres"]:
            if options.only in (None, "reads"):
                results += reads.measure(engine, new_database(engine, folder, "bench"),
                                         new_database(engine, folder, "bench_tenth"), folder, options)
            if options.only in (None, "orders"):
                results += orders.measure(engine, new_database(engine, folder, "bench_orders"), folder, options)
            if options.only in (None, "scans"):
                results += scans.measure(engine, new_database(engine, folder, "bench_scans"), folder, options)
            if options.only in (None, "webhooks"):
                results += webhooks.measure(engine, new_database(engine, folder, "bench_webhooks"), folder, options)
    settings = {name: getattr(options, name) for name in ("tickets", "seconds", "rounds", "connections")}
    options.json.write_text(json.dumps({"settings": settings, "rows": results}, indent=2) + "\n")
    print(f"\nAlso as JSON: {options.json}")


def new_database(engine, folder, name):
    if engine == "sqlite":
        return f"sqlite:{folder}/{name}.db"
    cluster = os.environ["TAQUILLA_TEST_POSTGRES"]
    subprocess.run(["psql", "-q", "-c", f"CREATE DATABASE {name}", f"{cluster}/postgres"], check=True)
    return f"{cluster}/{name}"


if __name__ == "__main__":
    main()
