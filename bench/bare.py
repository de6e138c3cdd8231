"""The bare program: the rows of an order, written in groups by a program that does nothing else."""

import json

import databases
from load import reference

# What identifies the rows of the one order that was placed.
OF_ORDER = {
    "orders": "id = '{id}'",
    "order_items": "order_id = '{id}'",
    "tickets": "order_id = '{id}'",
    "outbox": "data LIKE '%{id}%'",
    "idempotency_keys": "answer LIKE '%{id}%'",
}


class Bare:
    """A database of its own, with the schema and the items of the others, and one order of Taquilla to copy."""

    def __init__(self, shop, folder):
        with shop.serve(f"{folder}/template.log") as server:
            order = shop.place_one(server)
        self.address, self.template = shop.address, f"{folder}/template.json"
        rows = {table: databases.rows(self.address, table, condition.format(id=order))
                for table, condition in OF_ORDER.items()}
        with open(self.template, "w") as file:
            json.dump(rows, file)

    def write(self, way, group, seconds):
        """Writes for so long, along a way to the database."""
        return reference("bare", way(self.address), self.template, group, seconds)
