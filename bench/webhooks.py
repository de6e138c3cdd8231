"""Webhooks: how many are delivered a second, and what they cost those who scan."""

import json
import sqlite3
import subprocess
import time

from load import REFERENCE, figure, median, process, row, serve, show, taquilla, wrk
from scans import prepare

# Deliveries that are measured at a time, at least.
DELIVERIES = 20_000
# More tickets than one station scans in a second.
SCANS_A_SECOND = 6_000
HOOK = "bench/hook.lua"
ALLOW = ["--webhook-allow", "127.0.0.1"]


def measure(engine, address, folder, options):
    # To deliver, with room for a second too many; and to scan, with and without, by two numbers of stations.
    needed = 3 * wanted(options) * options.rounds + SCANS_A_SECOND * (4 * pairs(options) + 2)
    door = Door(address, folder, needed)
    rows = []
    for endpoints in (1, 50):
        rows.append(deliveries(engine, door, endpoints, options))
        show(rows[-1])
    for stations in (1, 4):
        for result in latency(engine, door, stations, options):
            rows.append(result)
            show(result)
    return rows


def wanted(options):
    """How many deliveries a round takes, at least."""
    return DELIVERIES if options.rounds > 1 else DELIVERIES // 4


def pairs(options):
    """How often scans are timed with webhooks and without: a second each, because the machine changes its mind."""
    return 4 * options.rounds if options.rounds > 1 else 2


class Door:
    """Scans tickets, each once."""

    def __init__(self, address, folder, tickets):
        self.address, self.folder, self.tickets, self.used = address, folder, tickets, 0
        self.token, self.way = prepare(address, folder, tickets)

    def scan(self, server, stations, seconds):
        before = self.entered(server)
        result = wrk(server.url, "bench/scan.lua", stations, seconds,
                     [self.token, str(self.used), *self.way])
        entered = self.entered(server) - before
        self.used += entered + 2 * stations
        if self.used > self.tickets:
            raise SystemExit("there are not enough tickets to scan")
        return result, entered

    def entered(self, server):
        return json.loads(server.get("/door/v1/counts", self.token)[2])["entered"]

    def serve(self, *more):
        return serve(self.address, f"{self.folder}/webhooks.log", "--door-rate-limit", "off", *ALLOW, *more)


def receiver(folder):
    return process([REFERENCE, "receiver", "ADDRESS"], f"{folder}/receiver.log")


def received(server):
    return json.loads(server.get("/", "")[2])


def create(address, url):
    made = taquilla(address, "webhook", "create", "--producer", "pr_door", "--url", url, "--kind", "ticket.scanned",
                    *ALLOW, "--json")
    return json.loads(made)["id"]


def hide(address, hidden):
    """Keeps every server from working for any endpoint, as if it had been deleted, or no longer."""
    sql = f"UPDATE webhook_endpoints SET deleted_at = {0 if hidden else 'NULL'} WHERE url <> ''"
    if address.startswith("sqlite:"):
        with sqlite3.connect(address.removeprefix("sqlite:"), timeout=60) as database:
            database.execute(sql)
        database.close()
    else:
        subprocess.run(["psql", "-q", "-c", sql, address], check=True)


def deliveries(engine, door, endpoints, options):
    """Events that nobody has looked at yet are delivered by one server."""
    ours, theirs = [], []
    for _ in range(options.rounds):
        with receiver(door.folder) as target:
            ids = [create(door.address, f"{target.url}/") for _ in range(endpoints)]
            hide(door.address, True)
            events = 0
            with door.serve("--log", "warn") as server:
                while events * endpoints < wanted(options):
                    events += door.scan(server, 16 if endpoints == 1 else 1, 1)[1]
            hide(door.address, False)
            with door.serve("--log", "warn") as server:
                deadline = time.monotonic() + 300
                while received(target)["received"] < events * endpoints:
                    if time.monotonic() > deadline:
                        raise SystemExit(f"{received(target)} of {events * endpoints} deliveries arrived")
                    time.sleep(0.1)
            result = received(target)
            ours.append({"per_second": result["received"] / (result["micros"] / 1e6), "p50_us": 0, "p99_us": 0})
            theirs.append(wrk(target.url, HOOK, 8 * min(endpoints, 8), options.seconds))
            for endpoint in ids:
                taquilla(door.address, "webhook", "delete", endpoint)
    return row(engine, f"deliveries, {endpoints} endpoint{'s' if endpoints > 1 else ''}", ours, theirs,
               against="POSTs of wrk to the same receiver")


def latency(engine, door, stations, options):
    """The same scans with an endpoint that is told of each, and without."""
    on, off = [], []
    with receiver(door.folder) as target:
        # Each way goes first as often as the other, after a run that counts for neither: what was just read is in memory.
        with door.serve("--log", "warn") as server:
            door.scan(server, stations, 1)
        for number in range(2 * pairs(options)):
            is_on = number % 4 in (1, 2)
            endpoint = create(door.address, f"{target.url}/") if is_on else None
            with door.serve("--log", "warn") as server:
                (on if is_on else off).append(door.scan(server, stations, 1)[0])
            if is_on:
                taquilla(door.address, "webhook", "delete", endpoint)
    name = f"{stations} station{'s' if stations > 1 else ''}"
    # In a closed loop the mean is the number of stations through the rate.
    yield figure(engine, f"a scan with webhooks, {name}: mean", median(off) / median(on), "x without", 1.1)
    for percentile in ("p50", "p99"):
        yield figure(engine, f"a scan with webhooks, {name}: {percentile}",
                     median(on, f"{percentile}_us") / median(off, f"{percentile}_us"), "x without",
                     1.1 if percentile == "p50" else None)
