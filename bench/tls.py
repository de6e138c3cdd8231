"""TLS to PostgreSQL: what it costs to encrypt, against the same database on the same port without it."""

import contextlib
import os
import shutil
import socket
import subprocess

from load import WARM_UP, wrk
from orders import EVENT, PRODUCER, Shop
from table import median

WAYS = ("disable", "require")
BUYERS = (1, 64)


def measure(engine, build, folder, options, table):
    if engine != "postgres":
        return
    paths = f"{folder}/tls_paths"
    with open(paths, "w") as file:
        file.write(f"/shop/v1/{PRODUCER}/events/{EVENT}\n")
    with cluster() as address:
        shop = Shop(build, address)
        on_sale = lambda seconds: lambda server: wrk(server.url, "bench/paths.lua", options.connections, seconds,
                                                     [paths, "", "", "", ""])
        loads = [("what is on sale, 40 items", on_sale)]
        loads += [(f"orders, one free item, {buyers} buyer{'s' if buyers > 1 else ''}",
                   lambda seconds, buyers=buyers: shop.load("free", "one", buyers, seconds)) for buyers in BUYERS]
        for what, load in loads:
            plain, encrypted = in_turns(shop, folder, options, load)
            table.row(engine, f"{what}, TLS", encrypted, plain, "without TLS")
            table.figure(engine, f"{what}, TLS against none", median(plain) / median(encrypted), "× the time")


def in_turns(shop, folder, options, load):
    results = [], []
    for _ in range(options.rounds):
        for mode, kept in zip(WAYS, results):
            with shop.serve(f"{folder}/tls-{mode}.log", lambda address: f"{address}?sslmode={mode}") as server:
                load(WARM_UP)(server)
                kept.append(load(options.seconds)(server))
    return results


@contextlib.contextmanager
def cluster():
    """A cluster with TLS of its own, reached over loopback, because a socket has none: its address."""
    user, programs = os.environ["TAQUILLA_TEST_POSTGRES_USER"], os.environ["TAQUILLA_TEST_POSTGRES_BIN"]
    run_as = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    # PostgreSQL's user must reach it, and build folders may be closed to others.
    data = subprocess.run([*run_as, "mktemp", "-d"], cwd="/", check=True, capture_output=True, text=True).stdout.strip()
    run = lambda *command: subprocess.run([*run_as, *command], cwd="/", check=True, stdout=subprocess.DEVNULL)
    control = [f"{programs}/pg_ctl", "-D", f"{data}/data", "-w", "-l", f"{data}/log"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    try:
        run(f"{programs}/initdb", "-D", f"{data}/data", "-U", "taquilla", "-A", "trust", "-E", "UTF8", "--locale=C")
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=bench", "-keyout",
            f"{data}/data/server.key", "-out", f"{data}/data/server.crt")
        run(*control, "-o", f"-k {data} -p {port} -c listen_addresses=127.0.0.1 -c ssl=on -c shared_buffers=128MB", "start")
        yield f"postgres://taquilla@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*run_as, *control, "-m", "immediate", "stop"], cwd="/", stdout=subprocess.DEVNULL)
        shutil.rmtree(data, ignore_errors=True)
