"""Backups: how long one takes beside the database's own tool, how much memory, and the way back."""

import contextlib
import json
import os
import sqlite3
import statistics
import subprocess
import time

import databases
from load import ROOT
from reads import Database
from table import at_most

# Seconds and megabytes are those of the whole command, its start included.


def measure(engine, build, folder, options, table):
    """A backup and the database's own tool, in turns; then the backup is restored."""
    here = Database(build, engine, folder, "backup", options.tickets)
    file, copy = f"{folder}/backup.jsonl.zst", f"{folder}/backup.copy"
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(run(build, here.address, "backup", file, "--force"))
        theirs.append(their_own(engine, here.address, copy))
    made = json.loads(ours[-1]["output"])
    seconds, megabytes = median(ours, "seconds"), median(ours, "peak_mb")
    name = "the copy that SQLite makes" if engine == "sqlite" else "pg_dump -Fc"
    table.figure(engine, f"backup, {made['rows']:,} rows", made["rows"] / seconds, "rows/s")
    table.figure(engine, f"backup, against {name}", seconds / median(theirs, "seconds"), "× the time")
    table.figure(engine, f"backup, size against {name}", made["bytes"] / os.path.getsize(copy), "× the bytes")
    table.figure(engine, "backup, peak memory", megabytes, "MB", [at_most("value", 100)])
    if engine == "postgres":
        table.figure(engine, f"backup, peak memory against {name}", megabytes / median(theirs, "peak_mb"), "×")
    # A thousand rows against ten thousand would say nothing.
    if not options.quick:
        small = Database(build, engine, folder, "backup_tenth", options.tickets // 10)
        tenth = run(build, small.address, "backup", file + ".tenth")
        table.figure(engine, "backup, peak memory: ten times the rows", megabytes / tenth["peak_mb"], "×",
                     [at_most("value", 1.2)])
    back = run(build, databases.create(engine, folder, "restored"), "restore", file)
    table.figure(engine, "restore, verified and checked", made["rows"] / back["seconds"], "rows/s")
    table.figure(engine, "restore, against the import", back["seconds"] / here.import_seconds, "× the time")
    table.figure(engine, "restore, peak memory", back["peak_mb"], "MB", [at_most("value", 300)])


def run(build, address, *arguments):
    """Runs a command of a build. Its seconds, its peak memory, and what it printed."""
    return timed([build.binary, *arguments, "--json", "--database", address])


def their_own(engine, address, copy):
    if engine == "postgres":
        return timed(["pg_dump", "--format=custom", f"--file={copy}", address])
    started = time.monotonic()
    with contextlib.suppress(FileNotFoundError):
        os.remove(copy)
    with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:"))) as source, \
            contextlib.closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return {"seconds": time.monotonic() - started}


def timed(command):
    started = time.monotonic()
    with subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        output = running.stdout.read()
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed: {output}")
    return {"seconds": time.monotonic() - started, "peak_mb": used.ru_maxrss / 1024, "output": output}


def median(results, field):
    return statistics.median(result[field] for result in results)
