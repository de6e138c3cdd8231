"""Backups: how long one takes beside the database's own tool, how much memory, and the way back. The import, too: all three
are the same rows in the same run."""

import contextlib
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import time

import databases
from load import ROOT
from reads import Database
from table import at_most

# Seconds and megabytes are those of the whole command, its start included.

# What the engines come with. Neither checks what it copies, and SQLite's copies pages.
THEIR_WAY_BACK = {"sqlite": "sqlite3 .restore", "postgres": "pg_restore"}


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
    back, their_back = [], []
    for number in range(options.rounds):
        back.append(run(build, databases.create(engine, folder, f"restored_{number}"), "restore", file))
        their_back.append(their_way_back(engine, databases.create(engine, folder, f"copied_{number}"), copy))
    seconds = median(back, "seconds")
    table.figure(engine, "restore, verified and checked", made["rows"] / seconds, "rows/s")
    table.figure(engine, "restore, against the import", seconds / here.import_seconds, "× the time")
    table.figure(engine, "restore, peak memory", median(back, "peak_mb"), "MB", [at_most("value", 300)])
    tool = THEIR_WAY_BACK[engine]
    for what, ours_took in (("restore", seconds), ("all imports", here.all_imports_seconds)):
        if None in their_back:
            table.missing(engine, f"{what}, against {tool}", f"{tool.split()[0]} cannot be found")
        else:
            table.figure(engine, f"{what}, against {tool}", ours_took / median(their_back, "seconds"), "× the time")


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


def their_way_back(engine, address, copy):
    """Makes a database of what `their_own` wrote; `None` where the tool is missing."""
    if shutil.which(THEIR_WAY_BACK[engine].split()[0]) is None:
        return None
    if engine == "postgres":
        return timed(["pg_restore", f"--dbname={address}", copy])
    return timed(["sqlite3", address.removeprefix("sqlite:"), f".restore {copy}"])


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
