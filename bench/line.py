"""A crowd in front of few tickets: many buyers at once on the pages of the shop, of whom most get none.

What counts is that exactly what there is is sold, that everybody is told, and how long the slowest pages took.
"""

import json

import databases
from load import reference
from orders import EVENT, PRODUCER, Shop

BUYERS, TICKETS, ITEM = 2_000, 200, "few"


def measure(engine, build, folder, options, table):
    shop = Shop(build, databases.create(engine, folder, "line"))
    line = {"kind": "ticket_type", "id": ITEM, "event_id": EVENT, "name": "Few", "price": 0, "currency": "EUR", "limit": TICKETS}
    build.run(shop.address, "import", "--producer", PRODUCER, "-", input=json.dumps(line))
    with shop.serve(f"{folder}/line.log") as server:
        result = reference("visitors", f"{server.url}/shop/{PRODUCER}/{EVENT}", BUYERS, ITEM)
    assert result["sold"] == TICKETS, result
    table.figure(engine, f"{BUYERS:,} buyers at once for {TICKETS} tickets: a page's p99", result["p99_us"] / 1000,
                 f"ms; p50 {result['p50_us'] / 1000:.1f} ms, worst {result['worst_us'] / 1000:.0f} ms; "
                 f"{result['waited']:,} had to wait, all were told within {result['seconds']:.0f} s")
