"""A mirror that `taquilla sync` makes: how fast it loads everything, against what the server alone gives to wrk, how much memory it
takes, and what a run costs that finds nothing."""

import json
import os
from pathlib import Path

import databases
from backup import timed
from load import wrk
from reads import TICKETS, Database
from table import at_least, at_most, median


def measure(engine, build, folder, options, table):
    """The server has this engine. The mirror is in SQLite and in PostgreSQL."""
    here = Database(build, engine, folder, "sync", options.tickets)
    Path(f"{folder}/key").write_text(here.key)
    with here.served("sync"):
        pages = [f"{TICKETS}?limit=200&cursor={cursor}" for cursor in here.cursors(f"{TICKETS}?limit=200")] or [f"{TICKETS}?limit=200"]
        alone = [wrk(here.server.url, "bench/paths.lua", options.connections, options.seconds, here.arguments(pages), False)
                 for _ in range(options.rounds)]
        served = median(alone) * 200
        table.figure(engine, "pages of 200 to wrk", served, "rows/s")
        for target in ("sqlite", "postgres"):
            mirror(engine, here, folder, options, table, target, served)


def mirror(engine, here, folder, options, table, target, served):
    rates, peaks, polls = [], [], []
    for number in range(options.rounds):
        to = databases.create(target, folder, f"mirror_{engine}_{number}")
        loaded = sync(here, folder, to)
        rows = sum(one["rows"] for one in json.loads(loaded["output"]))
        rates.append(rows / loaded["seconds"])
        peaks.append(loaded["peak_mb"])
        polls.append(sync(here, folder, to)["seconds"] * 1000)
        if target == "sqlite":
            os.remove(to.removeprefix("sqlite:"))
    middle = lambda values: sorted(values)[len(values) // 2]
    name = {"sqlite": "SQLite", "postgres": "PostgreSQL"}[target]
    table.figure(engine, f"a mirror in {name}, full load", middle(rates), "rows/s")
    bars = [at_least("value", 0.5)] if (engine, target) == ("sqlite", "sqlite") else []
    table.figure(engine, f"a mirror in {name}, against wrk", middle(rates) / served, "× the rows", bars)
    table.figure(engine, f"a mirror in {name}, peak memory", middle(peaks), "MB", [at_most("value", 150)])
    table.figure(engine, f"a mirror in {name}, a run that finds nothing", middle(polls), "ms, its start included")


def sync(here, folder, to):
    return timed([here.build.binary, "sync", here.server.url, "--to", to, "--key-file", f"{folder}/key", "--json"])
