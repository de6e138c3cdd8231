"""The read API over a producer's many tickets, among other producers."""

import contextlib
import http.client
import json
import time

import data
import databases
from load import REFERENCE, constant, process, reference, wrk
from table import at_least, at_most, median

OTHERS = 20
TICKETS_OF_OTHERS = 1_000
PRODUCER = "pr_bench"
TICKETS = "/api/v1/tickets"


class Database:
    """A database of one build with data in it, and what is needed to ask for that data."""

    def __init__(self, build, engine, folder, name, tickets, all_in=None):
        self.build, self.folder = build, folder
        self.address = databases.create(engine, folder, f"{name}_{build.name}")
        others = [self.load(f"pr_other_{number}", TICKETS_OF_OTHERS, number + 1) for number in range(OTHERS)]
        self.ids, self.import_seconds, self.lines = self.load(PRODUCER, tickets, 0, all_in)
        self.all_imports_seconds = self.import_seconds + sum(seconds for _, seconds, _ in others)
        made = build.run(self.address, "key", "create", "--producer", PRODUCER, "--name", "bench", "--permission",
                        "TICKETS_READ", "--permission", "ORDERS_READ", "--permission", "EVENTS_READ", "--json")
        self.key, self.server = json.loads(made)["key"], None

    def load(self, producer, tickets, seed, all_in=None):
        path = f"{self.folder}/import.jsonl"
        ids = data.write(path, tickets, seed, all_in)
        self.build.run(self.address, "producer", "create", "--name", producer, "--id", producer)
        started = time.monotonic()
        self.build.run(self.address, "import", "--producer", producer, path)
        seconds = time.monotonic() - started
        with open(path) as file:
            return ids, seconds, sum(1 for _ in file)

    @contextlib.contextmanager
    def served(self, log):
        """A server without a log line for each request, told of the addresses that requests come from."""
        with self.build.serve(self.address, f"{self.folder}/{log}.log", "--log", "warn", "--trust-proxy") as self.server:
            yield self

    def get(self, path, key=None, more={}):
        return self.server.get(path, key or self.key, more)

    def first(self, path):
        """The first row of a list."""
        return json.loads(self.get(path)[2])["data"][0]

    def cursors(self, query, most=10**9):
        """The cursors of a list's pages."""
        found = []

        def on_page(body):
            cursor = next_cursor(body)
            if cursor is None or len(found) == most:
                return None
            found.append(cursor)
            return f"{query}&cursor={cursor}"

        traverse(self.server.address, self.key, query, on_page)
        return found

    def middle(self, query):
        """Pages of a list, the first 500 of them but for the very first."""
        return [f"{query}&cursor={cursor}" for cursor in self.cursors(query, 500)] or [query]

    def arguments(self, paths, key=None, encoding="", known="", spread=""):
        """The arguments for wrk's script."""
        file = f"{self.folder}/paths_{self.build.name}"
        with open(file, "w") as lines:
            lines.writelines(f"{path}\n" for path in paths)
        return [file, key or self.key, encoding, known, spread]


def traverse(address, key, start, on_page):
    """Follows a list to its end with one client on one connection."""
    connection = http.client.HTTPConnection(address)
    path = start
    while path:
        connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
        body = connection.getresponse().read()
        path = on_page(body)


def next_cursor(body):
    return json.loads(b"{" + body[body.rindex(b'],"has_more"') + 2:])["next_cursor"]


class Bench:
    """One engine's rows, of this build and perhaps another one: databases with the same data, each with its server."""

    def __init__(self, engine, sides, options, table):
        self.engine, self.sides, self.options, self.table = engine, sides, options, table
        self.here = sides[0]

    def load(self, url, arguments, refused=False):
        return wrk(url, "bench/paths.lua", self.options.connections, self.options.seconds, arguments, refused)

    def row(self, what, paths_of, bar=None, status=200, key=None, encoding="", known_of=None, spread="", servers=None):
        """Each build and constant bytes of the same size, in turns. Paths and the tag that is known are a build's own."""
        asked, sizes = [], []
        for side in self.sides:
            paths, known = paths_of(side), known_of(side) if known_of else ""
            more = {name: value for name, value in [("Accept-Encoding", encoding), ("If-None-Match", known)] if value}
            for path in paths[:: max(len(paths) // 20, 1)]:
                answered, _, body = side.get(path, key, more)
                # Too many refusals from one address are refused otherwise; those come from many.
                assert answered in (status, 429) if spread else answered == status, (path, answered, body)
                if side is self.here:
                    sizes.append(len(body))
            asked.append(side.arguments(paths, key, encoding, known, spread))
        size = round(sum(sizes) / len(sizes))
        results, theirs = [[] for _ in self.sides], []
        with constant(status, size, self.here.folder) as still:
            for _ in range(self.options.rounds):
                for server, arguments, kept in zip(servers or [side.server for side in self.sides], asked, results):
                    kept.append(self.load(server.url, arguments, status >= 400))
                theirs.append(self.load(still.url, asked[0], status >= 400))
        self.table.row(self.engine, what, results[0], theirs, before=results[1] if len(results) > 1 else None,
                       bars=[at_least("ratio", bar)] if bar and self.engine == "sqlite" else [], bytes=size)

    def compare(self, what, one, other, bar):
        """How much longer one question takes than another, asked in turns: each is a database and its paths."""
        results = [], []
        for _ in range(self.options.rounds):
            for (database, paths), kept in zip((one, other), results):
                kept.append(self.load(database.server.url, database.arguments(paths)))
        self.table.figure(self.engine, what, median(results[1]) / median(results[0]), "× the time",
                          [at_most("value", bar)] if self.engine == "sqlite" else [])

    def pages(self):
        """Every kind of question; then how they compare to each other."""
        started = time.monotonic()
        every = {self.here: self.here.cursors(f"{TICKETS}?limit=200")}
        self.traversal_seconds = time.monotonic() - started
        every |= {side: side.cursors(f"{TICKETS}?limit=200") for side in self.sides[1:]}
        tickets = lambda side: [f"{TICKETS}/{ticket}" for ticket in side.ids]
        anywhere = lambda limit: lambda side: [f"{TICKETS}?limit={limit}&cursor={cursor}" for cursor in every[side]]
        first = lambda side: [f"{TICKETS}?limit=50"]
        deepest = lambda side: [f"{TICKETS}?limit=50&cursor={every[side][-1]}"]
        rarest = lambda side: [f"{TICKETS}?limit=50&status=cancelled"]
        scanned = f"{TICKETS}?scanned_after=2000-01-01"
        nothing_new = lambda side: [f"{TICKETS}?scanned_after={side.first(f'{scanned}&limit=1')['checked_in_at']}"]
        fifty_new = lambda side: [f"{TICKETS}?scanned_after=" + json.loads(
            side.get(f"{scanned}&limit=51")[2])["data"][-1]["checked_in_at"]]
        event = f"{TICKETS}?limit=50&event_id=ev_0003"

        self.row("one ticket by id", tickets, 0.5)
        self.row("page of 50, anywhere in the list", anywhere(50), 0.4)
        self.row("page of 200, anywhere in the list", anywhere(200), 0.35)
        self.row("first page of 50", first)
        self.row("deepest page of 50", deepest)
        self.row("rarest status, 50", rarest)
        self.row("event and one status, 50", lambda side: side.middle(f"{event}&status=scanned"))
        self.row("event and three statuses, 50", lambda side: side.middle(f"{event}&status=scanned,valid,refunded"))
        self.row("scanned_after that finds nothing", nothing_new, 0.6)
        self.row("scanned_after that finds 50", fifty_new)
        self.row("ticket types of an event with 40", lambda side: [f"/api/v1/events/ev_{data.EVENTS - 1:04}/ticket-types"])
        self.row("orders, page of 50", lambda side: side.middle("/api/v1/orders?limit=50"), 0.4)
        self.row("wrong key (401)", lambda side: [f"{TICKETS}/x"] * 20_000, status=401, key="tq_" + "0" * 36, spread="yes")
        # More visits than one address may make.
        self.row("an event's page of the shop", lambda side: [f"/shop/{PRODUCER}/ev_0003"] * 20_000, 0.5, spread="yes")
        for encoding in ("gzip", "zstd"):
            self.row(f"page of 50, {encoding}", anywhere(50), encoding=encoding)
        self.row("first page of 50, not modified (304)", first, status=304,
                 known_of=lambda side: side.get(f"{TICKETS}?limit=50")[1]["ETag"])
        with contextlib.ExitStack() as running:
            logging = [running.enter_context(side.build.serve(side.address, f"{side.folder}/logging_{side.build.name}.log",
                                                              "--log", "info")) for side in self.sides]
            self.row("one ticket by id, a log line each", tickets, servers=logging)
        for what, paths in [("deepest page", deepest), ("rarest status", rarest)]:
            one, other = (self.here, paths(self.here)), (self.here, first(self.here))
            self.compare(f"{what} against the first page", one, other, 1.2)

    def traversal(self, tickets):
        """One client reads everything: ours, and as many constant bytes."""
        start = f"{TICKETS}?limit=200"
        _, _, body = self.here.get(start)
        seconds, reference_seconds = [self.traversal_seconds], []
        for _ in range(self.options.rounds - 1):
            started = time.monotonic()
            self.here.cursors(start)
            seconds.append(time.monotonic() - started)
        with constant(200, len(body), self.here.folder) as still:
            for _ in range(self.options.rounds):
                left = tickets // 200

                def on_page(_body):
                    nonlocal left
                    left -= 1
                    return start if left > 0 else None

                started = time.monotonic()
                traverse(still.address, self.here.key, start, on_page)
                reference_seconds.append(time.monotonic() - started)
        middle = lambda values: sorted(values)[len(values) // 2]
        self.table.figure(self.engine, "whole traversal, one client, 200 a page", tickets / middle(seconds),
                          f"rows/s; constant bytes {tickets / middle(reference_seconds):,.0f}")


def against_bare_queries(bench):
    """PostgreSQL's own pace: the same rows by prepared statements on as many connections; without HTTP, and behind it."""
    here, options = bench.here, bench.options
    tenant = databases.ask(here.address, f"SELECT producer_id FROM producers WHERE id = '{PRODUCER}'")[0][0]
    sample = databases.ask(here.address, f"SELECT issued_at || ' ' || seq FROM tickets TABLESAMPLE SYSTEM (1) "
                                         f"WHERE producer_id = {tenant} AND hidden = 0 LIMIT 5000")
    questions = [
        ("one ticket by id", "SELECT document FROM tickets WHERE producer_id = $1 AND id = $2",
         here.ids, [f"{TICKETS}/{ticket}" for ticket in here.ids]),
        ("page of 50, anywhere in the list",
         "SELECT issued_at, seq, document FROM tickets WHERE producer_id = $1 AND hidden = 0 AND "
         "seq + 1 <> 1 AND (issued_at, seq) < ($2, $3) ORDER BY issued_at DESC, seq DESC LIMIT 51",
         [position for position, in sample],
         [f"{TICKETS}?limit=50&cursor={cursor}" for cursor in here.cursors(f"{TICKETS}?limit=200", 2000)]),
    ]
    for what, sql, values, paths in questions:
        file = f"{here.folder}/values"
        with open(file, "w") as lines:
            lines.writelines(f"{value}\n" for value in values)
        arguments = here.arguments(paths)
        ours, bare, served = [], [], []
        asked = ["queries", here.address, str(options.connections), str(tenant), file, sql]
        with process([REFERENCE, *asked, "ADDRESS"], f"{here.folder}/reference.log") as behind_http:
            for _ in range(options.rounds):
                ours.append(bench.load(here.server.url, arguments))
                bare.append(reference(*asked, options.seconds))
                served.append(bench.load(behind_http.url, arguments))
        bench.table.row(bench.engine, what, ours, bare, "bare queries")
        bench.table.row(bench.engine, what, ours, served, "bare queries behind HTTP", bars=[at_least("ratio", 0.75)])


def start_up(database):
    """From the start of the process to the first answer, in milliseconds."""
    times = []
    for _ in range(5):
        started = time.monotonic()
        with database.build.serve(database.address, f"{database.folder}/start.log", "--log", "info") as server:
            status, _, body = server.get(f"{TICKETS}/{database.ids[0]}", database.key)
            assert status == 200, body
            times.append((time.monotonic() - started) * 1000)
    return sorted(times)[2]


def tenfold(bench, small):
    """The same questions to a tenth of the rows, in turns."""
    for what, paths in [
        ("one ticket by id", lambda side: [f"{TICKETS}/{ticket}" for ticket in side.ids]),
        ("page of 50", lambda side: [f"{TICKETS}?limit=50&cursor={cursor}" for cursor in
                                     side.cursors(f"{TICKETS}?limit=200", 400)]),
        ("empty poll", lambda side: [f"{TICKETS}?scanned_after=" + side.first(
            f"{TICKETS}?scanned_after=2000-01-01&limit=1")["checked_in_at"]]),
    ]:
        bench.compare(f"{what}: ten times the rows", (bench.here, paths(bench.here)), (small, paths(small)), 1.3)


def measure(engine, builds, folder, options, table):
    sides = [Database(build, engine, folder, "reads", options.tickets) for build in builds]
    figure = lambda what, unit, bars, of: table.figure(engine, what, of(sides[0]), unit, bars,
                                                       of(sides[1]) if len(sides) > 1 else None)
    figure("import", "lines/s", [], lambda side: side.lines / side.import_seconds)
    figure("start-up to the first answer", "ms", [at_most("value", 200)], start_up)
    with contextlib.ExitStack() as running:
        for side in sides:
            running.enter_context(side.served(f"reads_{side.build.name}"))
            side.get(f"{TICKETS}?limit=1")
        own, resident = lambda side: side.server.own_mb(), lambda side: side.server.resident_mb()
        figure("its own memory, idle", "MB", [at_most("value", 50)], own)
        bench = Bench(engine, sides, options, table)
        bench.pages()
        bench.traversal(options.tickets)
        # A thousand rows against ten thousand would say nothing.
        if not options.quick:
            small = Database(builds[0], engine, folder, "tenth", options.tickets // 10)
            tenfold(bench, running.enter_context(small.served("tenth")))
        if engine == "postgres":
            against_bare_queries(bench)
        figure("its own memory, after all of this", "MB", [at_most("value", 50)], own)
        figure("resident memory with mapped files, after all of this", "MB", [], resident)
