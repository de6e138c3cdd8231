"""The read API over a producer's many tickets, among other producers."""

import http.client
import json
import subprocess
import time

import data
from load import REFERENCE, ROOT, constant, figure, median, process, row, serve, show, taquilla, wrk

OTHERS = 20
TICKETS_OF_OTHERS = 1_000
PRODUCER = "pr_bench"
TICKETS = "/api/v1/tickets"


class Database:
    """A database with data in it, and what is needed to ask for that data."""

    def __init__(self, engine, address, folder, tickets):
        self.engine, self.address, self.folder = engine, address, folder
        for number in range(OTHERS):
            self.load(f"pr_other_{number}", TICKETS_OF_OTHERS, number + 1)
        self.ids, self.import_seconds, self.lines = self.load(PRODUCER, tickets, 0)
        made = taquilla(address, "key", "create", "--producer", PRODUCER, "--name", "bench", "--permission",
                        "TICKETS_READ", "--permission", "ORDERS_READ", "--permission", "EVENTS_READ", "--json")
        self.key = json.loads(made)["key"]

    def load(self, producer, tickets, seed):
        path = f"{self.folder}/import.jsonl"
        ids = data.write(path, tickets, seed)
        taquilla(self.address, "producer", "create", "--name", producer, "--id", producer)
        started = time.monotonic()
        taquilla(self.address, "import", "--producer", producer, path)
        seconds = time.monotonic() - started
        with open(path) as file:
            return ids, seconds, sum(1 for _ in file)


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


def cursors(server, key, query, most):
    """The cursors of a list's pages."""
    found = []

    def on_page(body):
        cursor = next_cursor(body)
        if cursor is None or len(found) == most:
            return None
        found.append(cursor)
        return f"{query}&cursor={cursor}"

    traverse(server.address, key, query, on_page)
    return found


class Bench:
    """One engine's rows, measured against one running server."""

    def __init__(self, database, server, options):
        self.database, self.server, self.options, self.rows = database, server, options, []

    def keep(self, row):
        self.rows.append(row)
        show(row)

    def arguments(self, paths, key, encoding="", known="", spread=""):
        file = f"{self.database.folder}/paths"
        with open(file, "w") as lines:
            lines.writelines(f"{path}\n" for path in paths)
        return [file, key, encoding, known, spread]

    def row(self, what, paths, bar=None, status=200, key=None, encoding="", known="", spread="", server=None):
        """Ours and constant bytes of the same size, in turns."""
        key = key or self.database.key
        more = {name: value for name, value in [("Accept-Encoding", encoding), ("If-None-Match", known)] if value}
        sizes = []
        for path in paths[:: max(len(paths) // 20, 1)]:
            answered, _, body = self.server.get(path, key, more)
            # Too many refusals from one address are refused otherwise; those come from many.
            assert answered in (status, 429) if spread else answered == status, (path, answered, body)
            sizes.append(len(body))
        arguments = self.arguments(paths, key, encoding, known, spread)
        load = lambda url: wrk(url, "bench/paths.lua", self.options.connections, self.options.seconds, arguments,
                               refused=status >= 400)
        ours, theirs = [], []
        with constant(status, round(sum(sizes) / len(sizes)), self.database.folder) as reference:
            for _ in range(self.options.rounds):
                ours.append(load((server or self.server).url))
                theirs.append(load(reference.url))
        self.keep(row(self.database.engine, what, ours, theirs, bar, bytes=round(sum(sizes) / len(sizes))))

    def compare(self, what, one, other, bar):
        """How much longer one question takes than another, asked in turns: each is paths, database and server."""
        results = [], []
        for _ in range(self.options.rounds):
            for (paths, database, server), kept in zip((one, other), results):
                arguments = self.arguments(paths, database.key)
                kept.append(wrk(server.url, "bench/paths.lua", self.options.connections, self.options.seconds, arguments))
        self.keep(figure(self.database.engine, what, median(results[1]) / median(results[0]), "× the time", bar))

    def pages(self):
        """Every kind of question; then how they compare to each other."""
        key, folder = self.database.key, self.database.folder
        sqlite = self.database.engine == "sqlite"
        started = time.monotonic()
        every = cursors(self.server, key, f"{TICKETS}?limit=200", 10**9)
        self.traversal_seconds = time.monotonic() - started
        middle = lambda query: [f"{query}&cursor={cursor}" for cursor in cursors(self.server, key, query, 500)] or [query]
        mark = json.loads(self.server.get(f"{TICKETS}?scanned_after=2000-01-01&limit=1", key)[2])["data"][0]
        polled = json.loads(self.server.get(f"{TICKETS}?scanned_after=2000-01-01&limit=51", key)[2])["data"][-1]
        event = "ev_0003"

        self.row("one ticket by id", [f"{TICKETS}/{ticket}" for ticket in self.database.ids], 0.75 if sqlite else None)
        for limit in (50, 200):
            self.row(f"page of {limit}, anywhere in the list", [f"{TICKETS}?limit={limit}&cursor={c}" for c in every],
                     0.35 if sqlite else None)
        first = [f"{TICKETS}?limit=50"]
        deepest = [f"{TICKETS}?limit=50&cursor={every[-1]}"]
        rarest = [f"{TICKETS}?limit=50&status=cancelled"]
        self.row("first page of 50", first)
        self.row("deepest page of 50", deepest)
        self.row("rarest status, 50", rarest)
        self.row("event and one status, 50", middle(f"{TICKETS}?limit=50&event_id={event}&status=scanned"))
        self.row("event and three statuses, 50",
                 middle(f"{TICKETS}?limit=50&event_id={event}&status=scanned,valid,refunded"))
        self.row("scanned_after that finds nothing", [f"{TICKETS}?scanned_after={mark['checked_in_at']}"],
                 0.75 if sqlite else None)
        self.row("scanned_after that finds 50", [f"{TICKETS}?scanned_after={polled['checked_in_at']}"])
        self.row("ticket types of an event with 40", [f"/api/v1/events/ev_{data.EVENTS - 1:04}/ticket-types"])
        self.row("orders, page of 50", middle("/api/v1/orders?limit=50"))
        wrong = "tq_" + "0" * 36
        self.row("wrong key (401)", [f"{TICKETS}/x"] * 20_000, status=401, key=wrong, spread="yes")
        pages = [f"{TICKETS}?limit=50&cursor={cursor}" for cursor in every]
        for encoding in ("gzip", "zstd"):
            self.row(f"page of 50, {encoding}", pages, encoding=encoding)
        tag = self.server.get(f"{TICKETS}?limit=50", key)[1]["ETag"]
        self.row("first page of 50, not modified (304)", [f"{TICKETS}?limit=50"], status=304, known=tag)
        with serve(self.database.address, f"{folder}/logging.log", "--log", "info") as logging:
            self.row("one ticket by id, a log line each", [f"{TICKETS}/{ticket}" for ticket in self.database.ids],
                     server=logging)

        for what, paths in [("deepest page", deepest), ("rarest status", rarest)]:
            self.compare(f"{what} against the first page", (paths, self.database, self.server),
                         (first, self.database, self.server), 1.2 if sqlite else None)

    def traversal(self, tickets):
        """One client reads everything: ours, and as many constant bytes."""
        options, key = self.options, self.database.key
        _, _, body = self.server.get(f"{TICKETS}?limit=200", key)
        seconds, reference_seconds = [self.traversal_seconds], []
        for _ in range(options.rounds - 1):
            started = time.monotonic()
            cursors(self.server, key, f"{TICKETS}?limit=200", 10**9)
            seconds.append(time.monotonic() - started)
        with constant(200, len(body), self.database.folder) as reference:
            for _ in range(options.rounds):
                left = tickets // 200

                def on_page(_body):
                    nonlocal left
                    left -= 1
                    return f"{TICKETS}?limit=200" if left > 0 else None

                started = time.monotonic()
                traverse(reference.address, key, f"{TICKETS}?limit=200", on_page)
                reference_seconds.append(time.monotonic() - started)
        middle = lambda values: sorted(values)[len(values) // 2]
        rate, reference = tickets / middle(seconds), tickets / middle(reference_seconds)
        self.keep(figure(self.database.engine, "whole traversal, one client, 200 a page", rate,
                         f"rows/s; constant bytes {reference:,.0f}"))


def against_bare_queries(bench, tenant):
    """PostgreSQL's own pace: the same rows by prepared statements on as many connections; without HTTP, and behind it."""
    database, options = bench.database, bench.options
    sample = psql(database.address, f"SELECT issued_at || ' ' || seq FROM tickets TABLESAMPLE SYSTEM (1) "
                                    f"WHERE producer_id = {tenant} AND hidden = 0 LIMIT 5000")
    questions = [
        ("one ticket by id", "SELECT document FROM tickets WHERE producer_id = $1 AND id = $2",
         database.ids, [f"{TICKETS}/{ticket}" for ticket in database.ids]),
        ("page of 50, anywhere in the list",
         "SELECT issued_at, seq, document FROM tickets WHERE producer_id = $1 AND hidden = 0 AND "
         "seq + 1 <> 1 AND (issued_at, seq) < ($2, $3) ORDER BY issued_at DESC, seq DESC LIMIT 51", sample,
         [f"{TICKETS}?limit=50&cursor={c}" for c in cursors(bench.server, database.key, f"{TICKETS}?limit=200", 2000)]),
    ]
    for what, sql, values, paths in questions:
        file = f"{database.folder}/values"
        with open(file, "w") as lines:
            lines.writelines(f"{value}\n" for value in values)
        arguments = bench.arguments(paths, database.key)
        ours, bare, served = [], [], []
        asked = ["postgres", database.address, str(options.connections), str(tenant), file, sql]
        load = lambda url: wrk(url, "bench/paths.lua", options.connections, options.seconds, arguments)
        with process([REFERENCE, *asked, "ADDRESS"], f"{database.folder}/reference.log") as reference:
            for _ in range(options.rounds):
                ours.append(load(bench.server.url))
                done = subprocess.run([REFERENCE, *asked, str(options.seconds)], cwd=ROOT, check=True,
                                      capture_output=True, text=True).stdout
                bare.append(json.loads(done))
                served.append(load(reference.url))
        bench.keep(row(database.engine, what, ours, bare, 0.6, against="bare queries"))
        bench.keep(row(database.engine, what, ours, served, against="bare queries behind HTTP"))


def psql(address, sql):
    return subprocess.run(["psql", "-qtA", "-c", sql, address], capture_output=True, text=True,
                          check=True).stdout.split("\n")[:-1]


def start_up(database):
    """From the start of the process to the first answer, in milliseconds."""
    times = []
    for _ in range(5):
        started = time.monotonic()
        with serve(database.address, f"{database.folder}/start.log", "--log", "info") as server:
            status, _, body = server.get(f"{TICKETS}/{database.ids[0]}", database.key)
            assert status == 200, body
            times.append((time.monotonic() - started) * 1000)
    return sorted(times)[2]


def tenfold(bench, small, small_server):
    """The same questions to a tenth of the rows, in turns."""
    for what, paths in [
        ("one ticket by id", lambda db, server: [f"{TICKETS}/{ticket}" for ticket in db.ids]),
        ("page of 50", lambda db, server: [f"{TICKETS}?limit=50&cursor={cursor}" for cursor in
                                           cursors(server, db.key, f"{TICKETS}?limit=200", 400)]),
        ("empty poll", lambda db, server: [f"{TICKETS}?scanned_after=" + json.loads(server.get(
            f"{TICKETS}?scanned_after=2000-01-01&limit=1", db.key)[2])["data"][0]["checked_in_at"]]),
    ]:
        bench.compare(f"{what}: ten times the rows", (paths(bench.database, bench.server), bench.database, bench.server),
                      (paths(small, small_server), small, small_server),
                      1.3 if bench.database.engine == "sqlite" else None)


def quiet(address, log_path):
    """A server without a log line for each request, told of the addresses that requests come from."""
    return serve(address, log_path, "--log", "warn", "--trust-proxy")


def measure(engine, address, small_address, folder, options):
    database = Database(engine, address, folder, options.tickets)
    small = Database(engine, small_address, folder, options.tickets // 10)
    sqlite = engine == "sqlite"
    rows = []

    def keep(row):
        rows.append(row)
        show(row)

    keep(figure(engine, "import", database.lines / database.import_seconds, "lines/s"))
    keep(figure(engine, "start-up to the first answer", start_up(database), "ms", 200))
    with quiet(address, f"{folder}/server.log") as server, quiet(small_address, f"{folder}/small.log") as small_server:
        server.get(f"{TICKETS}?limit=1", database.key)
        keep(figure(engine, "resident memory, idle", server.resident_mb(), "MB", 100))
        bench = Bench(database, server, options)
        bench.pages()
        bench.traversal(options.tickets)
        # A thousand rows against ten thousand would say nothing.
        if not options.quick:
            tenfold(bench, small, small_server)
        if not sqlite:
            tenant = psql(address, f"SELECT producer_id FROM producers WHERE id = '{PRODUCER}'")[0]
            against_bare_queries(bench, tenant)
        bench.keep(figure(engine, "resident memory, after all of this", server.resident_mb(), "MB", 100))
    return rows + bench.rows
