"""Orders: what selling costs, with few buyers and many, against the same rows written by a program that does no more."""

import json

import builds
import databases
from bare import Bare
from disk import Disk
from load import WARM_UP, constant, reference
from table import at_least, below

# Bytes of an answer to an order of one ticket.
ORDER_BYTES = 464
PRODUCER, EVENT = "pr_hot", "ev_hot"
# The kinds of items, and the price of each.
PRICES = {"free": 0, "paid": 25}
# How many different items of a kind there are: each order buys one of the first so many.
ITEMS = {"one": 1, "twenty": 20}
# Kind, items, and how many buy at once. --buyers asks for other numbers.
ROWS = [
    ("free", "one", (1, 16, 64, 256)),
    ("free", "twenty", (1, 64)),
    ("paid", "one", (1, 64)),
    ("paid", "twenty", (1, 64)),
]
# The last commit in which each order had a transaction of its own: what orders together must reach is told against it.
ONE_BY_ONE = "2a3120f"
# The last commit in which a pending order held no stock.
WITHOUT_HOLDS = "858dba9"
# The last commit in which an order was neither summed for reports nor found by its words.
WITHOUT_SUMS = "537b9f3"
FACTORS = {"sqlite": 2, "postgres": 6, "postgres 1 ms": 30}


class Shop:
    """A producer of one build with items of all kinds."""

    def __init__(self, build, address):
        self.build, self.address = build, address
        lines = [{"kind": "event", "id": EVENT, "name": "Hot", "currency": "EUR"}]
        lines += [{"kind": "ticket_type", "id": f"{kind}_{number}", "event_id": EVENT, "name": f"Hot item {number}",
                   "price": price, "currency": "EUR", "limit": 1_000_000_000}
                  for kind, price in PRICES.items() for number in range(max(ITEMS.values()))]
        build.run(address, "producer", "create", "--name", "Hot", "--id", PRODUCER)
        build.run(address, "import", "--producer", PRODUCER, "-", input="\n".join(map(json.dumps, lines)))
        connected = build.run(address, "payment", "connect", "--producer", PRODUCER, "--json")
        self.secret = json.loads(connected)["secret"]

    def serve(self, log_path, way=str):
        """A server that comes to the database along a way, with the log line for each request that is the default."""
        limits = ["--shop-rate-limit", "off"]
        # All come from one address here. Its unpaid orders are counted all the same, as those of a buyer are.
        if "--unpaid-per-address" in self.build.run(self.address, "serve", "--help"):
            limits += ["--unpaid-per-address", "1000000000"]
        return self.build.serve(way(self.address), log_path, *limits, "--log", "info")

    def place_one(self, server):
        """Places one free order: its id."""
        status, _, body = server.post(
            f"/shop/v1/{PRODUCER}/events/{EVENT}/orders",
            {"buyer": {"name": "Ana Ruiz", "email": "ana@example.com"},
             "items": [{"ticket_type_id": "free_0", "quantity": 1}]}, {"Idempotency-Key": "0123456789abcdef" * 2})
        assert status == 201, body
        return json.loads(body)["order"]["id"]

    def load(self, kind, items, buyers, seconds):
        """Load for a server: a paid order is placed and then paid for."""
        secret = [self.secret] if PRICES[kind] else []
        return lambda server: reference("buyers", server.address, buyers, seconds, PRODUCER, EVENT, f"{kind}_",
                                        ITEMS[items], *secret)


def measure(engine, sides, folder, options, table):
    shops = [Shop(build, databases.create(engine, folder, f"orders_{build.name}")) for build in sides]
    bare = Bare(Shop(sides[0], databases.create(engine, folder, "orders_bare")), folder)
    bench = Bench(engine, shops, bare, folder, options, table)
    bench.rows(str)
    if engine == "postgres":
        bench.round_trip(str)
        with databases.far_away(folder) as way:
            bench.engine = "postgres 1 ms"
            bench.round_trip(way)
            bench.rows(way)


class Bench:
    """The rows of one engine along one way to the database."""

    def __init__(self, engine, shops, bare, folder, options, table):
        self.engine, self.shops, self.bare, self.folder = engine, shops, bare, folder
        self.options, self.table = options, table

    def rows(self, way):
        for kind, items, numbers in ROWS:
            for buyers in self.options.buyers or numbers:
                self.row(kind, items, buyers, way)

    def row(self, kind, items, buyers, way):
        """Each build, constant bytes and, for one free item, the bare program, in turns."""
        loads = [shop.load(kind, items, buyers, self.options.seconds) for shop in self.shops]
        disks = [Disk(shop.address) for shop in self.shops]
        results, theirs, bare = [[] for _ in self.shops], [], []
        for _ in range(self.options.rounds):
            for shop, load, disk, kept in zip(self.shops, loads, disks, results):
                serve = shop.serve(f"{self.folder}/orders-{shop.build.name}.log", way)
                kept.append(disk.run(serve, shop.load(kind, items, buyers, WARM_UP), load))
            with constant(201, ORDER_BYTES, self.folder) as still:
                theirs.append(loads[0](still))
            if (kind, items) == ("free", "one"):
                group = max(1, round(disks[0].per_request()["per_sync"]))
                bare.append(self.bare.write(way, group, self.options.seconds))
        what = f"orders, {items} {kind} item{'s' if ITEMS[items] > 1 else ''}, {buyers} buyer{'s' if buyers > 1 else ''}"
        before = results[1] if len(results) > 1 else None
        bars = self.bars(kind, items, buyers)
        self.table.row(self.engine, what, results[0], theirs, before=before, bars=bars, disks=disks)
        if bare:
            bars = [at_least("ratio", 0.5)] if self.engine == "postgres" and buyers == 64 else []
            self.table.row(self.engine, what, results[0], bare, f"the bare program in groups of {group}", bars=bars)

    def bars(self, kind, items, buyers):
        # Keeping sums and an index of words may cost a twentieth.
        if builds.is_commit(self.options.against, WITHOUT_SUMS):
            return [at_least("factor", 0.95)]
        # An order that holds its stock may cost a tenth more than one that did not.
        if kind == "paid" and builds.is_commit(self.options.against, WITHOUT_HOLDS):
            return [at_least("factor", 0.91)]
        if (kind, items) != ("free", "one") or not builds.is_commit(self.options.against, ONE_BY_ONE):
            return []
        if buyers == 1:
            return [at_least("factor", 0.9)]
        return [at_least("factor", FACTORS[self.engine]), below("p99_factor", 1)] if buyers == 64 else []

    def round_trip(self, way):
        """How long the shortest question takes."""
        nothing = f"{self.folder}/nothing"
        with open(nothing, "w") as file:
            file.write("\n")
        asked = reference("queries", way(self.shops[0].address), 1, 0, nothing, "SELECT $1::bigint", 1)
        self.table.figure(self.engine, "a round trip to the database: p50", asked["p50_us"] / 1000, "ms")
