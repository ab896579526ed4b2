"""Boards that run WLED, over the network: found by mDNS, queried by their JSON API, lit by DDP.

A board falls back to its own effects when it gets no data for some seconds, so the picture is repeated.
"""

from __future__ import annotations

import json
import socket
import struct
import time
import urllib.request
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from companion.leds.drivers import Disconnected
from companion.leds.lighting import at_step
from companion.leds.ports import CannotOpen
from companion.leds.protocol import COLOR, STEP, Board, Pixels, Tones

PREFIX = "wled:"  # in the settings: wled:ADDRESS, or wled: alone for the only board in the network
SERVICE = "_wled._tcp.local."
MDNS_TIMEOUT = 2.0  # seconds
HTTP, DDP = 80, 4048
HTTP_TIMEOUT = 2.0  # seconds
REFRESH_INTERVAL = 0.8  # seconds after which the picture is sent again
INFO_INTERVAL = 5.0  # seconds between checks that it is still there
MAX_PAYLOAD = 1440  # bytes in one packet
PUSH, VERSION, RGB, DISPLAY = 0x01, 0x40, 0x0B, 1


class Wled(NamedTuple):
    """A board that was found."""

    name: str
    address: str  # host:port of its JSON API


def find(timeout: float = MDNS_TIMEOUT, interfaces: Any = None) -> list[Wled]:
    """The boards that announce themselves in this network, sorted by name."""
    from zeroconf import InterfaceChoice, ServiceBrowser, ServiceListener, Zeroconf

    found: dict[str, Wled] = {}

    class Listener(ServiceListener):
        def add_service(self, zeroconf: Zeroconf, kind: str, name: str) -> None:
            info = zeroconf.get_service_info(kind, name, timeout=int(1000 * timeout))
            if info and (addresses := info.parsed_addresses()):
                found[name] = Wled(name.removesuffix(f".{kind}"), f"{addresses[0]}:{info.port or HTTP}")

        def update_service(self, zeroconf: Zeroconf, kind: str, name: str) -> None:
            self.add_service(zeroconf, kind, name)

        def remove_service(self, zeroconf: Zeroconf, kind: str, name: str) -> None:
            found.pop(name, None)

    try:
        zeroconf = Zeroconf(interfaces=interfaces or InterfaceChoice.All)
    except OSError:  # no network at all
        return []
    try:
        ServiceBrowser(zeroconf, SERVICE, Listener())
        time.sleep(timeout)
    finally:
        zeroconf.close()
    return sorted(found.values())


def fetch_info(address: str, path: str = "/json/info") -> dict[str, Any]:
    """A board's info. OSError or ValueError if there is no response, or it is not a WLED."""
    with urllib.request.urlopen(f"http://{address}{path}", timeout=HTTP_TIMEOUT) as response:
        info = json.loads(response.read(1 << 16))
    if not isinstance(info, dict) or not isinstance(info.get("leds"), dict):
        raise ValueError("no WLED")
    return info


def packets(pixels: Pixels, step: int, number: int) -> list[bytes]:
    """One blink step of a picture as DDP packets. The last packet makes the board show it."""
    data = b"".join(map(bytes, at_step(pixels, step)))
    found = []
    for at in range(0, max(1, len(data)), MAX_PAYLOAD):
        part = data[at : at + MAX_PAYLOAD]
        last = PUSH if at + MAX_PAYLOAD >= len(data) else 0
        found.append(struct.pack(">BBBBIH", VERSION | last, number, RGB, DISPLAY, at, len(part)) + part)
    return found


class WledBoard:
    """The driver for a WLED. `ddp`: the UDP port."""

    def __init__(self, path: str, ddp: int = DDP) -> None:
        self.path = path
        self.board: Board | None = None
        self.info: dict[str, Any] = {}
        self._ddp = ddp
        self._address = ""
        self._socket: socket.socket | None = None
        self._pixels: Pixels = ()
        self._since = self._fetched = 0.0
        self._sent: tuple[float, tuple[Pixels, int]] = (float("-inf"), ((), 0))
        self._number = 0

    def open(self, stopped: Callable[[], bool]) -> None:
        self._address = self._configured_address() or self._discovered_address()
        host = urlsplit(f"//{self._address}").hostname or self._address
        try:
            self.info = fetch_info(self._address)
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._socket.connect((host, self._ddp))
        except (OSError, ValueError):
            raise CannotOpen("leds.no-wled", port=self.path) from None
        leds, name = self.info["leds"], str(self.info.get("name", "WLED"))
        count, limit = int(leds.get("count", 0)), int(leds.get("maxpwr") or 65_535)
        self.board = Board(1, COLOR, min(255, count), limit, 0, (0, 0, 0), f"{name} (WLED {self.info.get('ver', '')})")
        self._fetched = time.monotonic()

    def _configured_address(self) -> str:
        return self.path.removeprefix(PREFIX).strip("/")

    def _discovered_address(self) -> str:
        found = find()
        if not found:
            raise CannotOpen("leds.no-wled-found")
        if len(found) > 1:
            raise CannotOpen(
                "leds.which-wled", choices=", ".join(f"{PREFIX}{one.address} ({one.name})" for one in found)
            )
        return found[0].address

    def send(self, pixels: Pixels) -> None:
        if pixels != self._pixels:
            self._pixels, self._since = pixels, time.monotonic()

    def play(self, tones: Tones) -> None:
        """It has no piezo."""

    @property
    def settled(self) -> bool:
        return self._sent[1] == (self._pixels, 0)

    def poll(self, timeout: float) -> list[int]:
        assert self._socket is not None
        now = time.monotonic()
        shown = self._pixels, int((now - self._since) / STEP) % 8
        try:
            if shown != self._sent[1] or now - self._sent[0] > REFRESH_INTERVAL:
                self._number = self._number % 15 + 1
                for packet in packets(*shown, self._number):
                    self._socket.send(packet)
                self._sent = now, shown
            if now - self._fetched > INFO_INTERVAL:
                self._fetched = now
                self.info = fetch_info(self._address)
        except (OSError, ValueError):
            raise Disconnected from None
        time.sleep(timeout)
        return []

    def close(self) -> None:
        if self._socket:
            self._socket.close()
