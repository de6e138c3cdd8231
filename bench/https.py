"""Https of the server's own: what it costs against plain http, on connections that are kept and on new ones."""

import subprocess

import databases
from load import WARM_UP, wrk
from orders import EVENT, PRODUCER, Shop
from table import median

WAYS = ("http", "https")


def measure(engine, build, folder, options, table):
    # The database does not matter here.
    if engine != "sqlite":
        return
    shop = Shop(build, databases.create(engine, folder, "https"))
    files = certificate(folder)
    paths = {"healthz": "/healthz", "what is on sale, 40 items": f"/shop/v1/{PRODUCER}/events/{EVENT}"}
    for what, path in paths.items():
        for kept, script in (("", "bench/paths.lua"), (", a new connection each", "bench/fresh.lua")):
            plain, encrypted = in_turns(shop, files, path, script, folder, options)
            table.row(engine, f"https: {what}{kept}", encrypted, plain, "plain http")
            table.figure(engine, f"https: {what}{kept}, against http", median(plain) / median(encrypted), "× the time")


def in_turns(shop, files, path, script, folder, options):
    name = f"{folder}/https_paths"
    with open(name, "w") as file:
        file.write(f"{path}\n")
    results = [], []
    for _ in range(options.rounds):
        for way, kept in zip(WAYS, results):
            flags = files if way == "https" else []
            with shop.build.serve(shop.address, f"{folder}/{way}.log", "--shop-rate-limit", "off", "--log", "warn",
                                  *flags) as server:
                load = lambda seconds: wrk(f"{way}://{server.address}", script, options.connections, seconds,
                                           [name, "", "", "", ""])
                load(WARM_UP)
                kept.append(load(options.seconds))
    return results


def certificate(folder):
    """The flags for a certificate of the kind that authorities issue by default: ECDSA with P-256."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    "30", "-subj", "/CN=bench", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], check=True,
                   stderr=subprocess.DEVNULL)
    return ["--tls-cert", f"{folder}/cert.pem", "--tls-key", f"{folder}/key.pem"]
