"""The dashboard over a producer's many tickets: every page, search and export against the same of a small producer.

A page is asked for by one person on one connection, in turns at the large and at the small producer, and what counts is how
much longer it takes at the large one. All that the small one sells is for the event that is looked at, so that its lists fill
a page, too. A page that does not answer 200 ends the run: nothing is measured of it.
"""

import contextlib
import http.client
import json
import statistics
import time
from urllib.parse import quote, urlencode

import databases
from reads import PRODUCER, Database
from table import at_most

SMALL = 1_000
NUMBER, EVENT, ITEM = 3, "ev_0003", "tt_0003_000"
PASSWORD = "correct horse battery"
HOME = f"/dashboard/p/{PRODUCER}"
# Different ones of a kind that are asked for, so that no page is asked for again and again.
CHOSEN = 40
# How long the words of all orders and tickets may take to be found, in seconds for each million tickets.
INDEXING = 7_200
# Pages that are the same whatever is chosen.
PAGES = {
    "overview": "", "keys": "/keys", "webhooks": "/webhooks", "payment account": "/payments",
    "payments to deal with": "/payments/open", "team": "/team", "history": "/history",
    "events": "/events", "one event": f"/events/{EVENT}", "one item": f"/events/{EVENT}/items/{ITEM}",
    "orders": "/orders", "orders of an event": f"/orders?event={EVENT}",
    "orders of an event and a status": f"/orders?event={EVENT}&status=approved", "selling": "/orders/new",
    "tickets": "/tickets", "tickets of an event": f"/tickets?event={EVENT}",
    "tickets of an event and a status": f"/tickets?event={EVENT}&status=valid",
    "doors": "/door", "a door, live": f"/door/{EVENT}", "a door, its figures": f"/door/{EVENT}?part=figures",
    "a door on a big screen": f"/door/{EVENT}/screen", "door links": f"/door/{EVENT}/links",
    "reports": "/reports", "sales of an event": f"/reports/sales?event={EVENT}", "sales of all events": "/reports/sales",
    "entries of an event": f"/reports/entries?event={EVENT}", "no-shows": f"/reports/no-shows?event={EVENT}",
    "sold against listed": f"/reports/stock?event={EVENT}", "orders behind a figure": f"/reports/orders?event={EVENT}",
    "orders behind an item's figure": f"/reports/orders?event={EVENT}&item={ITEM}",
    "tickets behind an item's figure": f"/tickets?event={EVENT}&type={ITEM}&status=valid", "data": "/data",
}
# What is looked for: everybody's name, a part of it, and what few have.
SEARCHES = {"a name that all have": "ana", "two words that all have": "ruiz fern", "how all addresses begin": "ana.ruiz.",
            "an e-mail address": "ana.ruiz.400@example.com", "a document": "00000400A", "nothing": "zzyzx"}
EXPORTS = ["tickets.csv", "tickets.jsonl", "orders.csv", "orders.jsonl"]
# What of a file is read before its memory is looked at for the first time: by then all buffers and caches are in use.
EARLY = 64 << 20


class Person:
    """An administrator of one database's large producer, signed in, on one connection."""

    def __init__(self, database):
        self.database, self.server = database, database.server
        made = database.build.run(database.address, "user", "create", "--producer", PRODUCER, "--email", "ana@example.com",
                                  "--role", "administrator", "--public-url", self.server.url, "--json")
        link = json.loads(made)["url"].removeprefix(self.server.url)
        status, headers, body = self.send(link, {"password": PASSWORD})
        assert status == 303, body
        self.cookie = headers["Set-Cookie"].split(";")[0]
        self.connect()

    def send(self, path, fields):
        return self.server.ask("POST", path, {"Content-Type": "application/x-www-form-urlencoded"}, urlencode(fields))

    def connect(self):
        self.connection = http.client.HTTPConnection(self.server.address)

    def get(self, path):
        """A page: its status and its text."""
        self.connection.request("GET", path, headers={"Cookie": self.cookie})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def take(self, path):
        """A file, read to its end and not kept: its status, how long it is, and the most memory early on and in all."""
        connection = http.client.HTTPConnection(self.server.address)
        connection.request("GET", path, headers={"Cookie": self.cookie})
        answer, size, early, peak = connection.getresponse(), 0, None, 0
        while part := answer.read(1 << 20):
            size += len(part)
            peak = max(peak, self.server.own_mb())
            if early is None and size >= EARLY:
                early = peak
        return answer.status, size, early, peak

    def time(self, path):
        """How long an answer takes, in milliseconds."""
        started = time.perf_counter()
        self.get(path)
        return (time.perf_counter() - started) * 1000

    def one_each(self):
        """Pages of single orders and tickets, and searches by what only one has."""
        tenant = databases.ask(self.database.address, f"SELECT producer_id FROM producers WHERE id = '{PRODUCER}'")[0][0]
        step = max(len(self.database.ids) // CHOSEN, 1)
        tickets = self.database.ids[::step][:CHOSEN]
        listed = ", ".join(f"'{ticket}'" for ticket in tickets)
        rows = databases.ask(self.database.address, "SELECT issued_at, seq, order_id FROM tickets WHERE "
                             f"producer_id = {tenant} AND id IN ({listed})")
        return {
            "one order": [f"{HOME}/orders/{row[2]}" for row in rows],
            "one ticket": [f"{HOME}/tickets/{row[0]}-{row[1]}" for row in rows],
            "search: the beginning of a code": [f"{HOME}/tickets?q={ticket[:8]}" for ticket in tickets],
            "search: the beginning of an order": [f"{HOME}/orders?q={row[2][:10]}" for row in rows],
        }

    def pages(self):
        """What is measured, by name, with its paths."""
        pages = {what: [HOME + path] for what, path in PAGES.items()}
        for what, words in SEARCHES.items():
            pages[f"search tickets: {what}"] = [f"{HOME}/tickets?q={quote(words)}"]
            pages[f"search orders: {what}"] = [f"{HOME}/orders?q={quote(words)}"]
        return pages | self.one_each()

    def wait_for_words(self, tickets):
        """Waits until the words of the last order are found: the index is built after the fact."""
        # The connection may have been idle for minutes, while the other database was waited for.
        self.connect()
        path = f"{HOME}/orders?q={quote(f'ana.ruiz.{(tickets - 1) // 4 * 4}@example.com')}"
        deadline = time.monotonic() + 60 + INDEXING * tickets / 1_000_000
        while f"or_{(tickets - 1) // 4 * 4:010}".encode() not in self.get(path)[1]:
            if time.monotonic() > deadline:
                raise SystemExit(f"the words of the last order are not found: {path}")
            time.sleep(0.5)


def wrong(person, pages):
    """The pages that are not answered as they should be."""
    asked = [(path, person.get(path)[0]) for paths in pages.values() for path in paths[:2]]
    return [f"{path}: {status}" for path, status in asked if status != 200]


def exports(engine, person, table):
    """Each file at a server that was just started: its pace, and the most memory at its end against that early on."""
    for file in EXPORTS:
        with person.database.served("export"):
            person.server = person.database.server
            started = time.monotonic()
            status, size, early, peak = person.take(f"{HOME}/exports/{file}")
            seconds = time.monotonic() - started
            assert status == 200 and size > 0, (file, status)
        table.figure(engine, f"export {file}", size / seconds / 1e6, f"MB/s of {size / 1e6:.0f} MB; {peak:.0f} MB of memory")
        if early:
            table.figure(engine, f"export {file}: memory at its end against after {EARLY >> 20} MB", peak / early, "×",
                         [at_most("value", 1.2)])


def measure(engine, build, folder, options, table):
    sizes = [options.tickets, SMALL]
    sides = [Database(build, engine, folder, f"dashboard_{size}", size, NUMBER if size == SMALL else None) for size in sizes]
    with contextlib.ExitStack() as running:
        people = [Person(running.enter_context(side.served(f"dashboard_{size}"))) for side, size in zip(sides, sizes)]
        everywhere = [person.pages() for person in people]
        faults = [fault for person, pages in zip(people, everywhere) for fault in wrong(person, pages)]
        if faults:
            raise SystemExit("pages that do not answer:\n" + "\n".join(faults))
        for person, size in zip(people, sizes):
            person.wait_for_words(size)
        for what in everywhere[0]:
            kept, deadline = ([], []), time.monotonic() + options.seconds
            # Page by page in turns, so that whatever else the machine does meets both.
            while len(kept[0]) < 20 or time.monotonic() < deadline:
                for person, pages, times in zip(people, everywhere, kept):
                    times.append(person.time(pages[what][len(times) % len(pages[what])]))
            large, small = map(statistics.median, kept)
            table.figure(engine, f"{what}: {sizes[0]:,} against {SMALL:,}", large / small,
                         f"× the time; {large:.2f} ms", [at_most("value", 2)])
    exports(engine, people[0], table)
