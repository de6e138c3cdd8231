"""Eight producers on one PostgreSQL, on one with a replica, and on a Citus cluster of three, in one run.

All of them share this machine's cores. So what counts is the time on the processor that a request costs the server and its
databases; how much more several machines carry is not seen here.
"""

import contextlib
import json
import os
import statistics
import subprocess
import time
from pathlib import Path
from urllib.parse import quote, unquote

import databases
from load import WARM_UP, begin_reference, finish
from processor import postgres_ms, server_ms
from table import at_most

PRODUCERS = 8
BUYERS_EACH, POLLERS_EACH = 8, 2
EVENT, ITEM = "ev_machines", "tt_machines_"
# A page of orders after a mark: a replica may answer it.
POLL = "/api/v1/orders?updated_after=2026-01-01&limit=50"
COORDINATOR, *WORKERS = 6001, 6002, 6003
STANDBY_PORT = 6004
IDLE_SECONDS = 20
# Goal for a server that nobody asks, with its databases: one percent of a core, in milliseconds a second.
IDLE_MS = 10


class Machines:
    """A database with producers that sell, the PostgreSQLs that keep it, and how a server is told of it."""

    def __init__(self, name, build, folder, address, data, *more):
        self.name, self.build, self.folder, self.address, self.data, self.more = name, build, folder, address, data, more
        self.producers = [f"pr_{number}" for number in range(PRODUCERS)]
        lines = [{"kind": "event", "id": EVENT, "name": "Aurora Live", "currency": "EUR"},
                 {"kind": "ticket_type", "id": f"{ITEM}0", "event_id": EVENT, "name": "Free", "price": 0, "currency": "EUR"}]
        self.keys = [self.create(producer, "\n".join(map(json.dumps, lines))) for producer in self.producers]
        self.polls = f"{folder}/machines-polls"
        Path(self.polls).write_text(f"{POLL}\n")

    def create(self, producer, lines):
        self.build.run(self.address, "producer", "create", "--name", producer, "--id", producer)
        self.build.run(self.address, "import", "--producer", producer, "-", input=lines)
        key = self.build.run(self.address, "key", "create", "--producer", producer, "--name", "bench", "--permission",
                             "ORDERS_READ", "--json")
        return json.loads(key)["key"]

    def serve(self):
        return self.build.serve(self.address, f"{self.folder}/machines-{self.name}.log", "--shop-rate-limit", "off",
                                "--unpaid-per-address", "1000000000", *self.more)

    def buy(self, server, seconds):
        return [begin_reference("buyers", server.address, BUYERS_EACH, seconds, producer, EVENT, ITEM, 1)
                for producer in self.producers]

    def poll(self, server, seconds):
        return [begin_reference("pollers", server.address, POLLERS_EACH, seconds, key, self.polls) for key in self.keys]

    def spent_ms(self, server):
        """Of the server, and of its databases."""
        return server_ms(server), sum(map(postgres_ms, self.data))

    def run(self, server, load, seconds):
        """Load of all producers at once: its rate, latencies, and what each request cost on the processor."""
        before = self.spent_ms(server)
        results = [finish(running) for running in load(server, seconds)]
        spent = [after - was for after, was in zip(self.spent_ms(server), before)]
        requests = sum(result["requests"] for result in results)
        return {"per_second": requests / seconds, "requests": requests, "refused": sum(r["refused"] for r in results),
                "p50_us": statistics.median(r["p50_us"] for r in results), "p99_us": max(r["p99_us"] for r in results),
                "worst_us": max(r["worst_us"] for r in results), "server_us": spent[0] * 1000 / requests,
                "database_us": spent[1] * 1000 / requests}

    def idle(self, server):
        """Milliseconds on the processor in each second of which nobody asks anything: the server's, and its databases'."""
        before = self.spent_ms(server)
        time.sleep(IDLE_SECONDS)
        return [(after - was) / IDLE_SECONDS for after, was in zip(self.spent_ms(server), before)]


def postgres(*arguments):
    """Runs a program of PostgreSQL as the user that may run it."""
    user = os.environ["TAQUILLA_TEST_POSTGRES_USER"]
    as_user = ["setpriv", f"--reuid={user}", "--regid=postgres", "--clear-groups"] if user else []
    program = f"{os.environ['TAQUILLA_TEST_POSTGRES_BIN']}/{arguments[0]}"
    subprocess.run([*as_user, program, *map(str, arguments[1:])], check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def standby(cluster):
    """A replica of the cluster: the folder of its data."""
    data = cluster / "standby"
    postgres("pg_basebackup", "-h", cluster, "-U", "taquilla", "-D", data, "-R", "-X", "stream", "--checkpoint=fast")
    # A standby takes as many connections as its primary at least, or it does not start.
    most = databases.ask(os.environ["TAQUILLA_TEST_POSTGRES"] + "/postgres", "SHOW max_connections")[0][0]
    postgres("pg_ctl", "-D", data, "-w", "-l", cluster / "standby.log", "-o",
             f"-k {cluster} -p {STANDBY_PORT} -c max_connections={most}", "start")
    try:
        yield data
    finally:
        postgres("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def distributed(build, citus, cluster):
    """The address of a new database on the Citus cluster that is spread over its workers."""
    node = lambda port, name: f"{citus}:{port}/{name}"
    for port in (COORDINATOR, *WORKERS):
        databases.ask(node(port, "postgres"), "CREATE DATABASE machines")
        databases.ask(node(port, "machines"), "CREATE EXTENSION citus")
    address = node(COORDINATOR, "machines")
    databases.ask(address, f"SELECT citus_set_coordinator_host('{cluster}', {COORDINATOR})")
    for worker in WORKERS:
        databases.ask(address, f"SELECT citus_add_node('{cluster}', {worker})")
    build.run(address, "distribute")
    return address


def measure(engine, build, folder, options, table):
    if engine != "postgres":
        return
    cluster = Path(unquote(os.environ["TAQUILLA_TEST_POSTGRES"].rpartition("@")[2]))
    with contextlib.ExitStack() as running:
        replica = running.enter_context(standby(cluster))
        plain = Machines("postgres", build, folder, databases.create(engine, folder, "machines_one"), [cluster / "data"])
        address = databases.create(engine, folder, "machines_replica")
        behind = f"postgres://taquilla@{quote(str(cluster), safe='')}:{STANDBY_PORT}/machines_replica"
        layouts = [plain, Machines("replica", build, folder, address, [cluster / "data", replica], "--read-replica", behind)]
        if citus := os.environ.get("TAQUILLA_TEST_CITUS"):
            data = [cluster / str(port) for port in (COORDINATOR, *WORKERS)]
            layouts.append(Machines("citus", build, folder, distributed(build, citus, cluster), data))
        else:
            table.missing("citus", f"{PRODUCERS} producers", "Citus is not installed (docs/operate/citus.md)")
        rows(layouts, options, table)


def rows(layouts, options, table):
    """Each layout in turns, with a server of its own."""
    orders, polls, idle = ({layout.name: [] for layout in layouts} for _ in range(3))
    for _ in range(options.rounds):
        for layout in layouts:
            with layout.serve() as server:
                for load, kept in ((layout.buy, orders), (layout.poll, polls)):
                    layout.run(server, load, WARM_UP)
                    kept[layout.name].append(layout.run(server, load, options.seconds))
                idle[layout.name].append(layout.idle(server))
    for what, kept in ((f"free orders, {PRODUCERS} × {BUYERS_EACH} buyers", orders),
                       (f"pages of 50 orders, {PRODUCERS} × {POLLERS_EACH} pollers", polls)):
        for name, results in kept.items():
            cost = {field: round(statistics.median(r[field] for r in results)) for field in ("server_us", "database_us")}
            # The reference is one PostgreSQL in the same run.
            table.row(name, what, results, kept["postgres"], "one PostgreSQL", **cost)
    for name, values in idle.items():
        server, data = (statistics.median(value) for value in zip(*values))
        table.figure(name, f"idle, {PRODUCERS} producers", server + data,
                     f"ms of the processor a second, {server:.1f} of them the server's", [at_most("value", IDLE_MS)])
