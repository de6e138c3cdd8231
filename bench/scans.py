"""Scans at the door: what admitting costs, and how many scans one wait for the disk makes durable."""

import json
import math
import re
import statistics
from pathlib import Path

from load import constant, row, serve, show, syncs_of_postgres, taquilla, wrk

# Bytes of an answer that admits somebody.
SCAN_BYTES = 234
# How many stations, and more tickets than they scan in a second: each enters once.
STATIONS = {1: 5_000, 4: 8_000, 64: 20_000}


def lines(tickets):
    yield {"kind": "event", "id": "ev_door", "name": "Aurora Live", "currency": "EUR"}
    yield {"kind": "ticket_type", "id": "tt_door", "event_id": "ev_door", "name": "General", "price": 25,
           "currency": "EUR"}
    for number in range(tickets):
        yield {"kind": "ticket", "id": f"BENCH{number:020d}", "event_id": "ev_door", "ticket_type_id": "tt_door",
               "attendee": {"name": "Ana Ruiz", "email": "ana@example.com"}, "issued_at": "2026-10-01T10:00:00Z"}


def prepare(address, folder, tickets):
    """Imports so many tickets. The token of a door that admits them, and the way from one to the next."""
    file = Path(folder) / "door.jsonl"
    with file.open("w") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines(tickets))
    taquilla(address, "producer", "create", "--name", "Door", "--id", "pr_door")
    taquilla(address, "import", "--producer", "pr_door", file)
    link = json.loads(taquilla(address, "door-link", "create", "--producer", "pr_door", "--event", "ev_door", "--label",
                               "Gate", "--category", "ticket", "--json"))
    # By the golden ratio, scans that follow one another are as far apart as can be: people come in no order.
    step = round(tickets * (5 ** 0.5 - 1) / 2)
    while math.gcd(step, tickets) > 1:
        step += 1
    return link["token"], [str(step), str(tickets)]


def measure(engine, address, folder, options):
    tickets = sum(STATIONS.values()) * options.seconds * options.rounds
    token, way = prepare(address, folder, tickets)
    rows, used, inside = [], 0, 0
    for count in STATIONS:
        ours, theirs, per_commit, commits_per_second = [], [], [], []
        for number in range(options.rounds):
            log = f"{folder}/{engine}-scans-{count}-{number}.log"
            before = syncs_of_postgres(address) if engine == "postgres" else 0
            with serve(address, log, "--door-rate-limit", "off", "--log", "info") as server:
                ours.append(wrk(server.url, "bench/scan.lua", count, options.seconds, [token, str(used), *way]))
                entered = json.loads(server.get("/door/v1/counts", token)[2])["entered"]
            # Those that wrk did not wait for at its end entered, too, and one for each station may still be on its way.
            used += entered - inside + 2 * count
            if used > tickets or entered - inside < ours[-1]["requests"]:
                raise SystemExit(f"{ours[-1]['requests']} scans were answered, {entered - inside} people entered")
            inside = entered
            if engine == "postgres":
                commits = syncs_of_postgres(address) - before
            else:
                commits = int(re.search(r'"commits":(\d+)', Path(log).read_text()).group(1))
            per_commit.append(ours[-1]["requests"] / max(commits, 1))
            commits_per_second.append(commits / options.seconds)
            with constant(200, SCAN_BYTES, folder) as server:
                theirs.append(wrk(server.url, "bench/scan.lua", count, options.seconds, [token, "0", *way]))
        rows.append(row(engine, f"scans, {count} station{'s' if count > 1 else ''}", ours, theirs,
                        0.3 if engine == "sqlite" and count == 64 else None,
                        per_sync=round(statistics.median(per_commit), 1),
                        syncs_per_second=round(statistics.median(commits_per_second))))
        show(rows[-1])
    return rows
