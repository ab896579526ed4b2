"""Boards that run WLED, over the network: found by mDNS, asked by their JSON API, lit by DDP.

A board goes back to its own play when it hears nothing for some seconds, so the picture is sent again and again.
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

from companion.leds.drivers import Lost
from companion.leds.lighting import at_step
from companion.leds.ports import CannotOpen
from companion.leds.protocol import COLOR, STEP, Board, Pixels, Tones

PREFIX = "wled:"  # of a setting that names such a board: wled:ADDRESS, or wled: alone for the only one there is
SERVICE = "_wled._tcp.local."
LOOKS = 2.0  # seconds in which a board must have answered by mDNS
HTTP, DDP = 80, 4048
ANSWERS = 2.0  # seconds
AGAIN = 0.8  # seconds after which a picture is sent once more
ASKED = 5.0  # seconds between two questions whether it is still there
MOST_DATA = 1440  # bytes of one packet
PUSH, VERSION, RGB, DISPLAY = 0x01, 0x40, 0x0B, 1


class Wled(NamedTuple):
    """A board that was found."""

    name: str
    address: str  # host:port of its JSON API


def find(patience: float = LOOKS, interfaces: Any = None) -> list[Wled]:
    """The boards in this network that tell of themselves, by name."""
    from zeroconf import InterfaceChoice, ServiceBrowser, ServiceListener, Zeroconf

    found: dict[str, Wled] = {}

    class Ear(ServiceListener):
        def add_service(self, zeroconf: Zeroconf, kind: str, name: str) -> None:
            info = zeroconf.get_service_info(kind, name, timeout=int(1000 * patience))
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
        ServiceBrowser(zeroconf, SERVICE, Ear())
        time.sleep(patience)
    finally:
        zeroconf.close()
    return sorted(found.values())


def ask(address: str, path: str = "/json/info") -> dict[str, Any]:
    """What a board tells of itself. OSError or ValueError if it does not, or is no WLED."""
    with urllib.request.urlopen(f"http://{address}{path}", timeout=ANSWERS) as answer:
        told = json.loads(answer.read(1 << 16))
    if not isinstance(told, dict) or not isinstance(told.get("leds"), dict):
        raise ValueError("no WLED")
    return told


def packets(pixels: Pixels, step: int, number: int) -> list[bytes]:
    """One step of a picture as DDP; the last packet has it shown."""
    data = b"".join(map(bytes, at_step(pixels, step)))
    found = []
    for at in range(0, max(1, len(data)), MOST_DATA):
        part = data[at : at + MOST_DATA]
        last = PUSH if at + MOST_DATA >= len(data) else 0
        found.append(struct.pack(">BBBBIH", VERSION | last, number, RGB, DISPLAY, at, len(part)) + part)
    return found


class WledBoard:
    """A driver like the others. `ddp` is the port of the light itself."""

    def __init__(self, path: str, ddp: int = DDP) -> None:
        self.path = path
        self.board: Board | None = None
        self.info: dict[str, Any] = {}
        self._ddp = ddp
        self._address = ""
        self._socket: socket.socket | None = None
        self._pixels: Pixels = ()
        self._since = self._asked = 0.0
        self._sent: tuple[float, tuple[Pixels, int]] = (float("-inf"), ((), 0))
        self._number = 0

    def open(self, stopped: Callable[[], bool]) -> None:
        self._address = self._named() or self._only_one()
        host = urlsplit(f"//{self._address}").hostname or self._address
        try:
            self.info = ask(self._address)
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._socket.connect((host, self._ddp))
        except (OSError, ValueError):
            raise CannotOpen("leds.no-wled", port=self.path) from None
        leds, name = self.info["leds"], str(self.info.get("name", "WLED"))
        count, limit = int(leds.get("count", 0)), int(leds.get("maxpwr") or 65_535)
        self.board = Board(1, COLOR, min(255, count), limit, 0, (0, 0, 0), f"{name} (WLED {self.info.get('ver', '')})")
        self._asked = time.monotonic()

    def _named(self) -> str:
        return self.path.removeprefix(PREFIX).strip("/")

    def _only_one(self) -> str:
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

    def buttons(self, patience: float) -> list[int]:
        assert self._socket is not None
        now = time.monotonic()
        shown = self._pixels, int((now - self._since) / STEP) % 8
        try:
            if shown != self._sent[1] or now - self._sent[0] > AGAIN:
                self._number = self._number % 15 + 1
                for packet in packets(*shown, self._number):
                    self._socket.send(packet)
                self._sent = now, shown
            if now - self._asked > ASKED:
                self._asked = now
                self.info = ask(self._address)
        except (OSError, ValueError):
            raise Lost from None
        time.sleep(patience)
        return []

    def close(self) -> None:
        if self._socket:
            self._socket.close()
