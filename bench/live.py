"""Live pages of one door: what open pages cost the server while people enter at an even pace.

A page is a stream of server-sent events that somebody holds open. What counts is the server's own time on the processor; on
PostgreSQL that of the database is not in it. A page that was not told of the last entry ends the run.
"""

import contextlib
import http.client
import json
import selectors
import statistics
import threading
import time
from urllib.parse import urlencode

import databases
from processor import server_ms
from scans import EVENT, PRODUCER, Door

PAGES = [0, 1, 100]
# One user may hold fewer pages than all of these.
PAGES_EACH = 20
ENTRIES_A_SECOND = 20
PASSWORD = "correct horse battery"


def sign_in(door, server, number):
    """The cookie of a new administrator."""
    made = door.build.run(door.address, "user", "create", "--producer", PRODUCER, "--email", f"ana{number}@example.com",
                          "--role", "administrator", "--public-url", server.url, "--json")
    link = json.loads(made)["url"].removeprefix(server.url)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    status, headers, body = server.ask("POST", link, kind, urlencode({"password": PASSWORD}))
    assert status == 303, body
    return headers["Set-Cookie"].split(";")[0]


class Pages:
    """Open pages. One thread reads what they are told."""

    def __init__(self, server, cookies, count):
        self.told, self.waiting = [b""] * count, selectors.DefaultSelector()
        self.open = []
        for number in range(count):
            connection = http.client.HTTPConnection(server.address)
            path = f"/dashboard/p/{PRODUCER}/door/{EVENT}/stream"
            connection.request("GET", path, headers={"Cookie": cookies[number // PAGES_EACH]})
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            self.open.append((connection, answer))
            self.waiting.register(connection.sock, selectors.EVENT_READ, number)
        self.is_over = False
        self.reading = threading.Thread(target=self.read)
        self.reading.start()

    def read(self):
        while not self.is_over:
            for key, _ in self.waiting.select(0.1):
                self.told[key.data] = (self.told[key.data] + key.fileobj.recv(1 << 20))[-100_000:]

    def close(self):
        self.is_over = True
        self.reading.join()
        for connection, _ in self.open:
            connection.close()


def enter(door, server, seconds):
    """Lets people in at an even pace. How long each scan took, in milliseconds."""
    connection, times, began = http.client.HTTPConnection(server.address), [], time.perf_counter()
    headers = {"Authorization": f"Bearer {door.token}", "Content-Type": "application/json"}
    for number in range(ENTRIES_A_SECOND * seconds):
        time.sleep(max(0, began + number / ENTRIES_A_SECOND - time.perf_counter()))
        body = {"code": f"BENCH{door.used:020d}", "scan_id": f"7f9c24e8-3b12-4fef-91a0-{door.used:012}", "station": "Gate 1",
                "scanned_at": "2026-11-01T21:00:00Z"}
        door.used += 1
        started = time.perf_counter()
        connection.request("POST", "/door/v1/scan", json.dumps(body), headers)
        answer = connection.getresponse()
        said = json.loads(answer.read())
        assert said["outcome"] == "admitted", said
        times.append((time.perf_counter() - started) * 1000)
    return times


def measure(engine, build, folder, options, table):
    seconds = max(options.seconds, 3)
    tickets = len(PAGES) * options.rounds * seconds * ENTRIES_A_SECOND
    door = Door(build, databases.create(engine, folder, "live"), folder, tickets)
    with door.serve("live", "--log", "info") as server:
        cookies = [sign_in(door, server, number) for number in range(-(-max(PAGES) // PAGES_EACH))]
        costs, times, memory = ({count: [] for count in PAGES} for _ in range(3))
        for _ in range(options.rounds):
            for count in PAGES:
                before = server.resident_mb()
                with contextlib.closing(Pages(server, cookies, count)) as pages:
                    # Everybody has the present state.
                    time.sleep(1)
                    spent = server_ms(server)
                    times[count] += enter(door, server, seconds)
                    costs[count].append((server_ms(server) - spent) / seconds)
                    memory[count].append(server.resident_mb() - before)
                    deadline = time.monotonic() + 10
                    while not all(f">{door.used}<".encode() in told for told in pages.told):
                        if time.monotonic() > deadline:
                            raise SystemExit(f"a page was not told that {door.used:,} have entered")
                        time.sleep(0.1)
    for count in PAGES:
        cost, scan = statistics.median(costs[count]), statistics.median(times[count])
        table.figure(engine, f"{count} live pages, {ENTRIES_A_SECOND} entries a second", cost,
                     f"ms of the processor a second; a scan takes {scan:.2f} ms; {max(memory[count]):.1f} MB more memory")
