"""Scans at the door: what admitting costs, and how many scans one wait for the disk makes durable."""

import json
import math
from pathlib import Path

import databases
from disk import Disk
from load import WARM_UP, begin_reference, constant, finish
from table import at_least

# Bytes of an answer that admits somebody.
SCAN_BYTES = 234
PRODUCER, EVENT = "pr_door", "ev_door"
# How many stations, and more tickets than they scan in a second: each enters once.
STATIONS = {1: 5_000, 4: 8_000, 64: 20_000}


def lines(tickets):
    yield {"kind": "event", "id": EVENT, "name": "Aurora Live", "currency": "EUR"}
    yield {"kind": "ticket_type", "id": "tt_door", "event_id": EVENT, "name": "General", "price": 25, "currency": "EUR"}
    for number in range(tickets):
        yield {"kind": "ticket", "id": f"BENCH{number:020d}", "event_id": EVENT, "ticket_type_id": "tt_door",
               "attendee": {"name": "Ana Ruiz", "email": "ana@example.com"}, "issued_at": "2026-10-01T10:00:00Z"}


class Door:
    """A door of one build, and tickets that are scanned there, each once."""

    def __init__(self, build, address, folder, tickets):
        self.build, self.address, self.folder, self.tickets = build, address, folder, tickets
        # Scans so far.
        self.used = 0
        file = Path(folder) / "door.jsonl"
        with file.open("w") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines(tickets))
        build.run(address, "producer", "create", "--name", "Door", "--id", PRODUCER)
        build.run(address, "import", "--producer", PRODUCER, file)
        link = build.run(address, "door-link", "create", "--producer", PRODUCER, "--event", EVENT, "--label", "Gate",
                         "--category", "ticket", "--public-url", "http://127.0.0.1:8080", "--json")
        self.token = json.loads(link)["token"]
        # By the golden ratio, scans that follow one another are as far apart as can be: people come in no order.
        step = round(tickets * (5 ** 0.5 - 1) / 2)
        while math.gcd(step, tickets) > 1:
            step += 1
        self.way = [str(step), str(tickets)]

    def serve(self, log, *more):
        return self.build.serve(self.address, f"{self.folder}/{log}-{self.build.name}.log", "--door-rate-limit", "off",
                                *more)

    def scan(self, server, stations, seconds):
        """Scans for so long: what was measured."""
        before = self.entered(server)
        return self.finish(server, self.begin(server, stations, seconds), before)

    def entered(self, server):
        return json.loads(server.get("/door/v1/counts", self.token)[2])["entered"]

    def begin(self, server, stations, seconds):
        return begin_reference("stations", server.address, stations, seconds, self.token, self.used, *self.way)

    def finish(self, server, running, before):
        """What was measured, once everybody has been let in."""
        result = finish(running)
        self.used += result["requests"] + result["refused"]
        entered = self.entered(server) - before
        if self.used > self.tickets or entered < result["requests"]:
            raise SystemExit(f"{result['requests']} scans were answered and {entered} people entered, with {self.used} of "
                             f"{self.tickets} tickets")
        return result


def measure(engine, sides, folder, options, table):
    tickets = sum(STATIONS.values()) * (options.seconds + WARM_UP) * options.rounds
    doors = [Door(build, databases.create(engine, folder, f"scans_{build.name}"), folder, tickets) for build in sides]
    for stations in STATIONS:
        disks = [Disk(door.address) for door in doors]
        results, theirs = [[] for _ in doors], []
        for _ in range(options.rounds):
            for door, disk, kept in zip(doors, disks, results):
                scan = lambda seconds: lambda server: door.scan(server, stations, seconds)
                kept.append(disk.run(door.serve("scans", "--log", "info"), scan(WARM_UP), scan(options.seconds)))
            with constant(200, SCAN_BYTES, folder) as still:
                theirs.append(finish(doors[0].begin(still, stations, options.seconds)))
        table.row(engine, f"scans, {stations} station{'s' if stations > 1 else ''}", results[0], theirs,
                  before=results[1] if len(results) > 1 else None, disks=disks,
                  bars=[at_least("ratio", 0.3)] if engine == "sqlite" and stations == 64 else [])
