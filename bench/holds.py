"""Holds: what is on sale is told as fast with very many live holds as with a few."""

import contextlib

import databases
from load import reference, wrk
from orders import EVENT, ITEMS, PRODUCER, Shop
from table import at_most, median

BUYERS = 64
PAGE = f"/shop/v1/{PRODUCER}/events/{EVENT}"


def measure(engine, build, folder, options, table):
    """The page of 40 items without a hold, with a few of 20 of them, and with many, in turns."""
    paths = f"{folder}/on_sale"
    with open(paths, "w") as file:
        file.write(f"{PAGE}\n")
    shops = [Shop(build, databases.create(engine, folder, f"holds_{name}")) for name in ("none", "few", "many")]
    with contextlib.ExitStack() as running:
        servers = [running.enter_context(shop.serve(f"{folder}/holds-{number}.log")) for number, shop in enumerate(shops)]
        held = [0, hold(servers[1], 1, 1), 0]
        while held[2] < options.holds:
            held[2] += hold(servers[2], BUYERS, 2)
        results = [], [], []
        for _ in range(options.rounds):
            for server, kept in zip(servers, results):
                load = wrk(server.url, "bench/paths.lua", options.connections, options.seconds, [paths, "", "", "", ""])
                kept.append(load)
    for kept, holds in zip(results, held):
        table.row(engine, f"what is on sale, 40 items, {holds:,} live holds", kept)
    none, few, many = map(median, results)
    table.figure(engine, "what is on sale, few holds against none", none / few, "× the time")
    table.figure(engine, "what is on sale, many holds against few", few / many, "× the time", [at_most("value", 1.1)])


def hold(server, buyers, seconds):
    """Places orders that nobody pays, each of which holds one unit for half an hour: how many."""
    return reference("buyers", server.address, buyers, seconds, PRODUCER, EVENT, "paid_", ITEMS["twenty"])["requests"]
