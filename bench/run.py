#!/usr/bin/env python3
"""Measures Taquilla against a server that answers constant bytes, in one run on one machine.

Each row is measured in alternating rounds (this build, with --against the other build, the reference, this build, ...)
and shown as medians and how they compare, because the machine's own speed changes from minute to minute. The worst
latency is that of all rounds. Load comes over loopback, with keep-alive: from wrk, and for orders from bench-reference.
Reading is measured with --log warn; one row says what the default, a log line for each request, costs.
"""

import argparse
import json
import tempfile
from pathlib import Path

import backup
import builds
import dashboard
import holds
import https
import line
import live
import machines
import metrics
import mixed
import orders
import reads
import scans
import sync
import tls
import units
import webhooks
from load import ROOT
from table import Table

# Those that another build takes part in.
COMPARED = {"reads": reads, "orders": orders, "scans": scans, "mixed": mixed}
# Those of this build alone.
ALONE = {"holds": holds, "webhooks": webhooks, "dashboard": dashboard, "line": line, "live": live, "tls": tls, "https": https,
         "metrics": metrics, "backup": backup, "sync": sync, "machines": machines,
         "units": units}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tickets", type=int, default=1_000_000, help="tickets of the producer (default: 1000000)")
    parser.add_argument("--holds", type=int, default=100_000, help="live holds at least (default: 100000)")
    parser.add_argument("--seconds", type=int, default=3, help="length of one measurement (default: 3)")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each side, in turns (default: 3)")
    parser.add_argument("--connections", type=int, default=16, help="connections that read at once (default: 16)")
    parser.add_argument("--buyers", type=numbers, metavar="N,N", help="measure every kind of order with these numbers of "
                        "buyers (default: 1, 16, 64 and 256 for one free item, 1 and 64 for the others)")
    parser.add_argument("--engine", choices=["sqlite", "postgres"], help="only this one")
    parser.add_argument("--only", choices=[*COMPARED, *ALONE], action="append", help="only these rows; may be given "
                        "several times")
    parser.add_argument("--against", metavar="REV", help="build this commit, too, and measure both in turns; holds, "
                        "webhooks, the dashboard, the line, live pages, TLS, https, metrics, backups, mirrors, machines and units are not "
                        "compared")
    parser.add_argument("--quick", action="store_true", help="a first impression: 10,000 tickets, 1,000 holds, one round of one second")
    parser.add_argument("--json", type=Path, default=ROOT / "target/bench.json", help="where the results are kept")
    options = parser.parse_args()
    if options.quick:
        options.tickets, options.holds, options.seconds, options.rounds = 10_000, 1_000, 1, 1
    sides = [builds.here()] + ([builds.of(options.against)] if options.against else [])
    table = Table(has_before=len(sides) > 1)
    with tempfile.TemporaryDirectory(dir=ROOT / "target") as folder:
        for engine in [options.engine] if options.engine else ["sqlite", "postgres"]:
            for name, part in [*COMPARED.items(), *ALONE.items()]:
                if not options.only or name in options.only:
                    part.measure(engine, sides if name in COMPARED else sides[0], folder, options, table)
    settings = {name: getattr(options, name) for name in ("tickets", "holds", "seconds", "rounds", "connections", "against")}
    options.json.write_text(json.dumps({"settings": settings, "rows": table.lines}, indent=2) + "\n")
    print(f"\nAlso as JSON: {options.json}")


def numbers(text):
    return [int(number) for number in text.split(",")]


if __name__ == "__main__":
    main()
