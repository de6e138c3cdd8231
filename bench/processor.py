"""Time on the processor: of a server, and of all processes of a PostgreSQL."""

import os
from pathlib import Path

TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")


def server_ms(server):
    """The server's time so far."""
    return of(server.process.pid)


def postgres_ms(folder):
    """The time so far of a PostgreSQL whose data is in this folder: of its connections, too, also of those that have ended."""
    postmaster = (Path(folder) / "postmaster.pid").read_text().split("\n")[0]
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return sum(of(process) for process in [postmaster, *children])


def of(process):
    """The time of one process and of its children that have ended, in milliseconds. None, if it has ended meanwhile."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except FileNotFoundError:
        return 0
    return sum(int(field) for field in fields[11:15]) * TICK_MS
