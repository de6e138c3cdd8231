"""Everything at once on one producer: what buyers, stations, pollers and an endpoint do to each other."""

import json

import databases
from load import WARM_UP, begin_reference, finish
from scans import EVENT, PRODUCER, Door
from webhooks import ALLOW, create_endpoint, receiver

BUYERS, STATIONS, POLLERS = 64, 16, 16
# More tickets than the stations scan in a second.
SCANS_A_SECOND = 12_000
KINDS = {"orders": f"mixed: orders, {BUYERS} buyers", "scans": f"mixed: scans, {STATIONS} stations",
         "polls": f"mixed: polls, {POLLERS} pollers", "deliveries": "mixed: deliveries and their delay, 1 endpoint"}
ITEM = "tt_mixed_"
# Everything that happens here.
MESSAGES = ["order.created", "order.approved", "ticket.issued", "ticket.scanned"]
# What pollers ask for: what is new, and one ticket.
POLLS = ["/api/v1/tickets?limit=50", "/api/v1/orders?limit=50", "/api/v1/tickets?scanned_after=2026-01-01&limit=50",
         "/api/v1/orders?updated_after=2026-01-01&limit=50", f"/api/v1/tickets/BENCH{0:020d}"]


class Producer:
    """A producer of one build that sells and scans at the same event, has a key, and tells an endpoint of everything."""

    def __init__(self, build, address, folder, tickets):
        self.build, self.door = build, Door(build, address, folder, tickets)
        item = {"kind": "ticket_type", "id": f"{ITEM}0", "event_id": EVENT, "name": "Free", "price": 0, "currency": "EUR"}
        build.run(address, "import", "--producer", PRODUCER, "-", input=json.dumps(item))
        key = build.run(address, "key", "create", "--producer", PRODUCER, "--name", "bench", "--permission", "TICKETS_READ",
                        "--permission", "ORDERS_READ", "--json")
        self.key, self.polls = json.loads(key)["key"], f"{folder}/polls"
        with open(self.polls, "w") as file:
            file.writelines(f"{path}\n" for path in POLLS)

    def run(self, seconds):
        """All of it for so long, with a receiver of its own: what was measured of each kind."""
        door = self.door
        with receiver(door.folder) as target:
            endpoint = create_endpoint(self.build, door.address, f"{target.url}/", *MESSAGES)
            with door.serve("mixed", "--shop-rate-limit", "off", "--log", "info", *ALLOW) as server:
                self.all_at_once(server, WARM_UP)
                result = self.all_at_once(server, seconds)
                # Before the server has time to catch up with those that are still waiting.
                result["deliveries"] = json.loads(target.get("/delays", "")[2])
            self.build.run(door.address, "webhook", "delete", endpoint)
        return result

    def all_at_once(self, server, seconds):
        before = self.door.entered(server)
        orders = begin_reference("buyers", server.address, BUYERS, seconds, PRODUCER, EVENT, ITEM, 1)
        scans = self.door.begin(server, STATIONS, seconds)
        polls = begin_reference("pollers", server.address, POLLERS, seconds, self.key, self.polls)
        return {"orders": finish(orders), "scans": self.door.finish(server, scans, before), "polls": finish(polls)}


def measure(engine, sides, folder, options, table):
    tickets = SCANS_A_SECOND * (options.seconds + WARM_UP) * options.rounds
    producers = [Producer(build, databases.create(engine, folder, f"mixed_{build.name}"), folder, tickets)
                 for build in sides]
    results = [[] for _ in producers]
    for _ in range(options.rounds):
        for producer, kept in zip(producers, results):
            kept.append(producer.run(options.seconds))
    for kind, what in KINDS.items():
        of_kind = [[result[kind] for result in kept] for kept in results]
        table.row(engine, what, of_kind[0], before=of_kind[1] if len(of_kind) > 1 else None)
