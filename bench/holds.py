"""Holds: what is on sale is told as fast with many live holds as with none."""

import databases
from load import reference, wrk
from orders import EVENT, ITEMS, PRODUCER, Shop
from table import at_most, median

BUYERS = 64
PAGE = f"/shop/v1/{PRODUCER}/events/{EVENT}"


def measure(engine, build, folder, options, table):
    """The page of 40 items without a hold, and with many of 20 of them, in turns."""
    paths = f"{folder}/on_sale"
    with open(paths, "w") as file:
        file.write(f"{PAGE}\n")
    shops = [Shop(build, databases.create(engine, folder, f"holds_{name}")) for name in ("none", "many")]
    with shops[0].serve(f"{folder}/holds-none.log") as none, shops[1].serve(f"{folder}/holds-many.log") as many:
        held = 0
        while held < options.holds:
            # Orders that nobody pays: each holds one unit for half an hour.
            held += reference("buyers", many.address, BUYERS, 2, PRODUCER, EVENT, "paid_", ITEMS["twenty"])["requests"]
        results = [], []
        for _ in range(options.rounds):
            for server, kept in zip((none, many), results):
                load = wrk(server.url, "bench/paths.lua", options.connections, options.seconds, [paths, "", "", "", ""])
                kept.append(load)
    table.row(engine, "what is on sale, 40 items, no holds", results[0])
    table.row(engine, f"what is on sale, 40 items, {held:,} live holds", results[1])
    table.figure(engine, "what is on sale with holds against without", median(results[0]) / median(results[1]),
                 "× the time", [at_most("value", 1.1)])
