"""The databases that are measured, and what is done to them from outside."""

import contextlib
import json
import os
import sqlite3
import subprocess
from urllib.parse import unquote

from load import REFERENCE, process

# Microseconds that a database far away is farther in each direction: a round trip takes 1 ms longer.
DELAY_PER_WAY_US = 500


def create(engine, folder, name):
    """The address of a new database. The first build that is told of it makes the schema."""
    if engine == "sqlite":
        return f"sqlite:{folder}/{name}.db"
    cluster = os.environ["TAQUILLA_TEST_POSTGRES"]
    subprocess.run(["psql", "-q", "-c", f"CREATE DATABASE {name}", f"{cluster}/postgres"], check=True)
    return f"{cluster}/{name}"


@contextlib.contextmanager
def far_away(folder):
    """A way to PostgreSQL that takes longer: gives a function from the address of a database to its address there."""
    user, _, host = os.environ["TAQUILLA_TEST_POSTGRES"].removeprefix("postgres://").rpartition("@")
    command = [REFERENCE, "delay", "ADDRESS", f"{unquote(host)}/.s.PGSQL.5432", DELAY_PER_WAY_US]
    with process(command, f"{folder}/delay.log") as way:
        yield lambda address: f"postgres://{user}@{way.address}/{address.rpartition('/')[2]}"


def ask(address, sql):
    """Runs a statement. The rows of a query, each as a tuple of texts on PostgreSQL and of values on SQLite."""
    if address.startswith("sqlite:"):
        with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:"), timeout=60)) as database, database:
            return database.execute(sql).fetchall()
    lines = subprocess.run(["psql", "-qtA", "-F", "\t", "-c", sql, address], capture_output=True, text=True,
                           check=True).stdout.split("\n")[:-1]
    return [tuple(line.split("\t")) for line in lines]


def rows(address, table, condition):
    """Whole rows, each with its columns by name."""
    if not address.startswith("sqlite:"):
        return [json.loads(row) for row, in ask(address, f"SELECT row_to_json(t) FROM {table} t WHERE {condition}")]
    with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:"), timeout=60)) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(f"SELECT * FROM {table} WHERE {condition}")]
