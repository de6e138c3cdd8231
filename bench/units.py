"""What one of each costs: bytes that stay, and time on the processor of the server and its database.

A plan for many of them multiplies these. Each is measured by itself, on data that a small organiser has.
"""

import os
import time
from pathlib import Path
from urllib.parse import unquote

import databases
from load import WARM_UP, begin_reference, finish
from mixed import BUYERS, ITEM, POLLERS, STATIONS, Producer
from processor import postgres_ms, server_ms
from scans import EVENT, PRODUCER
from webhooks import ALLOW, create_endpoint, receiver, wait_for

# More tickets than the stations scan in a second.
SCANS_A_SECOND = 12_000
# What a receiver is told of a free order of one ticket.
MESSAGES = ["order.created", "order.approved", "ticket.issued"]


class Units:
    """A producer, and what is measured of everything that happens to it."""

    def __init__(self, engine, build, folder, options, table):
        self.engine, self.folder, self.options, self.table = engine, folder, options, table
        self.address = databases.create(engine, folder, "units")
        before = self.bytes()
        tickets = SCANS_A_SECOND * (options.seconds + WARM_UP)
        self.producer = Producer(build, self.address, folder, tickets)
        self.build, self.door = build, self.producer.door
        with self.door.serve("units", "--log", "warn"):
            self.wait_for_search()
        self.table.figure(engine, "a ticket that was imported", (self.bytes() - before) / tickets, "bytes kept")

    def bytes(self):
        """All that the database takes on its disk. A server of SQLite must have ended, and its log with it."""
        if self.engine == "sqlite":
            file = Path(self.address.removeprefix("sqlite:"))
            return file.stat().st_size if file.exists() else 0
        return int(databases.ask(self.address, "SELECT pg_database_size(current_database())")[0][0])

    def wait_for_search(self):
        """Until everything can be found: what the search keeps of a row is part of what the row keeps."""
        behind = "SELECT 1 FROM clocks c LEFT JOIN search_marks m ON m.producer_id = c.producer_id " \
                 "WHERE m.producer_id IS NULL OR c.clock > m.orders_at OR c.clock > m.tickets_at"
        while databases.ask(self.address, behind):
            time.sleep(0.1)

    def database_ms(self):
        if self.engine == "sqlite":
            return 0
        return postgres_ms(Path(unquote(os.environ["TAQUILLA_TEST_POSTGRES"].rpartition("@")[2])) / "data")

    def row(self, what, load, extra=()):
        """Runs load on a server of its own: what each of its requests left and cost, what is done about it afterwards included."""
        bytes_before = self.bytes()
        with self.door.serve("units", "--log", "warn", "--shop-rate-limit", "off", "--unpaid-per-address", "1000000000",
                             *extra) as server:
            before = server_ms(server), self.database_ms()
            requests = load(server)
            self.wait_for_search()
            spent = server_ms(server) - before[0], self.database_ms() - before[1]
        micros = [part * 1000 / requests for part in spent]
        self.table.figure(self.engine, what, sum(micros), f"µs of the processor, {micros[0]:.0f} of them the server's")
        if self.bytes() != bytes_before:
            self.table.figure(self.engine, what, (self.bytes() - bytes_before) / requests, "bytes kept")

    def all(self):
        seconds = self.options.seconds
        buy = lambda server: begin_reference("buyers", server.address, BUYERS, seconds, PRODUCER, EVENT, ITEM, 1)
        self.row("a free order of one ticket", lambda server: finish(buy(server))["requests"])
        self.row("a scan", lambda server: self.door.scan(server, STATIONS, seconds)["requests"])
        poll = lambda server: begin_reference("pollers", server.address, POLLERS, seconds, self.producer.key, self.polls())
        self.row("a poll that finds nothing", lambda server: finish(poll(server))["requests"])
        with receiver(self.folder) as target:
            create_endpoint(self.build, self.address, f"{target.url}/", *MESSAGES)
            self.row(f"a free order with {len(MESSAGES)} messages", lambda server: told(finish(buy(server)), target), ALLOW)

    def polls(self):
        path = Path(self.folder) / "units-polls"
        path.write_text("/api/v1/orders?updated_after=2099-01-01T00:00:00Z\n")
        return path


def told(result, target):
    """Waits until the receiver knows of every order: how many there were."""
    wait_for(target, result["requests"] * len(MESSAGES))
    return result["requests"]


def measure(engine, build, folder, options, table):
    Units(engine, build, folder, options, table).all()
