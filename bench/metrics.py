"""Metrics: what counting costs, with somebody who asks for them every second, against the same server without."""

import contextlib
import socket
import threading
import urllib.request

from load import WARM_UP, wrk
from reads import TICKETS, Database
from table import at_least, median

# Counting may cost a fiftieth.
BAR = 0.98
# The cheapest requests, which counting costs the largest part of.
ROWS = [
    ("one ticket by id", lambda here: [f"{TICKETS}/{ticket}" for ticket in here.ids]),
    ("a poll that finds nothing", lambda here: [f"{TICKETS}?updated_after=2099-01-01T00:00:00Z"]),
]


def measure(engine, build, folder, options, table):
    here = Database(build, engine, folder, "metrics", min(options.tickets, 10_000))
    for what, paths_of in ROWS:
        arguments = here.arguments(paths_of(here))
        results = [], []
        # Each round has both, in an order that changes: a machine that becomes slower slows down both. So many rounds,
        # because the difference is smaller than the noise of one.
        for number in range(2 * options.rounds):
            for with_metrics in (True, False) if number % 2 else (False, True):
                with served(here, folder, with_metrics) as server:
                    load = lambda seconds: wrk(server.url, "bench/paths.lua", options.connections, seconds, arguments)
                    load(WARM_UP)
                    results[with_metrics].append(load(options.seconds))
        without, counted = results
        table.row(engine, f"{what}, metrics", counted, without, "without metrics", bars=[at_least("ratio", BAR)])
        table.figure(engine, f"{what}, metrics against none", median(without) / median(counted), "× the time")


@contextlib.contextmanager
def served(here, folder, with_metrics):
    """A server without a log line for each request, and whoever asks for its metrics."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % free.getsockname()[1]
    more = ["--metrics-listen", address] if with_metrics else []
    with here.build.serve(here.address, f"{folder}/metrics.log", "--log", "warn", *more) as server:
        is_over = threading.Event()
        asking = threading.Thread(target=ask, args=(address, is_over))
        if with_metrics:
            asking.start()
        try:
            yield server
        finally:
            is_over.set()
            if with_metrics:
                asking.join()


def ask(address, is_over):
    while not is_over.wait(1):
        urllib.request.urlopen(f"http://{address}/metrics").read()
