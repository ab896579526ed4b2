"""Whether somebody who asks sits at this very machine, and is the one who started the companion.

He could do anything to it anyway, so that a PIN would only be in his way. What came through a reverse proxy has an
address of this machine too: it says so in its headers, and a proxy runs as another user. Where neither can be told, the
machine must be called shared in the settings.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path

from werkzeug.datastructures import Headers

# What a proxy adds to a request that it passes on.
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via", "Cf-Ray")
# From where a browser says that one of our own pages asks, or nobody's.
OWN_PAGES = ("same-origin", "none")
PROC = Path("/proc/net")
NOBODY = -1


def is_here(headers: Headers, address: str, port: int, own_port: int) -> bool:
    """By the request's headers, where it comes from, and the port that it came to."""
    if not is_loopback(address) or any(name in headers for name in FORWARDED):
        return False
    if headers.get("Sec-Fetch-Site", "none") not in OWN_PAGES:
        return False
    return users_of(port, own_port) <= {_own_user()}


def is_loopback(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_loopback


def users_of(port: int, own_port: int, proc: Path = PROC) -> set[int]:
    """Which users of this machine have a connection from one port to the other; this machine has many addresses, so
    that it may be several, one of whom only looks like another. Only Linux tells: elsewhere there is none."""
    found = set[int]()
    if sys.platform != "linux":
        return found
    local, remote = f":{port:04X}", f":{own_port:04X}"
    for name in ("tcp", "tcp6"):
        try:
            lines = (proc / name).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            parts = line.split()
            if parts[1].endswith(local) and parts[2].endswith(remote):
                found.add(int(parts[7]))
    return found or {NOBODY}  # it has gone meanwhile


def _own_user() -> int | None:
    return os.getuid() if hasattr(os, "getuid") else None
