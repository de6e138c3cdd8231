"""Orders of one hot item: what selling costs, and how many orders one wait for the disk makes durable."""

import json
import re
import statistics
from pathlib import Path

from load import constant, row, serve, show, syncs_of_postgres, taquilla, wrk

# Bytes of an answer to an order of one free ticket.
ORDER_BYTES = 464


def measure(engine, address, folder, options):
    lines = [
        {"kind": "event", "id": "ev_hot", "name": "Hot", "currency": "EUR"},
        {"kind": "ticket_type", "id": "tt_hot", "event_id": "ev_hot", "name": "Hot item", "price": 0,
         "currency": "EUR", "limit": 1_000_000_000},
    ]
    taquilla(address, "producer", "create", "--name", "Hot", "--id", "pr_hot")
    taquilla(address, "import", "--producer", "pr_hot", "-", input="\n".join(map(json.dumps, lines)))
    rows = []
    for connections in (1, 16, 64):
        ours, theirs, writes = [], [], []
        for number in range(options.rounds):
            log = f"{folder}/{engine}-{connections}-{number}.log"
            before = syncs_of_postgres(address) if engine == "postgres" else 0
            with serve(address, log, "--shop-rate-limit", "off", "--log", "info") as server:
                ours.append(wrk(server.url, "bench/order.lua", connections, options.seconds))
            if engine == "postgres":
                syncs = syncs_of_postgres(address) - before
            else:
                syncs = int(re.search(r'"commits":(\d+)', Path(log).read_text()).group(1))
            writes.append(ours[-1]["requests"] / max(syncs, 1))
            with constant(201, ORDER_BYTES, folder) as server:
                theirs.append(wrk(server.url, "bench/order.lua", connections, options.seconds))
        rows.append(row(engine, f"orders of one hot item, {connections} at once", ours, theirs,
                        per_sync=round(statistics.median(writes), 1)))
        show(rows[-1])
    return rows
