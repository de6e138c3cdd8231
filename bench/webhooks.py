"""Webhooks: how many are delivered a second, and what they cost those who scan."""

import json
import time

import databases
from load import REFERENCE, process, wrk
from scans import PRODUCER, Door
from table import at_most, median

# Deliveries that are measured at a time, at least.
DELIVERIES = 20_000
# More tickets than one station scans in a second.
SCANS_A_SECOND = 6_000
HOOK = "bench/hook.lua"
ALLOW = ["--webhook-allow", "127.0.0.1"]


def measure(engine, build, folder, options, table):
    # To deliver, with room for a second too many; and to scan, with and without, by two numbers of stations.
    needed = 3 * wanted(options) * options.rounds + SCANS_A_SECOND * (4 * pairs(options) + 2)
    door = Door(build, databases.create(engine, folder, "webhooks"), folder, needed)
    for endpoints in (1, 50):
        deliveries(engine, door, endpoints, options, table)
    for stations in (1, 4):
        latency(engine, door, stations, options, table)


def wanted(options):
    """How many deliveries a round takes, at least."""
    return DELIVERIES if options.rounds > 1 else DELIVERIES // 4


def pairs(options):
    """How often scans are timed with webhooks and without: a second each, because the machine changes its mind."""
    return 4 * options.rounds if options.rounds > 1 else 2


def receiver(folder):
    return process([REFERENCE, "receiver", "ADDRESS"], f"{folder}/receiver.log")


def received(server):
    return json.loads(server.get("/", "")[2])


def wait_for(target, deliveries):
    """Waits until so many have arrived."""
    deadline = time.monotonic() + 300
    while received(target)["received"] < deliveries:
        if time.monotonic() > deadline:
            raise SystemExit(f"{received(target)} of {deliveries} deliveries arrived")
        time.sleep(0.1)


def create_endpoint(build, address, url, *kinds):
    """An endpoint that is told of these kinds of messages: its id."""
    wanted = [word for kind in kinds for word in ("--kind", kind)]
    made = build.run(address, "webhook", "create", "--producer", PRODUCER, "--url", url, *wanted, *ALLOW, "--json")
    return json.loads(made)["id"]


def hide(address, hidden):
    """Keeps every server from working for any endpoint, as if it had been deleted, or no longer."""
    databases.ask(address, f"UPDATE webhook_endpoints SET deleted_at = {0 if hidden else 'NULL'} WHERE url <> ''")


def serve(door):
    return door.serve("webhooks", "--log", "warn", *ALLOW)


def deliveries(engine, door, endpoints, options, table):
    """Events that nobody has looked at yet are delivered by one server."""
    ours, theirs = [], []
    for _ in range(options.rounds):
        with receiver(door.folder) as target:
            ids = [create_endpoint(door.build, door.address, f"{target.url}/", "ticket.scanned") for _ in range(endpoints)]
            hide(door.address, True)
            events = 0
            with serve(door) as server:
                while events * endpoints < wanted(options):
                    events += door.scan(server, 16 if endpoints == 1 else 1, 1)["requests"]
            hide(door.address, False)
            with serve(door) as server:
                wait_for(target, events * endpoints)
            result = received(target)
            ours.append({"per_second": result["received"] / (result["micros"] / 1e6), "p50_us": 0, "p99_us": 0,
                         "worst_us": 0})
            theirs.append(wrk(target.url, HOOK, 8 * min(endpoints, 8), options.seconds))
            for endpoint in ids:
                door.build.run(door.address, "webhook", "delete", endpoint)
    table.row(engine, f"deliveries, {endpoints} endpoint{'s' if endpoints > 1 else ''}", ours, theirs,
              "POSTs of wrk to the same receiver")


def latency(engine, door, stations, options, table):
    """The same scans with an endpoint that is told of each, and without."""
    on, off = [], []
    with receiver(door.folder) as target:
        # Each way goes first as often as the other, after a run that counts for neither: what was just read is in memory.
        with serve(door) as server:
            door.scan(server, stations, 1)
        for number in range(2 * pairs(options)):
            is_on = number % 4 in (1, 2)
            endpoint = create_endpoint(door.build, door.address, f"{target.url}/", "ticket.scanned") if is_on else None
            with serve(door) as server:
                (on if is_on else off).append(door.scan(server, stations, 1))
            if is_on:
                door.build.run(door.address, "webhook", "delete", endpoint)
    name = f"{stations} station{'s' if stations > 1 else ''}"
    # In a closed loop the mean is the number of stations through the rate.
    table.figure(engine, f"a scan with webhooks, {name}: mean", median(off) / median(on), "x without",
                 [at_most("value", 1.1)])
    for percentile in ("p50", "p99"):
        table.figure(engine, f"a scan with webhooks, {name}: {percentile}",
                     median(on, f"{percentile}_us") / median(off, f"{percentile}_us"), "x without",
                     [at_most("value", 1.1)] if percentile == "p50" else [])
