"""What load makes durable: how often the disk was waited for, and how many bytes were written."""

import re
import time
from pathlib import Path

from databases import ask

OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
LOG = "SELECT wal_sync, pg_current_wal_lsn() - '0/0' FROM pg_stat_wal"


class Disk:
    """Counts for one build while load runs against it, each time with a new server: neither engine tells all before the
    server has ended.

    On SQLite the server says how often it committed, and the kernel how many bytes it wrote until it ended, which is
    after everything was moved from the log into the database. On PostgreSQL both are counted for its log: what it later
    writes into its tables is not in these bytes. Other load of the same cluster would be counted, too.
    """

    def __init__(self, address):
        self.address = address
        self.requests, self.syncs, self.bytes = 0, 0, 0
        self.is_sqlite = address.startswith("sqlite:")
        if not self.is_sqlite:
            # PostgreSQL logs a whole page when it first changes after a checkpoint: every row begins with one.
            ask(address, "CHECKPOINT")

    def run(self, serve, *loads):
        """Starts a server and runs loads against it, all of which count: the result of the last."""
        before = (0, 0) if self.is_sqlite else self.postgres()
        with serve as server:
            for load in loads:
                result = load(server)
                self.requests += result["requests"]
        after = self.sqlite(server) if self.is_sqlite else self.postgres()
        self.syncs, self.bytes = self.syncs + after[0] - before[0], self.bytes + after[1] - before[1]
        return result

    def sqlite(self, server):
        return int(re.search(r'"commits":(\d+)', Path(server.log).read_text()).group(1)), server.written

    def postgres(self):
        """How often the log was synced, ever, and where it ends. Connections tell of their syncs when they end."""
        deadline = time.monotonic() + 30
        while ask(self.address, OTHERS) != [("0",)] and time.monotonic() < deadline:
            time.sleep(0.01)
        return tuple(map(int, ask(self.address, LOG)[0]))

    def per_request(self):
        """Requests that shared a sync, and kB that each of them wrote."""
        requests = max(self.requests, 1)
        return {"per_sync": round(requests / max(self.syncs, 1), 1), "written_kb": round(self.bytes / requests / 1e3, 2)}
