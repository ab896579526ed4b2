"""Whether a request comes from this machine, by the user who started the companion.

He controls the companion anyway, so he needs no PIN. A request through a reverse proxy also has a local address: it is
recognized by its headers, or because the proxy runs as another user. If neither can be detected, the settings must say
that the machine is shared.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path

from werkzeug.datastructures import Headers

# Headers that proxies add to forwarded requests.
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via", "Cf-Ray")
# Values of Sec-Fetch-Site for requests by our own pages, or by no page.
OWN_PAGES = ("same-origin", "none")
PROC = Path("/proc/net")
NOBODY = -1


def is_local_user(headers: Headers, address: str, port: int, own_port: int) -> bool:
    """`address` and `port`: of the client; `own_port`: of the server."""
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
    """The users with a local connection between these ports. There may be several, since the machine has more than one
    address. Only Linux tells; elsewhere the set is empty."""
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
    return found or {NOBODY}  # the connection is closed already


def _own_user() -> int | None:
    return os.getuid() if hasattr(os, "getuid") else None
